"""TrueType fonts whose letters are blocks, so that a picture of texts is the same everywhere.

Spaces are empty; every letter is as wide as any other.
"""

from __future__ import annotations

import struct
from pathlib import Path

_UNITS = 1000
_LOW, _HIGH, _EDGE = 0, 500, 80
_EMPTY, _BLOCK = 1, 2
# First, last, and how they look. The basic plane up to the dingbats:
LATIN = (
    *((0x20, 0x20, _EMPTY), (0x21, 0x9F, _BLOCK), (0xA0, 0xA0, _EMPTY)),
    *((0xA1, 0x1FFF, _BLOCK), (0x2000, 0x200F, _EMPTY), (0x2010, 0x2BFF, _BLOCK)),
)
# Chinese, Japanese and Korean, with their punctuation and wide forms:
CJK = (
    *((0x2E80, 0x2FFF, _BLOCK), (0x3000, 0x3000, _EMPTY), (0x3001, 0x9FFF, _BLOCK)),
    *((0xAC00, 0xD7A3, _BLOCK), (0xF900, 0xFAFF, _BLOCK), (0xFF01, 0xFFEF, _BLOCK)),
)


def block_font(
    family: str,
    width: int,
    *,
    ascent: int = 800,
    descent: int = 200,
    letters: tuple[tuple[int, int, int], ...] = LATIN,
) -> bytes:
    """The bytes of a font file.

    Args:
        width, ascent, descent: of each letter, in thousandths of the font's size.
    """
    blank = b""
    block = _block(width)
    glyphs = (block, blank, block)
    high = (ascent, descent)
    tables = {
        b"OS/2": _os2(width, *high, letters),
        b"cmap": _cmap(letters),
        b"glyf": b"".join(glyphs),
        b"head": _head(width, *high),
        b"hhea": struct.pack(
            ">LhhhHhhhhhhhhhhhH",
            *(0x00010000, ascent, -descent, 0, width, 0, 0, width, 1, 0, 0, 0, 0, 0, 0, 0),
            len(glyphs),
        ),
        b"hmtx": struct.pack(">Hh", width, 0) * len(glyphs),
        b"loca": _loca(glyphs),
        b"maxp": struct.pack(">LH13H", 0x00010000, len(glyphs), 4, 1, 0, 0, 2, *(0,) * 8),
        b"name": _name(family),
        b"post": struct.pack(">LLhhLLLLL", 0x00030000, 0, -100, 50, 0, 0, 0, 0, 0),
    }
    return _file(tables)


def only_fonts(folder: Path, chinese: tuple[int, int] | None) -> Path:
    """Write a desktop's fonts into a folder; returns the file for FONTCONFIG_FILE.

    Args:
        chinese: ascent and descent of its only font with Chinese letters; None for a desktop
            that has no such letters.
    """
    fonts = {
        "Inter": block_font("Inter", 520, ascent=930, descent=240),
        "JetBrains Mono": block_font("JetBrains Mono", 600, ascent=930, descent=240),
    }
    if chinese is not None:
        ascent, descent = chinese
        fonts["Han"] = block_font("Han", 1000, ascent=ascent, descent=descent, letters=CJK)
    for name, data in fonts.items():
        (folder / f"{name}.ttf").write_bytes(data)
    config = folder / "fonts.conf"
    config.write_text(
        f"<fontconfig><dir>{folder}</dir><cachedir>{folder}/cache</cachedir></fontconfig>",
        encoding="utf-8",
    )
    return config


def _block(width: int) -> bytes:
    """A rectangle: one contour of four points, by differences of two bytes."""
    left, right = _EDGE, width - _EDGE
    head = struct.pack(">hhhhh", 1, left, _LOW, right, _HIGH)
    points = struct.pack(">HH4B", 3, 0, 1, 1, 1, 1)
    xs = struct.pack(">4h", left, 0, right - left, 0)
    ys = struct.pack(">4h", _LOW, _HIGH - _LOW, 0, _LOW - _HIGH)
    return _padded(head + points + xs + ys)


def _cmap(letters: tuple[tuple[int, int, int], ...]) -> bytes:
    """Many letters to one glyph (format 13)."""
    body = b"".join(struct.pack(">LLL", *group) for group in letters)
    table = struct.pack(">HHLLL", 13, 0, 16 + len(body), 0, len(letters)) + body
    return struct.pack(">HHHHL", 0, 1, 3, 10, 12) + table


def _head(width: int, ascent: int, descent: int) -> bytes:
    return struct.pack(
        ">LLLLHHQQhhhhHHhhh",
        *(0x00010000, 0x00010000, 0, 0x5F0F3CF5, 0, _UNITS, 0, 0),
        *(0, -descent, width, ascent, 0, 6, 2, 1, 0),
    )


def _os2(width: int, ascent: int, descent: int, letters: tuple[tuple[int, int, int], ...]) -> bytes:
    """Version 1: it says that the font has Latin letters, or Chinese ones."""
    latin = letters is LATIN
    # The unified ideographs are bit 59 of the ranges, simplified Chinese bit 18 of the code pages.
    ranges = (1, 0) if latin else (0, 1 << 27)
    pages = 1 if latin else 1 << 18
    ends = (letters[0][0], letters[-1][1])
    return struct.pack(
        ">HhHHH11h10s4L4sHHHhhhHHLL",
        *(1, width, 400, 5, 0, *(0,) * 11, bytes(10), *ranges, 0, 0, b"BIPL", 0x40, *ends),
        *(ascent, -descent, 0, ascent, descent, pages, 0),
    )


def _name(family: str) -> bytes:
    kinds = ((1, family), (2, "Regular"), (4, family), (6, family.replace(" ", "")))
    texts = [text.encode("utf-16-be") for _, text in kinds]
    records, at = b"", 0
    for (kind, _), text in zip(kinds, texts, strict=True):
        records += struct.pack(">6H", 3, 1, 0x409, kind, len(text), at)
        at += len(text)
    return struct.pack(">3H", 0, len(kinds), 6 + len(records)) + records + b"".join(texts)


def _loca(glyphs: tuple[bytes, ...]) -> bytes:
    ends = [sum(map(len, glyphs[:count])) for count in range(len(glyphs) + 1)]
    return struct.pack(f">{len(ends)}L", *ends)


def _file(tables: dict[bytes, bytes]) -> bytes:
    power = len(tables).bit_length() - 1
    head = struct.pack(
        ">LHHHH", 0x00010000, len(tables), 16 << power, power, 16 * len(tables) - (16 << power)
    )
    at, entries, body = len(head) + 16 * len(tables), b"", b""
    for tag, table in sorted(tables.items()):
        entries += struct.pack(">4sLLL", tag, _sum(table), at + len(body), len(table))
        body += _padded(table)
    return head + entries + body


def _padded(table: bytes) -> bytes:
    return table + bytes(-len(table) % 4)


def _sum(table: bytes) -> int:
    whole = _padded(table)
    words: tuple[int, ...] = struct.unpack(f">{len(whole) // 4}L", whole)
    return sum(words) & 0xFFFFFFFF
