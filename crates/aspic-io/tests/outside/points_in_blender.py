"""Plays point caches on their OBJ files with Blender's Mesh Cache modifier: points at every frame.

points_in_blender.py FOLDER-OF-CACHES pc2|mdd FOLDER-OF-EXPECTED
"""

import pathlib
import sys

import bpy
import numpy as np
from blender import at_frames, empty_scene, triangles, vertices
from expected import Expected, check, worst

caches, kind, folder = sys.argv[1:]
expected = Expected(folder)
empty_scene(expected.rate)

for actor, wanted in expected.actors(expected.handed_over):
    rest, cache = (pathlib.Path(caches, f"{actor['safe']}.{ending}") for ending in ("rest.obj", kind))
    bpy.ops.wm.obj_import(filepath=str(rest), forward_axis="Y", up_axis="Z")
    thing = bpy.context.selected_objects[0]
    assert worst(vertices(thing), wanted[0]) < 1.5
    if actor["triangles"]:
        assert (triangles(thing.data) == np.array(actor["triangles"])).all()
    edges = {tuple(sorted(edge.vertices)) for edge in thing.data.edges}
    assert edges >= {tuple(sorted(edge)) for edge in actor["edges"]}
    played = thing.modifiers.new("cache", "MESH_CACHE")
    played.cache_format, played.filepath = kind.upper(), str(cache)
    played.forward_axis, played.up_axis = "POS_Y", "POS_Z"
    played.frame_start = 0
    steps = [worst(vertices(thing.evaluated_get(graph)), wanted[frame]) for frame, graph in at_frames(expected.frames)]
    check(f"{kind} {actor['name']!r}", max(steps), 1.5)
