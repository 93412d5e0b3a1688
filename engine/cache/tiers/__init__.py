"""The tiers below the device: what moves between them, and the interfaces they implement."""
