"""Remote engines in the debugger."""
