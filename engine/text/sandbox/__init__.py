"""The environment that chat templates run in: everything in it is offered here, and bounded."""
