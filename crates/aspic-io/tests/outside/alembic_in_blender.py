"""Reads an Alembic file with Blender: points at every frame, normals and volume outward, colours, strands.

alembic_in_blender.py FILE FOLDER-OF-EXPECTED
"""

import sys

import bpy
import numpy as np
from blender import at_frames, empty_scene, floats, in_world, triangles, vertices
from expected import Expected, check, volume, worst

file, folder = sys.argv[1:]
expected = Expected(folder)
empty_scene(expected.rate)
bpy.ops.wm.alembic_import(filepath=file, as_background_job=False)
found = {thing.data.name: thing for thing in bpy.data.objects if thing.data}
scene = bpy.context.scene
assert (scene.frame_start, scene.frame_end) == (0, expected.frames - 1), (scene.frame_start, scene.frame_end)


def strand_points(evaluated):
    return in_world(floats(evaluated.data.points, "position", 3), evaluated)


def check_mesh(actor, wanted, thing):
    steps, faces = 0.0, np.array(actor["triangles"])
    for frame, graph in at_frames(expected.frames):
        mesh = thing.evaluated_get(graph)
        steps = max(steps, worst(vertices(mesh), wanted[frame]))
        assert {tuple(np.sort(t)) for t in triangles(mesh.data)} == {tuple(np.sort(t)) for t in faces}
        normals = floats(mesh.data.corner_normals, "vector", 3) @ np.array(mesh.matrix_world)[:3, :3].T
        corners = np.array([loop.vertex_index for loop in mesh.data.loops])
        smooth = point_normals(wanted[frame], faces)[corners]
        assert np.einsum("ij,ij->i", normals, smooth).min() > 0.9999, (actor["name"], frame)
        got, meant = volume(vertices(mesh), triangles(mesh.data)), volume(wanted[frame], faces)
        assert abs(got - meant) < 1e-5 * max(1.0, abs(meant)), (got, meant)
        if is_closed(faces):
            assert got > 0.1, got
    check(f"mesh {actor['name']!r}", steps, 4.0)
    check_color(actor, thing.evaluated_get(graph).data)


def check_color(actor, mesh):
    color = floats(mesh.attributes["Cd"].data, "color", 4)[:, :3]
    srgb = np.array(actor["color"]) / 255.0
    linear = np.where(srgb <= 0.04045, srgb / 12.92, ((srgb + 0.055) / 1.055) ** 2.4)
    assert np.abs(color - linear).max() < 0.005, (color[0], linear)


def point_normals(points, faces):
    """Area-weighted sum of the triangles around each point."""
    a, b, c = (points[faces[:, corner]] for corner in range(3))
    normals = np.zeros_like(points)
    for corner in range(3):
        np.add.at(normals, faces[:, corner], np.cross(b - a, c - a))
    return normals / np.maximum(np.linalg.norm(normals, axis=1, keepdims=True), 1e-300)


def is_closed(faces):
    edges = np.sort(np.concatenate([faces[:, [0, 1]], faces[:, [1, 2]], faces[:, [2, 0]]]), axis=1)
    return (np.unique(edges, axis=0, return_counts=True)[1] == 2).all()


def check_strands(actor, wanted, thing):
    """Which point is which is told by the first frame; each pair of neighbours must be an edge, each edge once."""
    scene.frame_set(0)
    first = strand_points(thing.evaluated_get(bpy.context.evaluated_depsgraph_get()))
    order = np.linalg.norm(first[:, None] - wanted[0][None], axis=2).argmin(axis=1)
    data, steps = thing.data, 0.0
    pairs = [(order[i], order[i + 1]) for c in data.curves for i in c.points[0].index + np.arange(c.points_length - 1)]
    assert sorted(map(sorted, pairs)) == sorted(map(sorted, actor["edges"]))
    for frame, graph in at_frames(expected.frames):
        steps = max(steps, worst(strand_points(thing.evaluated_get(graph)), wanted[frame][order]))
    radii = floats(data.attributes["radius"].data, "value", 1)
    assert np.abs(radii - actor["radius"]).max() < 1e-6, radii
    check(f"strands {actor['name']!r}", steps, 4.0)


for actor, wanted in expected.actors(expected.with_z_up):
    if actor["triangles"]:
        check_mesh(actor, wanted, found.pop(actor["safe"] + "Shape"))
    if actor["edges"]:
        check_strands(actor, wanted, found.pop(actor["safe"] + "Strands"))
assert not found, found
