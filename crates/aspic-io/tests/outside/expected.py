"""What the example `made_up_motion` wrote: actors with their positions in every frame, as z-up programs show them."""

import json
import pathlib
import re

import numpy as np


class Expected:
    """Actors and positions (frames, points, 3) of a folder."""

    def __init__(self, folder):
        folder = pathlib.Path(folder)
        self.cast = json.loads((folder / "cast.json").read_text())
        positions = np.fromfile(folder / "expected.bin", dtype="<f8")
        self.handed_over = positions.reshape(self.cast["frames"], -1, 3)
        self.frames, self.rate = self.cast["frames"], self.cast["rate"]
        self.with_z_up = self.handed_over
        if self.cast["up"] == "y":
            x, y, z = np.moveaxis(self.handed_over, 2, 0)
            self.with_z_up = np.stack([x, -z, y], axis=2)

        taken = set()
        for actor in self.cast["actors"]:
            plain = re.sub(r"[^\w-]", "_", actor["name"])
            numbered = (plain if n == 1 else f"{plain}_{n}" for n in range(1, 99))
            actor["safe"] = next(name for name in numbered if name not in taken)
            taken.add(actor["safe"])

    def actors(self, positions):
        """Each actor with its part of the positions (frames, own points, 3)."""
        start = 0
        for actor in self.cast["actors"]:
            yield actor, positions[:, start : start + actor["points"]]
            start += actor["points"]


def worst(got, wanted):
    """Largest distance on an axis, in single-precision steps of the largest number."""
    assert got.shape == wanted.shape, f"{got.shape} points where {wanted.shape} were written"
    assert np.isfinite(got).all()
    return np.abs(got - wanted).max() / (np.abs(wanted).max() * 2.0**-24)


def check(what, steps, allowed):
    print(f"{what}: within {steps:.2f} single-precision steps")
    assert steps <= allowed, f"{what}: {steps} steps where {allowed} are allowed"


def volume(points, triangles):
    """Volume inside of triangles that point outward."""
    a, b, c = (points[triangles[:, corner]] for corner in range(3))
    return np.einsum("ij,ij->", a, np.cross(b, c)) / 6.0
