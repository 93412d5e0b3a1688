"""The program as a user starts it, which also says what is on its screen.

`python -m tests.driven.asked SOCKET [OPTION...]` is `python -m app [OPTION...]` and a socket.
"""

from __future__ import annotations

import sys
from pathlib import Path

from app.shell.main import main
from tests.driven.questions import Questions

if __name__ == "__main__":
    questions = Questions(Path(sys.argv[1]))
    sys.exit(main(sys.argv[2:]))
