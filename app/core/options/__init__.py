"""Options of the command line that the window and several subcommands have."""
