"""How a prompt is prefilled: where it is cut, and where states are stored."""
