"""The PDF format itself: numbered objects, compressed streams, embedded TrueType fonts, the table at the end."""

from __future__ import annotations

import io
import zlib
from pathlib import Path
from typing import Any

from fontTools.ttLib import TTFont

from mtm_viz.export._fonts import subset


class PdfFile:
    """Objects in the order in which they are added, numbered from 1."""

    def __init__(self) -> None:
        self.objects: list[bytes] = []

    def add(self, content: str | bytes) -> int:
        """The number of a new object."""
        self.objects.append(content.encode() if isinstance(content, str) else content)
        return len(self.objects)

    def stream(self, head: str, data: bytes) -> int:
        packed = zlib.compress(data, 9)
        return self.add(
            f"<< {head} /Length {len(packed)} /Filter /FlateDecode >>\nstream\n".encode() + packed + b"\nendstream"
        )

    def page(self, box: tuple[float, float], resources: str, content: int, title: str, subject: str) -> bytes:
        """The whole file with this one page. Transparent drawings are blended in RGB."""
        pages = len(self.objects) + 2
        page = self.add(
            f"<< /Type /Page /Parent {pages} 0 R /MediaBox [0 0 {box[0]:.3f} {box[1]:.3f}] /Contents {content} 0 R"
            f" /Group << /S /Transparency /CS /DeviceRGB >> /Resources << {resources} >> >>"
        )
        self.add(f"<< /Type /Pages /Kids [{page} 0 R] /Count 1 >>")
        root = self.add(f"<< /Type /Catalog /Pages {pages} 0 R /Lang (en) >>")
        about = self.add(f"<< /Title {_text(title)} /Subject {_text(subject)} /Creator (mtm_viz) >>")
        out = io.BytesIO()
        out.write(b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n")
        places = []
        for number, content_of in enumerate(self.objects, start=1):
            places.append(out.tell())
            out.write(f"{number} 0 obj\n".encode() + content_of + b"\nendobj\n")
        table = out.tell()
        out.write(f"xref\n0 {len(places) + 1}\n0000000000 65535 f \n".encode())
        out.writelines(f"{place:010d} 00000 n \n".encode() for place in places)
        out.write(
            f"trailer\n<< /Size {len(places) + 1} /Root {root} 0 R /Info {about} 0 R >>\nstartxref\n{table}\n%%EOF\n".encode()
        )
        return out.getvalue()


class PdfFont:
    """A TrueType font of which only the letters shown are embedded."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.used: dict[int, int] = {}

    def shown(self, text: str) -> str:
        """The operator that shows `text`. Glyphs are numbered as first used, from 1; a map in the file tells which they are."""
        numbers = [self.used.setdefault(ord(c), len(self.used) + 1) for c in text]
        return f"<{''.join(f'{n:04x}' for n in numbers)}> Tj"

    def written(self, file: PdfFile) -> int:
        """Add the font to the file; its object's number."""
        content = subset(self.path, set(self.used))
        # fontTools makes its tables' attributes as it reads them.
        small: Any = TTFont(io.BytesIO(content))
        order, cmap = small.getReverseGlyphMap(), small.getBestCmap() or {}
        unit = 1000 / small["head"].unitsPerEm
        gids = {code: order.get(cmap.get(code, ".notdef"), 0) for code in self.used}
        widths = {code: small["hmtx"][cmap.get(code, ".notdef")][0] * unit for code in self.used}
        name = "MTMVIZ+" + str(small["name"].getDebugName(6))
        data = file.stream(f"/Length1 {len(content)}", content)
        box = " ".join(f"{small['head'].__dict__[side] * unit:.0f}" for side in ("xMin", "yMin", "xMax", "yMax"))
        angle = small["post"].italicAngle
        descriptor = file.add(
            f"<< /Type /FontDescriptor /FontName /{name} /Flags {4 | (64 if angle else 0)} /FontBBox [{box}] /ItalicAngle {angle:.0f}"
            f" /Ascent {small['hhea'].ascent * unit:.0f} /Descent {small['hhea'].descent * unit:.0f} /CapHeight 660 /StemV 80"
            f" /FontFile2 {data} 0 R >>"
        )
        mapping = bytearray(2 * (len(self.used) + 1))
        for code, number in self.used.items():
            mapping[2 * number : 2 * number + 2] = gids[code].to_bytes(2, "big")
        table = file.stream("", bytes(mapping))
        wide = " ".join(f"{widths[code]:.0f}" for code in self.used)
        child = file.add(
            f"<< /Type /Font /Subtype /CIDFontType2 /BaseFont /{name} /FontDescriptor {descriptor} 0 R /DW 500"
            f" /CIDSystemInfo << /Registry (Adobe) /Ordering (Identity) /Supplement 0 >> /W [1 [{wide}]] /CIDToGIDMap {table} 0 R >>"
        )
        meaning = file.stream("", self._unicode().encode())
        return file.add(
            f"<< /Type /Font /Subtype /Type0 /BaseFont /{name} /Encoding /Identity-H /DescendantFonts [{child} 0 R]"
            f" /ToUnicode {meaning} 0 R >>"
        )

    def _unicode(self) -> str:
        """What the numbers mean, so that text can be searched and copied."""
        rows = [f"<{n:04x}> <{chr(code).encode('utf-16-be').hex()}>" for code, n in self.used.items()]
        blocks = [rows[k : k + 100] for k in range(0, len(rows), 100)]
        body = "\n".join(f"{len(block)} beginbfchar\n" + "\n".join(block) + "\nendbfchar" for block in blocks)
        return (
            "/CIDInit /ProcSet findresource begin 12 dict begin begincmap /CMapName /Mtm def /CMapType 2 def\n"
            f"1 begincodespacerange <0000> <ffff> endcodespacerange\n{body}\nendcmap end end"
        )


def _text(said: str) -> str:
    return f"<{(chr(0xFEFF) + said).encode('utf-16-be').hex()}>"
