"""What leaves the debugger: pictures, tables, traces."""
