"""`python -m botq` is the command line."""

import sys

from botq.cli import main

sys.exit(main())
