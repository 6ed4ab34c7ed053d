"""Imports an exported run of one body into Blender and compares it with exported arrays: judge_recipe.py FILE ARRAYS.npz BODY"""

import sys

import bpy
import numpy as np
from blender import at_frames, empty_scene, vertices

file, arrays, body = sys.argv[1:]
expected = np.load(arrays)[f"{body}/positions"]
empty_scene(30)
if file.endswith(".abc"):
    bpy.ops.wm.alembic_import(filepath=file, as_background_job=False)
else:
    bpy.ops.wm.usd_import(filepath=file)
(thing,) = [found for found in bpy.data.objects if found.type == "MESH"]
moved = np.abs(expected[-1] - expected[0]).max()
assert moved > 1e-3, "nothing falls"
for frame, graph in at_frames(len(expected)):
    far = np.abs(vertices(thing.evaluated_get(graph)) - expected[frame]).max()
    assert far < 1e-6, f"frame {frame}: {far} m"
print(f"{body}: {expected.shape[1]} points agree in {len(expected)} frames")
