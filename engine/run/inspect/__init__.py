"""Inspects what the layers hold, in separate runs while no request is being processed."""
