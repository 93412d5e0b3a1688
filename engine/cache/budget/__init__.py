"""One byte budget for both planes, and its split between them."""
