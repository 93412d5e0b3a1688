"""Why a request ran what it ran, and what would have helped: the panels of it and their words."""
