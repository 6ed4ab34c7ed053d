"""What Blender makes of a file: objects, and where their points are at each frame."""

import bpy
import numpy as np


def empty_scene(rate):
    bpy.ops.wm.read_factory_settings(use_empty=True)
    bpy.context.scene.render.fps = round(rate)
    assert bpy.context.scene.render.fps == rate


def at_frames(frames):
    """Evaluates the scene at each frame."""
    for frame in range(frames):
        bpy.context.scene.frame_set(frame)
        yield frame, bpy.context.evaluated_depsgraph_get()


def in_world(local, of):
    matrix = np.array(of.matrix_world)
    return local @ matrix[:3, :3].T + matrix[:3, 3]


def floats(collection, name, width):
    array = np.empty(len(collection) * width, dtype=np.float32)
    collection.foreach_get(name, array)
    return array.reshape(-1, width).astype(float)


def vertices(evaluated):
    return in_world(floats(evaluated.data.vertices, "co", 3), evaluated)


def triangles(mesh):
    assert all(len(face.vertices) == 3 for face in mesh.polygons)
    return np.array([face.vertices[:] for face in mesh.polygons])
