"""How a prompt is prefilled: where the run is cut, and where states are stored."""
