"""Reads the table and the arrays with NumPy and the standard library: judge_tables.py TABLE.csv ARRAYS.npz"""

import csv
import sys
import zipfile

import numpy as np

ACTORS = {"wobbling ball": 258, "Tücher/rot": 441, "Seil 3": 16, "4 corners": 8}


def check_arrays(path, arrays):
    with zipfile.ZipFile(path) as archive:
        assert archive.testzip() is None
        assert all(info.date_time == (1980, 1, 1, 0, 0, 0) for info in archive.infolist())
    frames = len(arrays["t"])
    assert (arrays["frame"] == 3 * np.arange(frames)).all()
    assert np.allclose(np.diff(arrays["t"]), 2 / 24)
    for name, points in ACTORS.items():
        key = "".join(c if c.isalnum() else "_" for c in name)
        assert arrays[f"{key}/positions"].shape == arrays[f"{key}/velocities"].shape == (frames, points, 3)
        assert arrays[f"{key}/positions"].dtype == np.float64 and arrays[f"{key}/triangles"].dtype == np.int32
        assert arrays[f"{key}/edges"].shape[1] == 2
    still = arrays["4_corners/positions"]
    assert (still == still[0]).all() and (still[0].max(0) - still[0].min(0) == 1).all()


def check_table(path, arrays):
    with open(path, newline="", encoding="utf-8") as file:
        header, *rows = csv.reader(file)
    numbers = np.array(rows, float)
    assert header[:3] == ["frame", "t [s]", "wobbling ball x [m]"]
    assert header[5] == "wobbling ball vx [m/s]" and len(header) == 2 + 6 * len(ACTORS)
    assert (numbers[:, 0] == arrays["frame"]).all() and (numbers[:, 1] == arrays["t"]).all()
    for place, name in enumerate(ACTORS):
        key = "".join(c if c.isalnum() else "_" for c in name)
        for shift, what in [(0, "positions"), (3, "velocities")]:
            columns = numbers[:, 2 + 6 * place + shift :][:, :3]
            assert np.allclose(columns, arrays[f"{key}/{what}"].mean(1), rtol=1e-13, atol=1e-13)


def main(table, path):
    arrays = np.load(path)
    check_arrays(path, arrays)
    check_table(table, arrays)
    print("table and arrays agree")


if __name__ == "__main__":
    main(*sys.argv[1:])
