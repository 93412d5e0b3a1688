"""Why a request of a trace ran what it ran: its causes, and what would have helped."""
