"""`python -m mtm_viz`: the command line."""

import sys

from mtm_viz.cli import main

if __name__ == "__main__":
    sys.exit(main())
