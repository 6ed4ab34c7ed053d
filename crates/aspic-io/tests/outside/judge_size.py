"""Large files: a million triangles are read in seconds, and an export takes the same memory for many frames as for few.

judge_size.py PROGRAM EXAMPLE FOLDER     EXAMPLE is `made_up_cache`
"""

import pathlib
import resource
import subprocess
import sys
import time

import numpy as np

SECONDS = 20
# The 100 frames of the example hold 240 MB of positions.
MEMORY = 160 << 20


def million(path):
    """A million triangles of a waving sheet, as binary STL."""
    n = 708
    x, y = np.meshgrid(np.arange(n) / n, np.arange(n) / n, indexing="ij")
    p = np.stack([x, y, 0.1 * np.sin(9 * x) * np.cos(7 * y)], axis=2).astype("<f4")
    a, b, c, d = p[:-1, :-1], p[1:, :-1], p[1:, 1:], p[:-1, 1:]
    corners = np.concatenate([np.stack(t, axis=2).reshape(-1, 3, 3) for t in ((a, b, c), (a, c, d))])
    rows = np.zeros(len(corners), dtype=[("normal", "<f4", 3), ("corners", "<f4", (3, 3)), ("attribute", "<u2")])
    rows["corners"] = corners
    path.write_bytes(bytes(80) + np.uint32(len(rows)).tobytes() + rows.tobytes())
    return len(rows)


def main(program, example, folder):
    folder = pathlib.Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    count = million(folder / "sheet.stl")
    for ending in ["ply", "obj", "off", "glb", "usda"]:
        subprocess.run([program, "mesh", "convert", folder / "sheet.stl", folder / f"sheet.{ending}"], check=True)
    for ending in ["stl", "ply", "obj", "off", "glb", "usda"]:
        begin = time.time()
        told = subprocess.run([program, "mesh", "info", folder / f"sheet.{ending}"], check=True, capture_output=True, text=True)
        took = time.time() - begin
        print(f"{ending}: {count} triangles examined in {took:.1f} s")
        assert f"{count} triangles" in told.stdout and took < SECONDS, told.stdout
    limit = lambda: resource.setrlimit(resource.RLIMIT_DATA, (MEMORY, MEMORY))
    for name in ["made_up.usda", "made_up.usdc", "made_up.usdz", "obj", "ply", "povray", "expected.npz"]:
        subprocess.run([example, folder / "speed", "speed", name], check=True, preexec_fn=limit)


if __name__ == "__main__":
    main(*sys.argv[1:])
