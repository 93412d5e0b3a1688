"""Program-wide settings: typed, validated, in one file. Without Qt."""
