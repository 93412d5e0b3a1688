"""The tiers below the device: what moves between them, and what they must be able to do."""
