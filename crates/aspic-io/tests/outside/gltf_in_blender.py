"""Reads a glTF file with Blender: points at every frame and half way between, volume outward, colours, lines.

gltf_in_blender.py FILE FOLDER-OF-EXPECTED
"""

import sys

import bpy
import numpy as np
from blender import at_frames, empty_scene, floats, triangles, vertices
from expected import Expected, check, volume, worst

file, folder = sys.argv[1:]
expected = Expected(folder)
empty_scene(expected.rate)
bpy.ops.import_scene.gltf(filepath=file, merge_vertices=False)
found = {thing.name: thing for thing in bpy.data.objects if thing.type == "MESH"}
metres = expected.with_z_up * expected.cast["meters_per_unit"]


def check_actor(actor, wanted, thing):
    steps, faces = 0.0, np.array(actor["triangles"])
    assert (thing.data.shape_keys is None) == bool((wanted == wanted[0]).all()), actor["name"]
    order = None
    for frame, graph in at_frames(expected.frames):
        mesh = thing.evaluated_get(graph)
        got = vertices(mesh)
        if order is None:
            # Each primitive brings its own copy of the points.
            order = np.linalg.norm(got[:, None] - wanted[0][None], axis=2).argmin(axis=1)
            assert set(order) >= set(np.array(actor["triangles"] + [e + e[:1] for e in actor["edges"]]).ravel())
        steps = max(steps, worst(got, wanted[frame][order]))
        if len(faces):
            corners = triangles(mesh.data)
            here, meant = volume(got, corners), volume(wanted[frame], faces)
            assert abs(here - meant) < 1e-5 * max(1.0, abs(meant)), (here, meant)
            normals = floats(mesh.data.corner_normals, "vector", 3)
            flat = np.cross(got[corners[:, 1]] - got[corners[:, 0]], got[corners[:, 2]] - got[corners[:, 0]])
            along = normals.reshape(-1, 3, 3) @ np.array(mesh.matrix_world)[:3, :3].T
            assert (np.einsum("ikj,ij->i", along, flat) > 0).mean() > 0.99, actor["name"]
    check(f"{actor['name']!r}", steps, 8.0)
    edges = {tuple(sorted(order[[*edge.vertices]])) for edge in thing.data.edges}
    assert edges >= {tuple(sorted(edge)) for edge in actor["edges"]}


def check_between(actor, wanted, thing):
    """Half way between two frames every point is half way."""
    bpy.context.scene.frame_set(11, subframe=0.5)
    got = vertices(thing.evaluated_get(bpy.context.evaluated_depsgraph_get()))
    half = (wanted[11] + wanted[12]) / 2
    if len(got) == len(half):
        check(f"{actor['name']!r} between frames", worst(got, half), 16.0)


def check_material(actor, thing):
    material = thing.data.materials[0]
    shader = next(node for node in material.node_tree.nodes if node.type == "BSDF_PRINCIPLED")
    srgb = np.array(actor["color"]) / 255.0
    linear = np.where(srgb <= 0.04045, srgb / 12.92, ((srgb + 0.055) / 1.055) ** 2.4)
    assert np.abs(np.array(shader.inputs["Base Color"].default_value)[:3] - linear).max() < 1e-5
    assert material.use_backface_culling != (actor["name"] == "cloth")


for actor, wanted in expected.actors(metres):
    thing = found.pop(actor["name"])
    check_actor(actor, wanted, thing)
    check_between(actor, wanted, thing)
    if actor["triangles"]:
        check_material(actor, thing)
assert not found, found
