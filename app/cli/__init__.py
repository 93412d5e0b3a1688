"""The command line's subcommands, one module each: `add(subparsers)` and `run(args) -> int`."""
