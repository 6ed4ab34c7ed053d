"""Files of other programs are read, and ours are read by them: the same positions and cells.

    python meshes.py PROGRAM [FOLDER]     PROGRAM understands `mesh convert IN OUT`

Needs meshio, numpy, vtk, usd-core and trimesh.
"""
import base64, json, struct, subprocess, sys, tempfile
from pathlib import Path

import meshio
import numpy as np
import trimesh
import vtk
from pxr import Gf, Usd, UsdGeom, UsdUtils, Vt
from vtk.util.numpy_support import numpy_to_vtk, vtk_to_numpy

program = sys.argv[1]
folder = Path(sys.argv[2] if len(sys.argv) > 2 else tempfile.mkdtemp())
folder.mkdir(exist_ok=True)
rng = np.random.default_rng(1)

# Four tetrahedra around an edge, with rough coordinates that floats hold exactly.
points = np.array([[0, 0, 0], [0, 0, 1], [1, 0, .5], [0, 1, .5], [-1, 0, .5], [0, -1, .5]])
points = (points + .1 * rng.random(points.shape)).astype(np.float32).astype(float)
tets = np.array([[0, 1, 2, 3], [0, 1, 3, 4], [0, 1, 4, 5], [0, 1, 5, 2]])
edge = lambda t: points[t[1:]] - points[t[0]]
tets = np.array([t if np.linalg.det(edge(t)) > 0 else t[[0, 1, 3, 2]] for t in tets])
faces = np.array([t[list(f)] for t in tets for f in ((0, 2, 1), (0, 1, 3), (0, 3, 2), (1, 2, 3))])
keys = [tuple(sorted(f)) for f in faces]
faces = np.array([f for f, k in zip(faces, keys) if keys.count(k) == 1])


def convert(source, target):
    done = subprocess.run([program, "mesh", "convert", source, target], capture_output=True, text=True)
    assert done.returncode == 0, f"{source.name}: {done.stderr}"


def corners(x, cells):
    """Cells by the places of their corners, each from its lowest corner on, in order: numbering does not matter."""
    turned = [tuple(map(tuple, np.roll(c, -min(range(len(c)), key=lambda i: tuple(c[i])), 0))) for c in np.asarray(x)[cells].astype(float)]
    return sorted(turned if len(cells[0]) == 3 else [tuple(sorted(c)) for c in turned])


def same(a, b, tolerance=0.0, name=""):
    assert len(a) == len(b), f"{name}: {len(a)} cells where {len(b)} are expected"
    far = np.abs(np.array(a) - np.array(b)).max()
    assert far <= tolerance, f"{name}: {far}"


def check_tets(source):
    """What PROGRAM reads, seen by meshio through a .vtu file."""
    convert(source, folder / "seen.vtu")
    seen = meshio.read(folder / "seen.vtu")
    # VTK and meshio write these with ten decimals.
    in_short = source.name.startswith("vAscii") or source.name in ("a.vtu", "w421.vtk", "w511.vtk")
    same(corners(seen.points, seen.cells_dict["tetra"]), corners(points, tets), 5e-11 if in_short else 0.0, source.name)


def check_surface(source, expected=None, tolerance=0.0):
    """What PROGRAM reads, seen through a .obj file."""
    convert(source, folder / "seen.obj")
    lines = [line.split() for line in open(folder / "seen.obj")]
    x = np.array([[float(w) for w in l[1:]] for l in lines if l[0] == "v"])
    t = np.array([[int(w) - 1 for w in l[1:]] for l in lines if l[0] == "f"])
    same(corners(x, t), expected or corners(points, faces), tolerance, source.name)


solid = meshio.Mesh(points, [("tetra", tets), ("triangle", faces)])
skin = meshio.Mesh(points, [("triangle", faces)])
grid = vtk.vtkUnstructuredGrid()
grid.SetPoints(vtk.vtkPoints())
grid.GetPoints().SetData(numpy_to_vtk(points, deep=True))
for t in tets:
    grid.InsertNextCell(vtk.VTK_TETRA, 4, list(t))


def written_by_meshio():
    for name, format, options in [
        ("a.mesh", "medit", {}), ("2a.msh", "gmsh22", dict(binary=False)), ("2b.msh", "gmsh22", dict(binary=True)),
        ("41a.msh", "gmsh", dict(binary=False)), ("41b.msh", "gmsh", dict(binary=True)), ("t.node", "tetgen", {}),
        ("42a.vtk", "vtk42", dict(binary=False)), ("42b.vtk", "vtk42", dict(binary=True)),
        ("51a.vtk", "vtk51", dict(binary=False)), ("51b.vtk", "vtk51", dict(binary=True)),
        ("a.vtu", "vtu", dict(binary=False)), ("b.vtu", "vtu", dict(compression=None)),
        ("z.vtu", "vtu", dict(compression="zlib")), ("l.vtu", "vtu", dict(compression="lzma")),
    ]:
        mesh = meshio.Mesh(points, [("tetra", tets)]) if format in ("tetgen", "gmsh") else solid
        mesh.write(folder / name, file_format=format, **options)
        yield folder / name


def written_by_vtk():
    writer = vtk.vtkXMLUnstructuredGridWriter()
    writer.SetInputData(grid)
    for mode in "Ascii", "Binary", "Appended":
        for compressor in "None", "ZLib", "LZ4", "LZMA":
            for encode in (True, False) if mode == "Appended" else (True,):
                for order in "Little", "Big":
                    name = folder / f"v{mode}{compressor}{encode}{order}.vtu"
                    getattr(writer, f"SetDataModeTo{mode}")()
                    getattr(writer, f"SetCompressorTypeTo{compressor}")()
                    getattr(writer, f"SetByteOrderTo{order}Endian")()
                    writer.SetEncodeAppendedData(encode)
                    writer.SetFileName(str(name))
                    writer.Write()
                    yield name
    for writer in vtk.vtkUnstructuredGridWriter(),:
        for version in 42, 51:
            for kind in 1, 2:
                name = folder / f"w{version}{kind}.vtk"
                writer.SetInputData(grid)
                writer.SetFileVersion(version)
                writer.SetFileType(kind)
                writer.SetFileName(str(name))
                writer.Write()
                yield name


def written_by_gmsh():
    try:
        import gmsh
    except (ImportError, OSError):
        print("gmsh cannot be started here: its own files are left out")
        return []
    gmsh.initialize()
    gmsh.option.setNumber("General.Terminal", 0)
    gmsh.model.occ.addBox(0, 0, 0, 1, 2, 3)
    gmsh.model.occ.synchronize()
    gmsh.model.addPhysicalGroup(2, [1], 7, "floor")
    gmsh.model.addPhysicalGroup(3, [1], 8, "all")
    gmsh.model.mesh.generate(3)
    names = []
    for version, binaries in (2.2, (0, 1)), (4.0, (0,)), (4.1, (0, 1)):
        for binary in binaries:
            gmsh.option.setNumber("Mesh.MshFileVersion", version)
            gmsh.option.setNumber("Mesh.Binary", binary)
            name = folder / f"g{version}{binary}.msh"
            gmsh.write(str(name))
            names.append(name)
    gmsh.finalize()
    return names


def seen_by_gmsh(name):
    """Positions, tetrahedra, and how many vertices each named group has."""
    import gmsh
    gmsh.initialize()
    gmsh.option.setNumber("General.Terminal", 0)
    gmsh.open(str(name))
    tags, x, _ = gmsh.model.mesh.getNodes()
    number = {tag: place for place, tag in enumerate(tags)}
    cells = np.array([number[v] for v in gmsh.model.mesh.getElementsByType(4)[1]]).reshape(-1, 4)
    names = {gmsh.model.getPhysicalName(*g): len(gmsh.model.mesh.getNodesForPhysicalGroup(*g)[0]) for g in gmsh.model.getPhysicalGroups()}
    gmsh.finalize()
    return x.reshape(-1, 3), cells, names


def write_usd(name, up="Z", unit=1.0, left_handed=False, moved=False):
    stage = Usd.Stage.CreateNew(str(name)) if name.suffix != ".usdz" else Usd.Stage.CreateNew(str(name.with_suffix(".usdc")))
    UsdGeom.SetStageUpAxis(stage, up)
    UsdGeom.SetStageMetersPerUnit(stage, unit)
    mesh = UsdGeom.Mesh.Define(stage, "/world/mesh")
    if moved:
        world = UsdGeom.Xform.Define(stage, "/world")
        world.AddTranslateOp().Set(Gf.Vec3d(1, 2, 3))
        world.AddRotateXYZOp().Set(Gf.Vec3f(10, 20, 30))
        world.AddScaleOp().Set(Gf.Vec3f(1, 2, -1))
        mesh.AddOrientOp().Set(Gf.Quatf(.5, .5, -.5, .5))
        mesh.AddTransformOp().Set(Gf.Matrix4d(1, 2, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 5, 6, 7, 1))
        mesh.AddTranslateOp(opSuffix="pivot").Set(Gf.Vec3d(.25, 0, 0))
        mesh.AddTranslateOp(opSuffix="pivot", isInverseOp=True)
    mesh.CreatePointsAttr(Vt.Vec3fArray.FromNumpy(points.astype(np.float32)))
    # Many faces, so that the numbers are packed.
    mesh.CreateFaceVertexCountsAttr([3] * len(faces))
    mesh.CreateFaceVertexIndicesAttr([int(v) for f in (faces[:, ::-1] if left_handed else faces) for v in f])
    if left_handed:
        mesh.CreateOrientationAttr("leftHanded")
    place = np.array(UsdGeom.XformCache().GetLocalToWorldTransform(mesh.GetPrim()))
    stage.Save()
    if name.suffix == ".usdz":
        assert UsdUtils.CreateNewUsdzPackage(str(name.with_suffix(".usdc")), str(name))
    x = unit * (np.c_[points, np.ones(len(points))] @ place)[:, :3]
    return corners(x if up == "Z" else np.c_[x[:, 0], -x[:, 2], x[:, 1]], faces[:, ::-1] if moved else faces)


def write_gltf(name):
    """A node above a node, one with a matrix and one with parts; the buffer in the file, beside it or as text."""
    data = points.astype("<f4").tobytes() + faces.astype("<u2").tobytes()
    matrix = np.array([[0, 0, 1, 0], [1, 0, 0, 0], [0, 1, 0, 0], [1, 2, 3, 1]])
    views = [dict(buffer=0, byteLength=12 * len(points)), dict(buffer=0, byteOffset=12 * len(points), byteLength=6 * len(faces))]
    accessors = [dict(bufferView=0, componentType=5126, count=len(points), type="VEC3"),
                 dict(bufferView=1, componentType=5123, count=3 * len(faces), type="SCALAR")]
    nodes = [dict(children=[1], translation=[1, 0, 0], rotation=[0, 0, .6, .8], scale=[2, 2, 2]), dict(mesh=0, matrix=matrix.ravel().tolist())]
    buffer = dict(byteLength=len(data))
    if name.stem == "text":
        buffer["uri"] = "data:application/octet-stream;base64," + base64.b64encode(data).decode()
    if name.stem == "beside":
        buffer["uri"] = "a%20buffer.bin"
        (folder / "a buffer.bin").write_bytes(data)
    document = json.dumps(dict(asset=dict(version="2.0"), scenes=[dict(nodes=[0])], nodes=nodes, buffers=[buffer], bufferViews=views,
        accessors=accessors, meshes=[dict(primitives=[dict(attributes=dict(POSITION=0), indices=1)])])).encode()
    if name.suffix == ".glb":
        document += b" " * (-len(document) % 4)
        chunk = lambda kind, b: struct.pack("<I4s", len(b), kind) + b + bytes(-len(b) % 4)
        body = chunk(b"JSON", document) + chunk(b"BIN\0", data + bytes(-len(data) % 4))
        document = struct.pack("<4sII", b"glTF", 2, 12 + len(body)) + body
    name.write_bytes(document)
    turn = np.array([[.28, .96, 0], [-.96, .28, 0], [0, 0, 1]])
    x = 2 * ((points @ matrix[:3, :3] + matrix[3, :3]) @ turn) + [1, 0, 0]
    return corners(np.c_[x[:, 0], -x[:, 2], x[:, 1]], faces)


count = 0
for source in [*written_by_meshio(), *written_by_vtk()]:
    check_tets(source)
    count += 1
for source in written_by_gmsh():
    convert(source, folder / "seen.msh")
    (x, t, names), (y, u, expected) = seen_by_gmsh(folder / "seen.msh"), seen_by_gmsh(source)
    same(corners(x, t), corners(y, u), 0.0, source.name)
    assert names == expected and set(names) == {"floor", "all"}, f"{source.name}: {names}, not {expected}"
    count += 1
for name, format, options in [("a.stl", "stl", dict(binary=False)), ("b.stl", "stl", dict(binary=True)), ("a.ply", "ply", dict(binary=False)),
                              ("b.ply", "ply", dict(binary=True)), ("a.off", "off", {}), ("a.obj", "obj", {}), ("s.vtk", "vtk", {}), ("s.vtu", "vtu", {})]:
    skin.write(folder / name, file_format=format, **options)
    check_surface(folder / name)
    count += 1
for name in "t.glb", "t.ply", "t.off":
    trimesh.Trimesh(points, faces, process=False).export(folder / name)
    check_surface(folder / name, corners(np.c_[points[:, 0], -points[:, 2], points[:, 1]], faces) if ".glb" in name else None, 5e-11 if ".off" in name else 0.0)
    count += 1
for name in "text.gltf", "beside.gltf", "own.glb":
    check_surface(folder / name, write_gltf(folder / name), 1e-14)
    count += 1
for suffix in ".usda", ".usdc", ".usdz":
    for number, options in enumerate([{}, dict(up="Y", unit=.01), dict(left_handed=True), dict(moved=True)]):
        # Text holds the shortest digits of floats.
        far = 2e-6 if suffix == ".usda" else 1e-13 if number else 0.0
        check_surface(folder / f"u{number}{suffix}", write_usd(folder / f"u{number}{suffix}", **options), far)
        count += 1

# The other way: what PROGRAM writes.
solid.write(folder / "ours.vtu")
for name in "o.mesh", "o.msh", "o.vtu", "o.vtk", "o.node":
    convert(folder / "ours.vtu", folder / name)
    seen = meshio.read(folder / name)
    same(corners(seen.points, seen.cells_dict["tetra"]), corners(points, tets))
    count += 1
skin.write(folder / "ours.ply")
for name in "o.obj", "o.stl", "o.ply", "o.off", "o.glb":
    convert(folder / "ours.ply", folder / name)
    seen = trimesh.load(folder / name, force="mesh", process=False)
    x = np.c_[points[:, 0], points[:, 2], -points[:, 1]] if ".glb" in name else points
    same(corners(seen.vertices, seen.faces), corners(x, faces))
    count += 1
convert(folder / "ours.ply", folder / "o.usda")
stage = Usd.Stage.Open(str(folder / "o.usda"))
mesh = UsdGeom.Mesh(stage.GetPrimAtPath("/surface"))
same(corners(np.array(mesh.GetPointsAttr().Get()), np.array(mesh.GetFaceVertexIndicesAttr().Get()).reshape(-1, 3)), corners(points, faces))
print(f"{count + 1} files agree")
