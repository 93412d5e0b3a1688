"""`python -m app` opens the window."""

from __future__ import annotations

import sys

from app.shell.main import main

if __name__ == "__main__":
    sys.exit(main())
