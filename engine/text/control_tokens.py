"""A model's control tokens, and a spelling of them that no text can imitate.

In a rendered prompt the template's `<|im_end|>` and one that a user pasted are the same characters.
So prompts are kept sealed: every control token in a template's own source is spelt in lone
surrogates, one per character, before the template runs. User text must not contain any, so
whatever a template makes of a text remains text.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from tokenizers import AddedToken, Tokenizer

from engine.errors import ModelError, PromptError

# A sealed token starts in one half of the surrogates and continues in the other.
_FIRST, _REST, _HALF = 0xD800, 0xDC00, 0x400
# Takes the place of white space that the token absorbed.
_BLANK = "\udfff"
SEALED = re.compile("[\ud800-\udbff][\udc00-\udfff]*")
# What a template cuts out of its own token may start in the other half.
_SPELT = re.compile("([\ud800-\udfff][\udc00-\udfff]*)")
_BLANKS = re.compile(r"\s*")
_WORD = re.compile(r"\w")


@dataclass(frozen=True, slots=True)
class PromptText:
    """A rendered prompt in two forms with matching positions.

    Attributes:
        plain: in readable form.
        sealed: with the template's control tokens sealed.
    """

    plain: str
    sealed: str

    def divides_token(self, at: int) -> bool:
        """Whether position `at` is inside a control token."""
        return before_token(self.sealed, at) != at


class ControlTokens:
    """The control tokens of one tokenizer: its added tokens, special or not, except words.

    A word is an added token that any text may produce: a single character, or a non-special
    token of letters, digits and white space.

    Attributes:
        contents: their texts, longest first.
        ids: their ids.
        words: the added tokens that are words, by id.
    """

    def __init__(self, tokenizer: Tokenizer) -> None:
        """Raises ModelError if the tokens have more distinct characters than can be sealed."""
        added = {id: t for id, t in tokenizer.get_added_tokens_decoder().items() if t.content}
        self.words = {id: token for id, token in added.items() if _is_word(token)}
        control = {token.content: id for id, token in added.items() if id not in self.words}
        self.contents = sorted(control, key=len, reverse=True)
        self.ids = frozenset(control.values())
        self._tokens = {content: added[id] for content, id in control.items()}
        self._find = re.compile("|".join(map(re.escape, self.contents)) or "(?!)")
        letters = sorted(set("".join(self.contents)))
        if len(letters) >= _HALF:
            raise ModelError(
                "The added tokens of tokenizer.json use more than 1,023 different characters."
            )
        self._first = {letter: chr(_FIRST + at) for at, letter in enumerate(letters)}
        self._rest = {ord(letter): _REST + at for at, letter in enumerate(letters)}
        self._spellings = {content: self._spelling(content) for content in self.contents}
        self._ids = {self._spellings[content]: id for content, id in control.items()}
        self._meant = {spelling: content for content, spelling in self._spellings.items()}
        for half in (_FIRST, _REST):
            self._meant |= {chr(half + at): letter for at, letter in enumerate(letters)}
        self._exact = not any(t.single_word or t.lstrip or t.rstrip for t in self._tokens.values())

    def spell(self, text: str) -> str:
        """`text` with the control tokens in it spelt in surrogates."""
        return self._find.sub(lambda match: self._spellings[match.group()], text)

    def found(self, text: str) -> list[str]:
        """The control tokens that occur in `text` in plain letters."""
        return self._find.findall(text)

    def prompt(self, text: str) -> PromptText:
        """The output of a template whose own control tokens are spelt this way.

        Raises PromptError if it has other surrogates.
        """
        if text.isascii():
            return PromptText(text, text)
        parts = _SPELT.split(text)
        spelt = parts[1::2]
        parts[1::2] = map(self._read, spelt)
        plain = "".join(parts)
        if not is_encodable(plain):
            raise PromptError("The model's chat template writes half of a surrogate pair.")
        if not self._exact:
            return PromptText(plain, self._sealed_with_blanks(text))
        if not self._ids.keys() >= set(spelt):
            parts[1::2] = [part if part in self._ids else self._read(part) for part in spelt]
            return PromptText(plain, "".join(parts))
        return PromptText(plain, text)

    def seal(self, text: str) -> PromptText:
        """All of `text`, as if a template had written it."""
        return self.prompt(self.spell(text))

    def token_id(self, text: str) -> int | None:
        """The id of `text` if it is one sealed token, else None."""
        return self._ids.get(text.rstrip(_BLANK))

    def _sealed_with_blanks(self, text: str) -> str:
        """Handles tokens that absorb adjacent white space or must stand alone."""
        parts: list[str] = []
        cursor = 0
        for match in _SPELT.finditer(text):
            spelling, (start, end) = match.group(), match.span()
            token = self._tokens.get(self._meant.get(spelling, ""))
            before = start > 0 and _WORD.match(text, start - 1)
            if token is None or (token.single_word and (before or _WORD.match(text, end))):
                parts += (text[cursor:start], self._read(spelling))
                cursor = end
                continue
            if token.lstrip:
                start = cursor + len(text[cursor:start].rstrip())
            if token.rstrip and (blanks := _BLANKS.match(text, end)):
                end = blanks.end()
            fill = _BLANK * (end - start - len(spelling))
            parts += (text[cursor:start], spelling, fill)
            cursor = end
        return "".join([*parts, text[cursor:]])

    def _read(self, spelt: str) -> str:
        return self._meant.get(spelt) or "".join(self._meant.get(one, one) for one in spelt)

    def _spelling(self, content: str) -> str:
        return self._first[content[0]] + content[1:].translate(self._rest)


def before_token(sealed: str, at: int) -> int:
    """Position `at`, or the start of the control token around it."""
    while at < len(sealed) and _REST <= ord(sealed[at]) < _REST + _HALF:
        at -= 1
    return at


def without_added_tokens(tokenizer: Tokenizer) -> Tokenizer:
    """The same tokenizer, sharing its vocabulary, without added tokens."""
    bare = Tokenizer(tokenizer.model)
    if tokenizer.normalizer is not None:
        bare.normalizer = tokenizer.normalizer
    if tokenizer.pre_tokenizer is not None:
        bare.pre_tokenizer = tokenizer.pre_tokenizer
    return bare


def is_encodable(text: str) -> bool:
    """Whether `text` contains no lone surrogate."""
    if text.isascii():
        return True
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def _is_word(token: AddedToken) -> bool:
    if len(token.content) == 1:
        return True
    plain = all(letter.isalnum() or letter.isspace() for letter in token.content)
    return plain and not token.special
