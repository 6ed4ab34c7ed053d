"""Renders some frames with POV-Ray and looks whether the bodies are seen: judge_povray.py FOLDER [FRAME...]

FOLDER holds NAME.ini and what belongs to it. Pictures go beside it. Every colour must cover some of the picture, the block
stands on the right and the cloth hangs on the left, and nothing but floor and sky may touch the border.
"""

import pathlib
import subprocess
import sys

import numpy as np
from PIL import Image


def render(folder, frame):
    name = folder.name
    picture = folder.parent / f"picture_{frame}_.png"
    size = ["+W320", "+H240", f"+SF{frame}", f"+EF{frame}", "-D", f"+O{picture.resolve()}"]
    done = subprocess.run(["povray", f"{name}.ini", *size], cwd=folder, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr[-2000:]
    # POV-Ray puts the number of the frame behind the name.
    written = next(picture.parent.glob(f"picture_{frame}_*.png"))
    return np.array(Image.open(written).convert("RGB"), float)


def like(picture, color):
    """Where the picture has the hue of a colour, whatever the light."""
    color = np.array(color, float)
    light = picture.sum(2, keepdims=True) + 1
    return abs(picture / light - color / color.sum()).max(2) < 0.06


def main(folder, *frames):
    for frame in frames or ["0", "12", "23"]:
        picture = render(pathlib.Path(folder), frame)
        ball, cloth, rope = (like(picture, c) for c in [(240, 113, 90), (42, 169, 160), (242, 178, 62)])
        for name, seen in [("ball", ball), ("cloth", cloth), ("rope", rope)]:
            share = seen.mean()
            assert share > 0.001, (name, share)
            border = np.concatenate([seen[0], seen[-1], seen[:, 0], seen[:, -1]])
            assert not border.any(), name
        middle = [np.nonzero(seen)[1].mean() for seen in (cloth, ball, rope)]
        assert middle == sorted(middle), middle
        print(f"frame {frame}: cloth, ball, rope at columns {np.round(middle)}")


if __name__ == "__main__":
    main(*sys.argv[1:])
