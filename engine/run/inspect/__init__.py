"""Reading what the layers hold, in separate runs while no request does anything."""
