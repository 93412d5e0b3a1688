"""Converts the LaTeX of an answer to Unicode as far as possible. Without Qt.

Anything without a Unicode form keeps its source, in a monospaced face.
"""

from __future__ import annotations

import re

# Code is skipped; the rest are the four ways to write mathematics.
_PARTS = re.compile(
    r"(?P<code>(?P<ticks>`+)(?!`).+?(?<!`)(?P=ticks)(?!`))"
    r"|\\\[(?P<square>.+?)\\\]|\$\$(?P<dollars>.+?)\$\$"
    r"|\\\((?P<round>.+?)\\\)"
    r"|(?<![\\$\w])\$(?P<dollar>[^\s$](?:[^$\n]*?[^\s$\\])?)\$(?![\w$])",
    re.DOTALL,
)
# Text between two prices is no formula: that has a command, index, operator or single letter.
_FORMULA = re.compile(r"\\|[\^_=<>+*/{}|]|^-?[A-Za-z]'*(\([A-Za-z,\s]*\))?$|^[\d.,\s]+$")
_TOKEN = re.compile(r"\\[A-Za-z]+|\\.|[{}^_&]|\s+|.", re.DOTALL)
_MARKDOWN = re.compile(r"([\\`*_{}\[\]<>#|~])")
_LONG = re.compile(r"^[\w.√′π∞°]+$")
_GREEK = (
    "alpha α beta β gamma γ delta δ epsilon ε varepsilon ε zeta ζ eta η theta θ vartheta ϑ iota ι "
    "kappa κ lambda λ mu μ nu ν xi ξ pi π varpi ϖ rho ρ varrho ϱ sigma σ varsigma ς tau τ "
    "upsilon υ phi φ varphi ϕ chi χ psi ψ omega ω Gamma Γ Delta Δ Theta Θ Lambda Λ Xi Ξ Pi Π "
    "Sigma Σ Upsilon Υ Phi Φ Psi Ψ Omega Ω"
)
_RELATIONS = (
    "le ≤ leq ≤ ge ≥ geq ≥ ne ≠ neq ≠ approx ≈ equiv ≡ sim ∼ simeq ≃ cong ≅ propto ∝ ll ≪ gg ≫ "
    "in ∈ notin ∉ ni ∋ subset ⊂ subseteq ⊆ supset ⊃ supseteq ⊇ mid ∣ parallel ∥ perp ⊥ prec ≺ "
    "succ ≻ models ⊨ vdash ⊢"
)
_OPERATORS = (
    "pm ± mp ∓ times × div ÷ cdot · ast ∗ star ⋆ circ ∘ bullet • oplus ⊕ otimes ⊗ cup ∪ cap ∩ "
    "setminus ∖ land ∧ wedge ∧ lor ∨ vee ∨ lnot ¬ neg ¬ sum ∑ prod ∏ int ∫ iint ∬ oint ∮ "
    "partial ∂ nabla ∇ infty ∞ forall ∀ exists ∃ emptyset ∅ varnothing ∅ prime ′ angle ∠ "
    "degree ° hbar ℏ ell ℓ Re ℜ Im ℑ aleph ℵ therefore ∴ because ∵ bigcup ⋃ bigcap ⋂ dagger †"
)
_ARROWS = (
    "to → rightarrow → leftarrow ← gets ← leftrightarrow ↔ Rightarrow ⇒ implies ⟹ Leftarrow ⇐ "
    "Leftrightarrow ⇔ iff ⟺ mapsto ↦ uparrow ↑ downarrow ↓ longrightarrow ⟶"
)
_MARKS = (
    "ldots … dots … cdots ⋯ vdots ⋮ ddots ⋱ lfloor ⌊ rfloor ⌋ lceil ⌈ rceil ⌉ langle ⟨ rangle ⟩ "
    "lvert | rvert | vert | lVert ‖ rVert ‖ Vert ‖ lbrace { rbrace } backslash \\"
)
_SPACES = {",": " ", ";": " ", ":": " ", " ": " ", "quad": "  ", "qquad": "   ", "!": ""}
_ESCAPED = {mark: mark for mark in "{}%$#&_"}
_SILENT = dict.fromkeys(
    ("displaystyle", "textstyle", "limits", "nolimits", "nonumber", "notag", "middle"), ""
)


def _pairs(*lists: str) -> dict[str, str]:
    words = " ".join(lists).split()
    return dict(zip(words[::2], words[1::2], strict=True))


SYMBOLS = {
    **_pairs(_GREEK, _RELATIONS, _OPERATORS, _ARROWS, _MARKS),
    **_SPACES,
    **_ESCAPED,
    **_SILENT,
    "\\": "\n",
    "|": "‖",
}
_FUNCTIONS = (
    "sin cos tan cot sec csc arcsin arccos arctan sinh cosh tanh log ln lg exp lim max min sup inf "
    "det dim ker deg gcd arg argmax argmin Pr mod"
)
WORDS = frozenset(_FUNCTIONS.split())
ACCENTS = {
    "hat": "\u0302",
    "bar": "\u0304",
    "overline": "\u0305",
    "tilde": "\u0303",
    "vec": "\u20d7",
    "dot": "\u0307",
    "ddot": "\u0308",
}
SUPERSCRIPTS = dict(
    zip(
        "0123456789+-=()abcdefghijklmnoprstuvwxyzTVN−βγδθφχ",
        "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁼⁽⁾ᵃᵇᶜᵈᵉᶠᵍʰⁱʲᵏˡᵐⁿᵒᵖʳˢᵗᵘᵛʷˣʸᶻᵀⱽᴺ⁻ᵝᵞᵟᶿᵠᵡ",
        strict=True,
    )
)
SUBSCRIPTS = dict(
    zip(
        "0123456789+-=()aehijklmnoprstuvx−βγρφχ",
        "₀₁₂₃₄₅₆₇₈₉₊₋₌₍₎ₐₑₕᵢⱼₖₗₘₙₒₚᵣₛₜᵤᵥₓ₋ᵦᵧᵨᵩᵪ",
        strict=True,
    )
)


class _Unknown(Exception):
    """A construct without a Unicode form."""


def readable(text: str) -> str:
    """Markdown with its mathematics converted to text."""
    if "$" not in text and "\\(" not in text and "\\[" not in text:
        return text
    return _PARTS.sub(_replaced, text)


def to_unicode(latex: str) -> str | None:
    """A formula as Unicode text; None if a part of it has no Unicode form."""
    try:
        made = _Reader(latex).read()
    except _Unknown:
        return None
    return re.sub(r" *\n *", "\n", re.sub(r"[ \t]+", " ", made)).strip()


def _replaced(found: re.Match[str]) -> str:
    if found["code"]:
        return found[0]
    display = found["square"] or found["dollars"]
    latex = display or found["round"] or found["dollar"]
    if found["dollar"] and not _FORMULA.search(latex):
        return found[0]
    made = to_unicode(latex)
    if made is None or not made:
        source = " ".join(found[0].split())
        ticks = "``" if "`" in source else "`"
        shown = f"{ticks}{source}{ticks}"
    else:
        shown = "  \n".join(_MARKDOWN.sub(r"\\\1", line) for line in made.split("\n"))
    # A formula on its own line is a paragraph, unless it is in a list, a quote or a table.
    line = found.string[found.string.rfind("\n", 0, found.start()) + 1 : found.start()]
    return f"\n\n{shown}\n\n" if display and not line.strip() and not line else shown


class _Reader:
    """Parses one formula from left to right."""

    def __init__(self, latex: str) -> None:
        self._tokens: list[str] = _TOKEN.findall(latex)
        self._at = 0

    def read(self, until: str = "") -> str:
        made = ""
        while self._at < len(self._tokens):
            token = self._next()
            if token == until:
                return made
            made += self._one(token, made)
        if until:
            raise _Unknown
        return made

    def _next(self) -> str:
        if self._at >= len(self._tokens):
            raise _Unknown
        self._at += 1
        return self._tokens[self._at - 1]

    def _argument(self) -> str:
        token = self._next()
        while token.isspace():
            token = self._next()
        return self.read("}") if token == "{" else self._one(token, "")

    def _raw_argument(self) -> str:
        """The characters of an argument, spaces included."""
        if self._next() != "{":
            raise _Unknown
        made = ""
        while (token := self._next()) != "}":
            if token.startswith("\\") and token[1:].isalpha():
                raise _Unknown
            made += token[-1] if token.startswith("\\") else token
        return made

    def _one(self, token: str, before: str) -> str:
        if token == "{":
            return self.read("}")
        if token == "}":
            raise _Unknown
        if token == "^":
            return _script(self._argument(), SUPERSCRIPTS, "^")
        if token == "_":
            return _script(self._argument(), SUBSCRIPTS, "_")
        if token == "&":
            return " "
        if token == "'":
            return "′"
        if token.isspace():
            return " "
        return self._command(token, before) if token.startswith("\\") else token

    def _command(self, token: str, before: str) -> str:
        name = token[1:]
        if name in SYMBOLS:
            return SYMBOLS[name]
        if name in WORDS:
            # "2sin x" would read as one word.
            space = " " if before[-1:].isalnum() else ""
            return f"{space}{name} " if not self._script_follows() else f"{space}{name}"
        if name in ("frac", "dfrac", "tfrac", "cfrac"):
            return _fraction(self._argument(), self._argument())
        if name == "sqrt":
            return self._root()
        if name in ("text", "mathrm", "textbf", "textit", "operatorname", "mbox", "texttt"):
            return self._raw_argument()
        if name in ("mathbf", "mathit", "mathcal", "boldsymbol", "mathsf", "bm", "boxed"):
            return self._argument()
        if name == "mathbb":
            letter = self._argument()
            return "".join(_DOUBLE.get(c, c) for c in letter)
        if name in ("left", "right", "big", "Big", "bigg", "Bigg", "bigl", "bigr"):
            mark = self._next()
            return "" if mark == "." else self._one(mark, before) if mark not in "{}" else mark
        if name in ACCENTS:
            letter = self._argument()
            if len(letter) != 1:
                raise _Unknown
            return letter + ACCENTS[name]
        if name in ("begin", "end"):
            if self._raw_argument() not in ("aligned", "align", "align*", "equation", "equation*"):
                raise _Unknown
            return ""
        raise _Unknown

    def _root(self) -> str:
        index = ""
        if self._at < len(self._tokens) and self._tokens[self._at] == "[":
            self._next()
            index = _script(self.read("]"), SUPERSCRIPTS, "^")
        inside = self._argument()
        return f"{index}√{inside}" if len(inside) == 1 else f"{index}√({inside})"

    def _script_follows(self) -> bool:
        return self._at < len(self._tokens) and self._tokens[self._at] in ("^", "_", "{", "(")


_DOUBLE = {"R": "ℝ", "N": "ℕ", "Z": "ℤ", "Q": "ℚ", "C": "ℂ", "P": "ℙ", "E": "𝔼"}


def _script(text: str, forms: dict[str, str], mark: str) -> str:
    """An index or an exponent; without a Unicode form it is written after its mark."""
    text = text.strip()
    if text in ("∘", "°") and mark == "^":
        return "°"
    if text and set(text) <= {"′"} and mark == "^":
        return text
    small = "".join(forms.get(c, "\0") for c in text.replace(" ", ""))
    if "\0" not in small:
        return small
    return f"{mark}{text}" if len(text) == 1 else f"{mark}({text})"


def _fraction(over: str, under: str) -> str:
    over, under = over.strip(), under.strip()
    parts = [part if _LONG.match(part) else f"({part})" for part in (over, under)]
    return "/".join(parts)
