"""Storage of the tiers below the device: host memory and files."""
