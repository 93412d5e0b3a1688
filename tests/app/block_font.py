"""A TrueType font whose letters are blocks, so that a picture of texts is the same everywhere.

Its letters cover the basic plane up to the dingbats. Spaces are empty; every letter is as wide as
any other.
"""

from __future__ import annotations

import struct

_UNITS = 1000
_ASCENT, _DESCENT = 800, 200
_LOW, _HIGH, _EDGE = 0, 500, 80
_FIRST, _LAST = 0x20, 0x2BFF
_EMPTY, _BLOCK = 1, 2


def block_font(family: str, width: int) -> bytes:
    """The bytes of a font file.

    Args:
        width: of each letter, in thousandths of the font's size.
    """
    blank = b""
    block = _block(width)
    glyphs = (block, blank, block)
    tables = {
        b"OS/2": _os2(width),
        b"cmap": _cmap(),
        b"glyf": b"".join(glyphs),
        b"head": _head(width),
        b"hhea": struct.pack(
            ">LhhhHhhhhhhhhhhhH",
            *(0x00010000, _ASCENT, -_DESCENT, 0, width, 0, 0, width, 1, 0, 0, 0, 0, 0, 0, 0),
            len(glyphs),
        ),
        b"hmtx": struct.pack(">Hh", width, 0) * len(glyphs),
        b"loca": _loca(glyphs),
        b"maxp": struct.pack(">LH13H", 0x00010000, len(glyphs), 4, 1, 0, 0, 2, *(0,) * 8),
        b"name": _name(family),
        b"post": struct.pack(">LLhhLLLLL", 0x00030000, 0, -100, 50, 0, 0, 0, 0, 0),
    }
    return _file(tables)


def _block(width: int) -> bytes:
    """A rectangle: one contour of four points, by differences of two bytes."""
    left, right = _EDGE, width - _EDGE
    head = struct.pack(">hhhhh", 1, left, _LOW, right, _HIGH)
    points = struct.pack(">HH4B", 3, 0, 1, 1, 1, 1)
    xs = struct.pack(">4h", left, 0, right - left, 0)
    ys = struct.pack(">4h", _LOW, _HIGH - _LOW, 0, _LOW - _HIGH)
    return _padded(head + points + xs + ys)


def _cmap() -> bytes:
    """Many letters to one glyph (format 13), but nothing for the spaces."""
    groups = (
        *((_FIRST, _FIRST, _EMPTY), (0x21, 0x9F, _BLOCK), (0xA0, 0xA0, _EMPTY)),
        *((0xA1, 0x1FFF, _BLOCK), (0x2000, 0x200F, _EMPTY), (0x2010, _LAST, _BLOCK)),
    )
    body = b"".join(struct.pack(">LLL", *group) for group in groups)
    table = struct.pack(">HHLLL", 13, 0, 16 + len(body), 0, len(groups)) + body
    return struct.pack(">HHHHL", 0, 1, 3, 10, 12) + table


def _head(width: int) -> bytes:
    return struct.pack(
        ">LLLLHHQQhhhhHHhhh",
        *(0x00010000, 0x00010000, 0, 0x5F0F3CF5, 0, _UNITS, 0, 0),
        *(0, -_DESCENT, width, _ASCENT, 0, 6, 2, 1, 0),
    )


def _os2(width: int) -> bytes:
    """Version 1: it says that the font has Latin letters."""
    return struct.pack(
        ">HhHHH11h10s4L4sHHHhhhHHLL",
        *(1, width, 400, 5, 0, *(0,) * 11, bytes(10), 1, 0, 0, 0, b"BIPL", 0x40, _FIRST, _LAST),
        *(_ASCENT, -_DESCENT, 0, _ASCENT, _DESCENT, 1, 0),
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
