"""The command `lanescope`, and `python -m lanescope`: the program takes the place of this process."""

import os
import sys

from lanescope.program import ProgramMissing, program


def main() -> None:
    try:
        path = program()
        os.execv(path, [path, *sys.argv[1:]])
    except (ProgramMissing, OSError) as error:
        print(f"lanescope: error: {error}", file=sys.stderr)
        sys.exit(2)


if __name__ == "__main__":
    main()
