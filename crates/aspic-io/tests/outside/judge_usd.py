"""Opens a stage with Pixar's library and compares it with expected positions: judge_usd.py STAGE EXPECTED.npz

Beside positions: normals, extents, velocities, metadata, numbers of points and corners, and USD's own validators.
"""

import sys

import numpy as np
from pxr import Sdf, Usd, UsdGeom, UsdShade, UsdValidation

NAMES = {"wobbling_ball": "wobbling ball", "T_cher_rot": "Tücher/rot", "Seil_3": "Seil 3", "_4_corners": "4 corners"}


def check_metadata(stage, frames):
    layer = stage.GetRootLayer()
    assert stage.GetDefaultPrim().GetPath() == "/World"
    assert UsdGeom.GetStageUpAxis(stage) == "Z" and UsdGeom.GetStageMetersPerUnit(stage) == 1
    assert layer.timeCodesPerSecond == layer.framesPerSecond == 24
    assert (layer.startTimeCode, layer.endTimeCode) == (0, frames - 1)
    assert layer.documentation == "A made-up run" and layer.customLayerData["generator"] == "aspic"


def check_normals(mesh, points, place):
    normals = np.array(mesh.GetNormalsAttr().Get(place), float)
    corners = np.array(mesh.GetFaceVertexIndicesAttr().Get()).reshape(-1, 3)
    assert mesh.GetNormalsInterpolation() == "vertex" and normals.shape == points.shape
    assert np.allclose(np.linalg.norm(normals, axis=1), 1, atol=1e-6)
    a, b, c = (points[corners[:, k]] for k in range(3))
    faces = np.cross(b - a, c - a)
    assert (np.einsum("ij,ij->i", faces, normals[corners[:, 0]]) > 0).all()
    if not mesh.GetDoubleSidedAttr().Get():
        # Of an outward surface the enclosed volume is positive.
        assert np.einsum("ij,ij->i", faces, a).sum() > 0


def check_mesh(mesh, triangles, count):
    corners = np.array(mesh.GetFaceVertexIndicesAttr().Get())
    assert (np.array(mesh.GetFaceVertexCountsAttr().Get()) == 3).all()
    assert (corners.reshape(-1, 3) == triangles).all() and corners.min() >= 0 and corners.max() < count
    assert mesh.GetSubdivisionSchemeAttr().Get() == "none" and mesh.GetOrientationAttr().Get() == "rightHanded"


def check_shape(prim, expected, velocities, triangles, stretch):
    shape = UsdGeom.PointBased(prim)
    frames, count, _ = expected.shape
    is_mesh = prim.IsA(UsdGeom.Mesh)
    if is_mesh:
        check_mesh(UsdGeom.Mesh(prim), triangles, count)
    else:
        counts = UsdGeom.BasisCurves(prim).GetCurveVertexCountsAttr().Get()
        assert sum(counts) == count and UsdGeom.BasisCurves(prim).GetTypeAttr().Get() == "linear"
    for place in range(frames):
        points = np.array(shape.GetPointsAttr().Get(place), float)
        assert points.shape == (count, 3)
        error = abs(points - expected[place]).max()
        assert error < 1e-6, (prim.GetPath(), place, error)
        moves = np.array(shape.GetVelocitiesAttr().Get(place), float)
        assert np.allclose(moves, velocities[place] * stretch, atol=1e-5)
        low, high = np.array(shape.GetExtentAttr().Get(place), float)
        around = 0 if is_mesh else UsdGeom.BasisCurves(prim).GetWidthsAttr().Get()[0] / 2
        assert np.allclose([low + around, high - around], [points.min(0), points.max(0)], atol=1e-6)
        if is_mesh:
            check_normals(UsdGeom.Mesh(prim), points, place)
    material = UsdShade.MaterialBindingAPI(prim).ComputeBoundMaterial()[0]
    shader = material.ComputeSurfaceSource()[0]
    assert shader.GetIdAttr().Get() == "UsdPreviewSurface"
    color = UsdGeom.Gprim(prim).GetDisplayColorAttr().Get()[0]
    assert shader.GetInput("diffuseColor").Get() == color


def validate(stage):
    context = UsdValidation.ValidationContext(UsdValidation.ValidationRegistry().GetOrLoadAllValidators())
    found = [error for error in context.Validate(stage) if not error.HasNoError()]
    messages = [f"{error.GetType()} {error.GetName()}: {error.GetMessage()}" for error in found]
    print("\n".join(messages) or "the validators of USD find nothing")
    assert not found


def main(path, expected):
    expected = np.load(expected)
    stage = Usd.Stage.Open(path)
    check_metadata(stage, len(expected["t"]))
    stretch = (expected["t"][1] - expected["t"][0]) * 24
    for name, shown in NAMES.items():
        prim = stage.GetPrimAtPath(f"/World/{name}")
        assert prim.GetDisplayName() == shown, (name, prim.GetDisplayName())
        key = "".join(c if c.isalnum() else "_" for c in shown)
        arrays = [expected[f"{key}/{what}"] for what in ("positions", "velocities", "triangles")]
        check_shape(prim, *arrays, stretch)
    still = UsdGeom.Mesh(stage.GetPrimAtPath("/World/_4_corners"))
    assert still.GetPointsAttr().GetNumTimeSamples() == 0 and not still.GetDoubleSidedAttr().Get()
    assert UsdGeom.Mesh(stage.GetPrimAtPath("/World/T_cher_rot")).GetDoubleSidedAttr().Get()
    assert Sdf.Layer.FindOrOpen(path).ExportToString().startswith("#")
    validate(stage)


if __name__ == "__main__":
    main(*sys.argv[1:])
