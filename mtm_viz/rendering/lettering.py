"""Type for stills and films: the page's own fonts, carried along, and what the machine has for other scripts."""

from __future__ import annotations

from functools import cache, lru_cache
from pathlib import Path

from PIL import ImageFont

FOLDER = Path(__file__).parent / "fonts"
#: Weights of the pictures: files that lie in this package.
FACES = {
    "regular": FOLDER / "MtmSans-Regular.ttf",
    "semibold": FOLDER / "MtmSans-Semibold.ttf",
    "symbol": FOLDER / "MtmSerif-SemiboldItalic.ttf",
}
#: For CSS and PDF: the names inside those files.
FAMILIES = {"regular": "Mtm Sans", "semibold": "Mtm Sans", "symbol": "Mtm Serif"}

#: Marks that join or steer their neighbours and have no shape of their own.
_SHAPELESS = {0x200B, 0x200C, 0x200D, 0x200E, 0x200F, 0x2060, 0xFE0E, 0xFE0F, 0xFEFF}


@cache
def characters(path: Path) -> frozenset[int]:
    """The code points a font file draws."""
    from fontTools.ttLib import TTFont

    with TTFont(path, lazy=True, fontNumber=0) as face:
        return frozenset(face.getBestCmap() or ())


@cache
def _machine_fonts() -> tuple[Path, ...]:
    """Font files found on this machine, those that draw most scripts first; matplotlib carries DejaVu, so never empty."""
    import matplotlib
    from matplotlib import font_manager

    shipped = Path(matplotlib.get_data_path()) / "fonts" / "ttf" / "DejaVuSans.ttf"
    found = sorted(
        Path(name) for name in font_manager.findSystemFonts() if name.lower().endswith((".ttf", ".otf", ".ttc"))
    )
    plain = [path for path in found if not any(word in path.stem for word in ("Bold", "Italic", "Oblique", "Mono"))]
    return (shipped, *sorted(plain, key=lambda path: ("CJK" not in path.stem, "Noto" not in path.stem, path.name)))


@lru_cache(maxsize=4096)
def face_for(text: str, weight: str = "regular") -> Path:
    """The font file that draws `text`: ours, or the machine's that draws most of it."""
    wanted = {ord(c) for c in text} - _SHAPELESS
    own = FACES[weight]
    missing = wanted - characters(own)
    if not missing:
        return own
    best, least = own, len(missing)
    for path in _machine_fonts():
        try:
            lacking = len(wanted - characters(path))
        except (OSError, ValueError, KeyError, AssertionError):  # a damaged font file is as good as none
            continue
        if lacking < least:
            best, least = path, lacking
        if not lacking:
            break
    return best


def undrawable(text: str) -> str:
    """The characters of `text` that no font here draws: they would be empty boxes."""
    lacking = [c for c in dict.fromkeys(text) if not c.isspace() and ord(c) not in _SHAPELESS]
    return "".join(c for c in lacking if ord(c) not in characters(face_for(c)))


@lru_cache(maxsize=512)
def font(path: Path, size: float) -> ImageFont.FreeTypeFont:
    """A font at `size` pixels."""
    return ImageFont.truetype(str(path), max(size, 1.0))


@lru_cache(maxsize=4096)
def width_of(text: str, size: float, weight: str = "regular") -> float:
    """How wide a line of text is, in pixels."""
    return float(font(face_for(text, weight), size).getlength(text))


def fitted(text: str, size: float, room: float, weight: str = "regular") -> str:
    """`text`, cut with an ellipsis where it is wider than `room`."""
    if width_of(text, size, weight) <= room:
        return text
    low, high = 0, len(text)
    while low < high:
        middle = (low + high + 1) // 2
        if width_of(text[:middle].rstrip() + "…", size, weight) <= room:
            low = middle
        else:
            high = middle - 1
    return text[:low].rstrip() + "…" if low else ""


@lru_cache(maxsize=256)
def lines_of(text: str, size: float, room: float, most: int = 3, weight: str = "regular") -> tuple[str, ...]:
    """`text` broken into at most `most` lines no wider than `room`."""
    lines: list[str] = []
    for word in text.split():
        if lines and width_of(f"{lines[-1]} {word}", size, weight) <= room:
            lines[-1] += f" {word}"
        else:
            lines.append(word)
    if len(lines) > most:
        lines[most - 1] = " ".join(lines[most - 1 :])
    return tuple(fitted(line, size, room, weight) for line in lines[:most])
