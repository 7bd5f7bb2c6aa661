"""Pictures to a film by ffmpeg, which imageio-ffmpeg carries along: raw frames go in by a pipe, a file comes out."""

from __future__ import annotations

import subprocess
import tempfile
from collections.abc import Iterable, Sequence
from pathlib import Path
from shutil import copyfileobj
from typing import BinaryIO

from PIL import Image

from mtm_viz.errors import InputError


def encode(
    pictures: Iterable[Image.Image],
    size: tuple[int, int],
    fps: float,
    arguments: Sequence[str],
    suffix: str,
    stream: BinaryIO,
    inputs: dict[str, bytes] | None = None,
) -> None:
    """Write the film of `pictures`, all RGB or all RGBA, to `stream`.

    arguments: ffmpeg's, between input and output; inputs: further input files, by name, their content.
    Nothing reaches `stream` before the film is whole. Raises InputError where ffmpeg breaks off, a full disk most of all.
    """
    import imageio_ffmpeg

    with tempfile.TemporaryDirectory(prefix="mtm-film-") as name:
        folder = Path(name)
        more: list[str] = []
        for file, content in (inputs or {}).items():
            (folder / file).write_bytes(content)
            more += ["-i", str(folder / file)]
        out = folder / f"film{suffix}"
        frames = iter(pictures)
        first = next(frames)
        layout = "rgba" if first.mode == "RGBA" else "rgb24"
        command = [
            imageio_ffmpeg.get_ffmpeg_exe(), "-hide_banner", "-loglevel", "error", "-y",
            "-f", "rawvideo", "-pix_fmt", layout, "-s", f"{size[0]}x{size[1]}", "-r", f"{fps:.6f}", "-i", "-",
            *more, *arguments, str(out),
        ]  # fmt: skip
        with (folder / "said").open("w+b") as said:
            # A session of its own: an interrupt reaches us, and we end it.
            process = subprocess.Popen(command, stdin=subprocess.PIPE, stderr=said, start_new_session=True)  # noqa: S603
            try:
                _feed(process, first, frames)
            finally:
                if process.poll() is None:
                    process.kill()
                _close(process)
                process.wait()
            if process.returncode != 0:
                said.seek(0)
                raise InputError(_reason(said.read().decode(errors="replace"), process.returncode))
        with out.open("rb") as made:
            copyfileobj(made, stream, 1 << 20)


def _feed(process: subprocess.Popen[bytes], first: Image.Image, rest: Iterable[Image.Image]) -> None:
    assert process.stdin is not None
    try:
        process.stdin.write(first.tobytes())
        for picture in rest:
            process.stdin.write(picture.tobytes())
        process.stdin.close()
    except BrokenPipeError:
        pass  # ffmpeg has ended; why, its exit code and words tell
    process.wait()


def _close(process: subprocess.Popen[bytes]) -> None:
    try:
        if process.stdin is not None:
            process.stdin.close()
    except OSError:
        pass  # what was still to be written to a process that has ended


def _reason(said: str, code: int) -> str:
    if "No space left" in said or "File too large" in said or code in (-25, -7):
        return (
            "the film could not be written for lack of space: free some on the disk of temporary files, or ask for less"
        )
    last = said.strip().splitlines()[-1] if said.strip() else f"exit code {code}"
    return f"ffmpeg could not make the film ({last}): ask for another size or format"


# --- the arguments of each format ---------------------------------------------------------------------------------

#: Colours as high-definition television has them, said in the file, so that every player shows the same.
_BT709 = ["-colorspace", "bt709", "-color_primaries", "bt709", "-color_trc", "bt709"]
H264 = [
    "-vf", "scale=out_color_matrix=bt709:out_range=tv", "-c:v", "libx264", "-preset", "veryfast", "-crf", "17",
    "-pix_fmt", "yuv420p", *_BT709, "-movflags", "+faststart", "-an",
]  # fmt: skip


def vp9(transparent: bool) -> list[str]:
    """VP9, with an alpha channel where asked."""
    colors = "yuva420p" if transparent else "yuv420p"
    return [
        "-vf", "scale=out_color_matrix=bt709:out_range=tv", "-c:v", "libvpx-vp9", "-deadline", "realtime", "-cpu-used", "7",
        "-row-mt", "1", "-crf", "24", "-b:v", "0", "-pix_fmt", colors, *_BT709, "-auto-alt-ref", "0", "-an",
    ]  # fmt: skip


def gif(dither: str, loops: bool) -> list[str]:
    """GIF with the palette of the second input."""
    how = {"none": "none", "bayer": "bayer:bayer_scale=4", "floyd": "floyd_steinberg"}[dither]
    use = f"[0:v][1:v]paletteuse=dither={how}:diff_mode=rectangle:alpha_threshold=128"
    return ["-lavfi", use, "-loop", "0" if loops else "-1", "-gifflags", "+transdiff+offsetting"]
