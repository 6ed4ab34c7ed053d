"""Reads the files of each frame with meshio and VTK: judge_sequences.py FOLDER EXPECTED.npz

FOLDER/obj and FOLDER/ply hold the sequences. All actors are in one file, one after another.
"""

import pathlib
import sys

import meshio
import numpy as np
import vtk
from vtk.util.numpy_support import vtk_to_numpy

ACTORS = ["wobbling_ball", "Tücher_rot", "Seil_3", "4_corners"]


def wanted(expected, what, place):
    return np.concatenate([expected[f"{name}/{what}"][place] for name in ACTORS])


def wanted_cells(expected, what):
    counts = [expected[f"{name}/positions"].shape[1] for name in ACTORS]
    firsts = np.cumsum([0] + counts)
    return np.concatenate([expected[f"{name}/{what}"] + first for name, first in zip(ACTORS, firsts)])


def by_vtk(reader, path):
    reader.SetFileName(str(path))
    reader.Update()
    return reader.GetOutput()


def triangles_of(grid):
    polygons = grid.GetPolys()
    assert polygons.IsHomogeneous() == 3
    return vtk_to_numpy(polygons.GetConnectivityArray()).reshape(-1, 3)


def check_obj(path, expected, place):
    positions, triangles = wanted(expected, "positions", place), wanted_cells(expected, "triangles")
    mesh = meshio.read(path)
    assert abs(mesh.points - positions).max() < 1e-6
    assert (mesh.cells_dict["triangle"] == triangles).all()
    text = path.read_text()
    assert [line[2:] for line in text.splitlines() if line.startswith("o ")][1] == "Tücher/rot"
    # VTK splits points with several normals; here each has one, but numbers differ: compare the triangles' corners.
    grid = by_vtk(vtk.vtkOBJReader(), path)
    points = vtk_to_numpy(grid.GetPoints().GetData())
    assert abs(points[triangles_of(grid)] - positions[triangles]).max() < 1e-6
    normals = vtk_to_numpy(grid.GetPointData().GetNormals())[triangles_of(grid)[:, 0]]
    check_outward(points, triangles_of(grid), normals)
    assert grid.GetNumberOfLines() == 1


def check_outward(points, triangles, normals):
    a, b, c = (points[triangles[:, k]] for k in range(3))
    assert (np.einsum("ij,ij->i", np.cross(b - a, c - a), normals) > 0).all()


def check_ply(path, expected, place):
    positions, triangles = wanted(expected, "positions", place), wanted_cells(expected, "triangles")
    grid = by_vtk(vtk.vtkPLYReader(), path)
    points = vtk_to_numpy(grid.GetPoints().GetData())
    assert points.shape == positions.shape and abs(points - positions).max() < 1e-6
    assert (triangles_of(grid) == triangles).all()
    check_outward(points, triangles, vtk_to_numpy(grid.GetPointData().GetNormals())[triangles[:, 0]])
    colors = vtk_to_numpy(grid.GetPointData().GetArray("RGB"))
    assert tuple(colors[0]) == (240, 113, 90) and tuple(colors[-1]) == (205, 209, 216)


def main(folder, expected):
    folder, expected = pathlib.Path(folder), np.load(expected)
    frames = len(expected["t"])
    for kind, check in [("obj", check_obj), ("ply", check_ply)]:
        files = sorted(folder.joinpath(kind).glob(f"*.{kind}"))
        assert len(files) == frames and files[-1].name == f"{kind}.{frames - 1:06}.{kind}"
        for place, path in enumerate(files):
            check(path, expected, place)
        print(kind, frames, "frames agree")
    library = folder.joinpath("obj/obj.mtl").read_text()
    assert library.count("newmtl") == len(ACTORS)


if __name__ == "__main__":
    main(*sys.argv[1:])
