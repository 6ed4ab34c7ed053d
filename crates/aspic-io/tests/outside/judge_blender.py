"""Imports a stage and the sequences into Blender and compares positions: judge_blender.py FOLDER EXPECTED.npz

Stages are played: the positions of every frame are those of the evaluated objects. Of the sequences each third file is
imported.
"""

import pathlib
import sys

import bpy
import numpy as np

NAMES = {"wobbling_ball": "wobbling_ball", "T_cher_rot": "Tücher_rot", "Seil_3": "Seil_3", "_4_corners": "4_corners"}
SHOWN = {"wobbling ball": "wobbling_ball", "Tücher/rot": "Tücher_rot", "Seil 3": "Seil_3", "4 corners": "4_corners"}
SEQUENCE = ["wobbling_ball", "Tücher_rot", "Seil_3", "4_corners"]


def in_world(found, vertices):
    points = np.empty(3 * len(vertices))
    vertices.foreach_get("co", points)
    matrix = np.array(found.matrix_world)
    return points.reshape(-1, 3) @ matrix[:3, :3].T + matrix[:3, 3]


def curve_points(found):
    data = found.data
    points = np.empty(3 * len(data.points))
    data.points.foreach_get("position", points)
    matrix = np.array(found.matrix_world)
    return points.reshape(-1, 3) @ matrix[:3, :3].T + matrix[:3, 3]


def check_stage(path, expected):
    bpy.ops.wm.read_factory_settings(use_empty=True)
    assert "FINISHED" in bpy.ops.wm.usd_import(filepath=str(path), import_materials=True)
    scene = bpy.context.scene
    assert (scene.frame_start, scene.frame_end, scene.render.fps) == (0, len(expected["t"]) - 1, 24)
    worst = 0
    for place in range(len(expected["t"])):
        scene.frame_set(place)
        graph = bpy.context.evaluated_depsgraph_get()
        for name, key in NAMES.items():
            found = bpy.data.objects[name].evaluated_get(graph)
            points = in_world(found, found.data.vertices) if found.type == "MESH" else curve_points(found)
            positions = expected[f"{key}/positions"][place]
            assert points.shape == positions.shape, (name, points.shape)
            worst = max(worst, abs(points - positions).max())
    assert worst < 1e-5, worst
    # Blender gives no material to curves.
    meshes = [found for found in bpy.data.objects if found.type == "MESH"]
    colors = [found.active_material for found in meshes]
    assert all(colors) and len({material.name for material in colors}) == len(NAMES) - 1
    print(path.name, "agrees in every frame to", worst)


def check_obj(path, expected, place):
    bpy.ops.wm.read_factory_settings(use_empty=True)
    bpy.ops.wm.obj_import(filepath=str(path), forward_axis="Y", up_axis="Z")
    for name, key in SHOWN.items():
        found = bpy.data.objects[name]
        points = in_world(found, found.data.vertices)
        assert abs(points - expected[f"{key}/positions"][place]).max() < 1e-6, name
        assert len(found.data.polygons) == len(expected[f"{key}/triangles"])
        assert found.data.edges if len(found.data.polygons) else len(found.data.edges) == 15
        assert found.active_material or not len(found.data.polygons), name


def check_ply(path, expected, place):
    bpy.ops.wm.read_factory_settings(use_empty=True)
    bpy.ops.wm.ply_import(filepath=str(path), forward_axis="Y", up_axis="Z", merge_verts=False)
    (found,) = bpy.data.objects
    points = in_world(found, found.data.vertices)
    positions = np.concatenate([expected[f"{key}/positions"][place] for key in SEQUENCE])
    assert points.shape == positions.shape and abs(points - positions).max() < 1e-6
    assert len(found.data.polygons) == sum(len(expected[f"{key}/triangles"]) for key in SEQUENCE)
    assert found.data.color_attributes


def main(folder, expected):
    folder, expected = pathlib.Path(folder), np.load(expected)
    for ending in ["usda", "usdc", "usdz"]:
        check_stage(folder / f"made_up.{ending}", expected)
    for kind, check in [("obj", check_obj), ("ply", check_ply)]:
        for place in range(0, len(expected["t"]), 3):
            check(folder / kind / f"{kind}.{place:06}.{kind}", expected, place)
        print(kind, "agrees")


if __name__ == "__main__":
    main(*sys.argv[1:])
