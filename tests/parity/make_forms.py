#!/usr/bin/env python3
"""Writes forms.txt with the candidates that the assembler accepts.

    tests/parity/make_forms.py [ARCHITECTURE]     default: sm_90; needs build/release/parity_record and ptxas
"""

import concurrent.futures
import os
import subprocess
import sys
import tempfile
from pathlib import Path

import candidates

HERE = Path(__file__).resolve().parent
RECORD = HERE.parent.parent / "build" / "release" / "parity_record"


def assembles(path, architecture):
    return subprocess.run(["ptxas", f"-arch={architecture}", "-O1", "-o", "/dev/null", path], capture_output=True,
                          check=False).returncode == 0


def main():
    architecture = sys.argv[1] if len(sys.argv) > 1 else "sm_90"
    families = {family.__name__: list(dict.fromkeys(family())) for family in candidates.FAMILIES}
    every = [code for codes in families.values() for code in codes]
    with tempfile.TemporaryDirectory() as folder:
        listed = Path(folder) / "candidates.txt"
        listed.write_text("\n".join(every) + "\n")
        subprocess.run([RECORD, "ptx", listed, folder], check=True)
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            accepted = list(pool.map(lambda i: assembles(f"{folder}/{i}.ptx", architecture), range(len(every))))
    kept = {code for code, fine in zip(every, accepted) if fine}
    with open(HERE / "forms.txt", "w", encoding="utf-8") as out:
        out.write(f"# Made by make_forms.py: what ptxas assembles for {architecture}. candidates.py explains the placeholders.\n")
        for family, codes in families.items():
            out.write(f"# {family}\n" + "".join(code + "\n" for code in codes if code in kept))
    for family, codes in families.items():
        print(f"{family:14} {sum(code in kept for code in codes):5} of {len(codes)}")


main()
