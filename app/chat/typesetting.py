"""Typesets formulas: LaTeX becomes an outline, on a thread, and is kept."""

from __future__ import annotations

import re
from collections import OrderedDict, deque
from dataclasses import dataclass
from enum import Enum, auto
from functools import lru_cache
from math import isfinite
from typing import TYPE_CHECKING, Any
from xml.etree import ElementTree

from PySide6.QtCore import QObject, QPointF, QRectF, Qt, QThreadPool, Signal
from PySide6.QtGui import QFontMetricsF, QPainterPath, QPainterPathStroker, QTransform

from app.chat.logic.mathematics import Formula
from app.ui import theme

if TYPE_CHECKING:
    from collections.abc import Callable

# Longer ones are shown as their source; so are those with more nodes or greater depth.
_MOST_CHARS = 1200
_MOST_DEPTH = 24
_MOST_NODES = 2500
# In em: what is wider would be too small to read in a column, what is taller covers the window.
_MOST_WIDTH, _MOST_HEIGHT = 90, 60
_KEPT = 1000
# How long a text waits for its formulas before it is shown without them.
WAIT_MS = 30
# The library's own unit; outlines are scaled to 1 em.
_EM = 24.0
# Macros may expand without end, and would last for one formula only.
_MACROS = re.compile(
    r"\\(?:def|gdef|edef|let|(?:re)?newcommand|providecommand|newenvironment|DeclareMathOperator)"
    r"(?![A-Za-z])"
)
_ENVIRONMENT = re.compile(r"\\begin\s*\{([^{}*]*)\*?\}")
_ENVIRONMENTS = re.compile(
    r"(?:[pbBvV]?|small)matrix|array|r?cases|align(?:ed|at|edat)?|eqnarray|equation|gather(?:ed)?"
    r"|multline|split"
)
_TAG = re.compile(r"\\tag\*?\s*\{([^{}]*)\}")
_SILENT = re.compile(r"\\(?:nonumber|notag|label\s*\{[^{}]*\})")
_ESCAPE = re.compile(r"\\([_%&#${}])")
_COMMAND = re.compile(r"\\.")
_NUMBER = re.compile(r"[A-Z]|-?\d+(?:\.\d+)?(?:e-?\d+)?")


_Key = tuple[str, bool]


class NotTypeset(Exception):
    """A formula that is shown as its source."""


@dataclass(frozen=True, slots=True)
class Outline:
    """A typeset formula, in em.

    Attributes:
        path: filled with the colour of the text; its origin is on the baseline.
        width, ascent, descent: the space it takes beside, above and below its origin.
    """

    path: QPainterPath
    width: float
    ascent: float
    descent: float


class Source(Enum):
    """Why the source of a formula is shown: it cannot be typeset, or is not yet."""

    FOR_GOOD = auto()
    FOR_NOW = auto()


def typeset(latex: str, *, display: bool) -> Outline:
    """The outline of a formula.

    Raises:
        NotTypeset: it is too long or too deep, or has something unknown in it.
    """
    try:
        return _outline(_library().math(_mathml(latex, display)))
    except Exception as error:
        # Whatever the libraries do not understand: a formula is never an error.
        raise NotTypeset from error


@dataclass(frozen=True, slots=True)
class _Library:
    """The functions of the library, which is imported with the first formula."""

    mathml: Callable[..., str]
    math: Callable[[ElementTree.Element], Any]


@lru_cache(maxsize=1)
def _library() -> _Library:
    from ziafont.fonttypes import BBox
    from ziafont.glyph import SimpleGlyph
    from ziafont.svgpath import Lineto, Moveto, Point
    from ziamath.config import config
    from ziamath.mathfont import MathFont
    from ziamath.nodes.mrow import Mrow
    from ziamath.tex import tex2mml
    from ziamath.zmath import Math, loadedfonts

    # Shapes where they are used, instead of references to symbols.
    config.svg2 = False
    made = 0

    class Row(Mrow, tag="mrow"):
        """The library measures each row twice, also while it measures: 2**depth times in all."""

        def _get_height_nostretch(
            self, line: list[ElementTree.Element], **kwargs: Any
        ) -> tuple[float, float]:
            nonlocal made
            made += len(line)
            if made > _MOST_NODES:
                raise NotTypeset
            if kwargs.get("nostretch"):
                return 0.0, 0.0
            measured: tuple[float, float] = super()._get_height_nostretch(line, **kwargs)
            return measured

    class Borrowed(SimpleGlyph):
        """A letter from the font of the text."""

        def __init__(self, char: str, font: MathFont) -> None:
            path, self._width = _lent(char, font.info.layout.unitsperem)
            steps: list[Moveto | Lineto] = []
            for polygon in path.toSubpathPolygons():
                first, *rest = (Point(one.x(), -one.y()) for one in polygon.toList())
                steps += [Moveto(first), *map(Lineto, rest)]
            ink = path.boundingRect()
            box = BBox(ink.left(), ink.right(), -ink.bottom(), -ink.top())
            super().__init__(0, steps, box, font)

        def advance(self, nextchr: SimpleGlyph | None = None) -> int:
            return round(self._width)

    def math(root: ElementTree.Element) -> Any:
        nonlocal made
        made = 0
        return Math(root, size=_EM)

    font = loadedfonts["default"]
    own = font.glyph

    # Words in a formula may be of any script; the font has few.
    def glyph(char: str) -> SimpleGlyph:
        return own(char) if font.glyphindex(char) else Borrowed(char, font)

    font.__dict__["glyph"] = glyph
    return _Library(tex2mml, math)


@lru_cache(maxsize=500)
def _lent(char: str, em: int) -> tuple[QPainterPath, float]:
    """The outline and the width of a letter from the font of the text.

    Raises:
        NotTypeset: no font has it.
    """
    font = theme.ui_font(em)
    metrics = QFontMetricsF(font)
    path = QPainterPath()
    path.addText(0, 0, font, char)
    if path.isEmpty() or not metrics.inFontUcs4(ord(char)):
        raise NotTypeset
    return path, metrics.horizontalAdvance(char)


def _mathml(latex: str, display: bool) -> ElementTree.Element:
    if len(latex) > _MOST_CHARS or _depth(latex) > _MOST_DEPTH or _MACROS.search(latex):
        raise NotTypeset
    if not all(map(_ENVIRONMENTS.fullmatch, _ENVIRONMENT.findall(latex))):
        raise NotTypeset
    latex = _SILENT.sub("", _TAG.sub(r"\\qquad\\text{(\1)}", latex))
    # The others number their lines.
    latex = re.sub(r"(\\(?:begin|end)\s*\{(?:align|gather|eqnarray))\}", r"\1*}", latex)
    root = ElementTree.fromstring(_library().mathml(latex, inline=not display))
    for element in root.iter():
        text = element.text = _ESCAPE.sub(r"\1", element.text or "")
        # A command that is left over is unknown.
        if _COMMAND.search(text):
            raise NotTypeset
    return root


def _depth(latex: str) -> int:
    """How deeply braces, fences and environments are nested.

    Raises:
        NotTypeset: they do not match.
    """
    depth = deepest = 0
    for mark in re.findall(r"\\begin\b|\\end\b|\\left\b|\\right\b|\\.|[{}]", latex):
        if mark in ("{", "\\begin", "\\left"):
            depth += 1
            deepest = max(deepest, depth)
        elif mark in ("}", "\\end", "\\right"):
            depth -= 1
            if depth < 0:
                raise NotTypeset
    if depth:
        raise NotTypeset
    return deepest


def _outline(math: Any) -> Outline:
    path = QPainterPath()
    path.setFillRule(path.fillRule().WindingFill)
    for shape in math.svgxml():
        _add(path, shape)
    box = math.node.bbox
    sizes = [box.xmax - box.xmin, box.ymax, -box.ymin]
    width, ascent, descent = (max(0.0, size / _EM) for size in sizes)
    if not all(map(isfinite, sizes)) or width > _MOST_WIDTH or ascent + descent > _MOST_HEIGHT:
        raise NotTypeset
    to_em = QTransform.fromScale(1 / _EM, 1 / _EM).translate(-box.xmin, 0)
    return Outline(to_em.map(path), width, ascent, descent)


def _add(path: QPainterPath, shape: ElementTree.Element) -> None:
    """Add a shape of the picture; lines become outlines, too."""
    line = QPainterPath()
    if shape.tag == "g":
        for part in shape:
            _add(line, part)
    elif shape.tag == "path":
        _follow(line, shape.attrib["d"])
    elif shape.tag in ("rect", "ellipse"):
        at = {name: float(v) for name, v in shape.attrib.items() if _NUMBER.fullmatch(v)}
        if shape.tag == "rect":
            line.addRect(QRectF(at["x"], at["y"], at["width"], at["height"]))
        else:
            line.addEllipse(QPointF(at["cx"], at["cy"]), at["rx"], at["ry"])
    else:
        raise NotTypeset
    if "stroke-width" in shape.attrib:
        pen = QPainterPathStroker()
        pen.setWidth(float(shape.attrib["stroke-width"]))
        line = pen.createStroke(line)
    path.addPath(line)


def _follow(path: QPainterPath, steps: str) -> None:
    """Draw along the absolute steps of an SVG path."""
    found = iter(_NUMBER.findall(steps))

    def point() -> QPointF:
        return QPointF(float(next(found)), float(next(found)))

    for step in found:
        if step == "M":
            path.moveTo(point())
        elif step == "L":
            path.lineTo(point())
        elif step == "Q":
            path.quadTo(point(), point())
        elif step == "C":
            path.cubicTo(point(), point(), point())
        elif step == "Z":
            path.closeSubpath()
        else:
            raise NotTypeset


class Typesetter(QObject):
    """Typesets on a thread of its own, and keeps what it made.

    Signals:
        arrived: formulas that were late are known now.
    """

    arrived = Signal()
    _late = Signal()

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._kept: OrderedDict[_Key, Outline | None] = OrderedDict()
        self._wanted: set[_Key] = set()
        # Filled on the thread.
        self._made: deque[tuple[_Key, Outline | None]] = deque()
        self._pool = QThreadPool(self)
        self._pool.setMaxThreadCount(1)
        self._late.connect(self._receive, Qt.ConnectionType.QueuedConnection)

    def outlines(self, formulas: list[Formula]) -> list[Outline | Source]:
        """A text's formulas, or why the source is shown: it stays, or is typeset in a moment."""
        missing = {(one.latex, one.display) for one in formulas} - self._kept.keys()
        for key in missing - self._wanted:
            self._wanted.add(key)
            self._pool.start(lambda key=key: self._work(key))
        if missing:
            self._pool.waitForDone(WAIT_MS)
            self._take()
        return [self._outline((one.latex, one.display)) for one in formulas]

    def _outline(self, key: _Key) -> Outline | Source:
        if key not in self._kept:
            return Source.FOR_NOW
        self._kept.move_to_end(key)
        return self._kept[key] or Source.FOR_GOOD

    def _work(self, key: _Key) -> None:
        try:
            self._made.append((key, typeset(key[0], display=key[1])))
        except NotTypeset:
            self._made.append((key, None))
        self._late.emit()

    def _receive(self) -> None:
        if self._take():
            self.arrived.emit()

    def _take(self) -> bool:
        """Keep what is done; whether there was anything."""
        found = bool(self._made)
        while self._made:
            key, made = self._made.popleft()
            self._wanted.discard(key)
            self._kept[key] = made
        while len(self._kept) > _KEPT:
            self._kept.popitem(last=False)
        return found


typesetter = theme.PerApplication(Typesetter)
