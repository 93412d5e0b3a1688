"""One byte budget for both planes, and how it is split between them."""
