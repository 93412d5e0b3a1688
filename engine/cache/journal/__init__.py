"""The journal: every change of every tier, as small immutable records."""
