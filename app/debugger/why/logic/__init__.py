"""The words of the explanations. Without Qt."""
