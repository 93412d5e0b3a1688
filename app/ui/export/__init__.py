"""Exports what is on screen: pictures with legend and settings, and tables."""
