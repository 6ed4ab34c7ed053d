#!/usr/bin/env python3
"""Reads the frames of a run folder with two programs that know nothing of aspic, meshio and VTK.

    python3 -m venv venv && venv/bin/pip install meshio vtk numpy
    venv/bin/python read_back.py RUN_FOLDER [--frames N] [--surface] [--point NAME ...] [--cell NAME ...]

Both must give the same points, cells and arrays, to the bit, and find the expected names; frames.pvd
must list existing files at increasing times. Ends with `N passed, 0 failed`; exit status 1 otherwise.
"""

import argparse
import sys
import xml.etree.ElementTree as ET
from pathlib import Path

import meshio
import numpy as np
from vtkmodules.util.numpy_support import vtk_to_numpy
from vtkmodules.vtkIOXML import vtkXMLUnstructuredGridReader

POINT = {"velocity": 3, "reaction": 3, "contact": 3, "body": 1}
VTK_NUMBERS = {"line": 3, "triangle": 5, "tetra": 10}
ORDER = ["tetra", "triangle", "line"]
CELL = {"energy_density": 1, "stress": 6, "von_mises": 1, "body": 1}
passed, failed = 0, 0


def check(claim, ok):
    """Counts one claim; names it when it does not hold."""
    global passed, failed
    if ok:
        passed += 1
    else:
        failed += 1
        print(f"FAILED: {claim}")


def same(a, b):
    """Same numbers to the bit, so −0 is not 0; the kind of integer may differ."""
    a, b = np.ascontiguousarray(a), np.ascontiguousarray(b)
    if a.shape != b.shape or a.dtype.kind[0] != b.dtype.kind[0]:
        return False
    if a.dtype.kind == "f":
        return a.dtype == b.dtype and a.tobytes() == b.tobytes()
    return bool(np.array_equal(a, b))


def with_vtk(path):
    reader = vtkXMLUnstructuredGridReader()
    reader.SetFileName(str(path))
    reader.Update()
    grid = reader.GetOutput()
    arrays = lambda data: {data.GetArrayName(i): vtk_to_numpy(data.GetArray(i)) for i in range(data.GetNumberOfArrays())}
    points = vtk_to_numpy(grid.GetPoints().GetData()) if grid.GetNumberOfPoints() else np.zeros((0, 3))
    corners = vtk_to_numpy(grid.GetCells().GetConnectivityArray())
    types = {grid.GetCellType(i) for i in range(grid.GetNumberOfCells())}
    return points, corners, types, arrays(grid.GetPointData()), arrays(grid.GetCellData()), arrays(grid.GetFieldData())


def check_frame(path, options):
    """One frame file: meshio against VTK, and both against what is expected."""
    points, corners, types, point_data, cell_data, field = with_vtk(path)
    try:
        mesh = meshio.read(path)
    except (Exception, SystemExit) as error:  # meshio ends the program on a damaged file
        check(f"{path.name}: meshio reads it ({error})", False)
        return None
    name = path.name
    # Tetrahedra first, then the triangles of bodies without any, then edges; meshio makes a block of each.
    blocks = [block.type for block in mesh.cells]
    possible = ORDER[1:] if options.surface else ORDER
    in_order = blocks == [kind for kind in possible if kind in blocks]
    check(f"{name}: holds points", len(points) > 0)
    check(f"{name}: points are f64", points.dtype == np.float64)
    check(f"{name}: same points", same(points, mesh.points))
    check(f"{name}: cells {blocks}", blocks and in_order and types == {VTK_NUMBERS[block] for block in blocks})
    check(f"{name}: same cells", bool(mesh.cells) and same(corners, np.concatenate([b.data.reshape(-1) for b in mesh.cells])))
    for where, ours, theirs in [("point", point_data, mesh.point_data), ("cell", cell_data, mesh.cell_data)]:
        expected = getattr(options, where)
        check(f"{name}: {where} arrays {sorted(ours)}", set(ours) == set(theirs) == set(expected))
        for array, components in expected.items():
            if array not in ours or array not in theirs:
                continue
            other = np.concatenate(theirs[array]) if where == "cell" else theirs[array]
            check(f"{name}: same {where} {array}", same(ours[array], other))
            check(f"{name}: {array} has {components} components", ours[array].size == components * len(ours[array]))
            check(f"{name}: {array} is finite", bool(np.isfinite(ours[array]).all()))
    check_bodies(name, mesh)
    check(f"{name}: holds its time", "TimeValue" in field and len(field["TimeValue"]) == 1)
    return float(field["TimeValue"][0]) if "TimeValue" in field else None


def check_bodies(name, mesh):
    """Every cell is of the body that all its corners are of."""
    of_points = mesh.point_data["body"]
    for block, of_cells in zip(mesh.cells, mesh.cell_data["body"]):
        check(f"{name}: bodies of {block.type} cells", bool((of_points[block.data] == of_cells.reshape(-1, 1)).all()))


def check_series(folder, times):
    """frames.pvd: every file exists and is listed once, times increase and agree with the files."""
    entries = ET.parse(folder / "frames.pvd").getroot().findall("./Collection/DataSet")
    files = [e.get("file") for e in entries]
    steps = [float(e.get("timestep")) for e in entries]
    for file in files:
        check(f"frames.pvd: {file} exists", (folder / file).is_file())
    check("frames.pvd: times increase", all(a < b for a, b in zip(steps, steps[1:])))
    check("frames.pvd: lists every frame once", sorted(files) == sorted(f"frames/{name}" for name in times))
    check("frames.pvd: times agree with the files", steps == [times.get(Path(f).name) for f in files])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--frames", type=int, help="how many frames there must be")
    parser.add_argument("--surface", action="store_true", help="expect triangles and edges only")
    parser.add_argument("--point", nargs="*", default=None, help="expected point arrays")
    parser.add_argument("--cell", nargs="*", default=None, help="expected cell arrays")
    options = parser.parse_args()
    known = POINT | {"node": 1} if options.surface else POINT
    options.point = known if options.point is None else {n: known.get(n, 1) for n in options.point}
    options.cell = CELL if options.cell is None else {n: CELL.get(n, 1) for n in options.cell}
    paths = sorted((options.folder / "frames").glob("*.vtu"))
    check("there are frames", len(paths) > 0)
    if options.frames is not None:
        check(f"{len(paths)} frames, expected {options.frames}", len(paths) == options.frames)
    check("no temporary file is left", not list(options.folder.rglob("*.tmp")))
    check_series(options.folder, {path.name: check_frame(path, options) for path in paths})
    print(f"{passed} passed, {failed} failed")
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    sys.exit(main())
