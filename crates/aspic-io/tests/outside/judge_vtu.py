"""Reads exported VTK files with meshio and VTK, and compares them with exported arrays: judge_vtu.py FOLDER ARRAYS.npz"""

import pathlib
import sys
import xml.etree.ElementTree as xml

import meshio
import numpy as np
import vtk
from vtk.util.numpy_support import vtk_to_numpy


def by_vtk(path):
    reader = vtk.vtkXMLUnstructuredGridReader()
    reader.SetFileName(str(path))
    reader.Update()
    return vtk_to_numpy(reader.GetOutput().GetPoints().GetData())


def main(folder, arrays):
    folder, arrays = pathlib.Path(folder), np.load(arrays)
    names = sorted({name.split("/")[0] for name in arrays.files if "/" in name})
    positions = np.concatenate([arrays[f"{name}/positions"] for name in names], axis=1)
    triangles = sum(len(arrays[f"{name}/triangles"]) for name in names)
    listed = xml.parse(next(folder.glob("*.pvd"))).getroot().iter("DataSet")
    listed = [(float(entry.get("timestep")), folder / entry.get("file")) for entry in listed]
    assert [t for t, _ in listed] == list(arrays["t"]), listed
    for (_, path), expected in zip(listed, positions):
        mesh = meshio.read(path)
        assert np.abs(mesh.points - expected).max() == 0 and len(mesh.cells_dict["triangle"]) == triangles
        assert np.abs(by_vtk(path) - expected).max() == 0
    print(len(listed), "exported VTK files agree")


if __name__ == "__main__":
    main(*sys.argv[1:])
