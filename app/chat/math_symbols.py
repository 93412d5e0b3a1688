"""The Unicode characters of LaTeX commands. Without Qt."""

from __future__ import annotations

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
