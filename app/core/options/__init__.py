"""Command line options that the window and several subcommands share."""
