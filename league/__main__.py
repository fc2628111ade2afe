"""`python -m league` is `league`."""

import sys

from league.cli import main

sys.exit(main())
