"""The text side of a model: conversations to token ids, token ids to text."""

from __future__ import annotations

import codecs
import re
from array import array
from bisect import bisect_right
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from itertools import accumulate
from pathlib import Path
from typing import Any

from engine.errors import ModelError, PromptError, PromptTooLong
from engine.message import Message, PromptOptions
from engine.sentence import say
from engine.speech import Marks
from engine.text.anchors import AnchorFinder
from engine.text.control_tokens import ControlTokens, PromptText, is_encodable
from engine.text.detokenizer import Detokenizer, TokenBytes
from engine.text.layout import Closings, MessagePlace, find_places
from engine.text.model_files import read_text_files
from engine.text.neutral import neutral_message, neutral_options, refuse_halves
from engine.text.pieces import Piece, PieceEncoder
from engine.text.probes import Probes
from engine.text.prompt import BegunAnswer, MessageSpan, RenderedPrompt
from engine.text.prompt_tokens import PromptTokens, RawSpan
from engine.text.template import ChatTemplate, as_template_message
from engine.text.think_splitter import CLOSE_TAG, OPEN_TAG, Tags, ThinkSplitter
from engine.text.turn_by_turn import TurnByTurn

# Long enough for a header, a thinking block and its blank lines.
GENERATION_TAIL = 24

LONGEST_STOP_TOKENS = 64
_CONFUSED = say(
    "This model's chat template puts its control tokens together from pieces, and the conversation"
    " contains one; spell that differently and try again."
)
Encode = Callable[[str], tuple[int, ...]]


@dataclass(frozen=True, slots=True)
class Faithful:
    """Which ids could be put back into a prompt.

    Attributes:
        raw: spans of the prompt text and their ids, in order.
        edited: messages whose content differs from their ids.
        missed: (message, ids) of visible ids without a place.
    """

    raw: tuple[RawSpan, ...]
    edited: tuple[int, ...]
    missed: tuple[tuple[int, tuple[int, ...]], ...]


@dataclass(frozen=True, slots=True)
class _Generated:
    """Generated ids, their text, and for each id how many characters are complete after it."""

    ids: tuple[int, ...]
    text: str
    ends: tuple[int, ...]

    def cut(self, start: int, end: int) -> _Generated | None:
        """The ids of text[start:end]; None if a token straddles either border."""
        first = bisect_right(self.ends, start) if start else 0
        last = bisect_right(self.ends, end)
        if first >= last or (start and self.ends[first - 1] != start) or self.ends[last - 1] != end:
            return None
        ends = tuple(e - start for e in self.ends[first:last])
        return _Generated(self.ids[first:last], self.text[start:end], ends)


class FaithfulTokens:
    """Puts ids back; caches the decoded ids of recent messages."""

    def __init__(self, token_bytes: TokenBytes) -> None:
        self._bytes = token_bytes
        self._read = lru_cache(maxsize=512)(partial(_read, token_bytes))

    def put_back(
        self, messages: Sequence[Message], text: PromptText, places: Sequence[MessagePlace] | None
    ) -> Faithful:
        """Find the place of every assistant message's ids in the prompt `text`.

        `places` None means that the layout is unknown: then nothing is put back.
        """
        raw: list[RawSpan] = []
        edited: list[int] = []
        missed: list[tuple[int, tuple[int, ...]]] = []
        for index, message in enumerate(messages):
            if message.role != "assistant" or not message.token_ids:
                continue
            visible = self._visible(message)
            if visible is None:
                edited.append(index)
                continue
            start = raw[-1].end if raw else 0
            parts = _parts(self._read(message.token_ids), message)
            span = _locate(parts, text, places, index, start)
            if span is not None:
                raw.append(span)
            elif visible:
                missed.append((index, visible))
        return Faithful(tuple(raw), tuple(edited), tuple(missed))

    def _visible(self, message: Message) -> tuple[int, ...] | None:
        """The ids of the answer alone, as far as separable; None if it was edited."""
        shown = [i for i in message.token_ids if i not in self._bytes.special]
        content = message.content.strip()
        # Earlier versions displayed an incomplete character.
        half = content.endswith("\ufffd")
        text = self._bytes.text(shown, half=half)
        thought = text.strip().removeprefix(OPEN_TAG).strip()
        if not content and not message.tool_calls and thought == message.thinking.strip():
            # Stopped while still thinking, so there is no answer.
            return ()
        if _answer_start(text, message) is None:
            return None
        parts = _parts(self._read(message.token_ids), message)
        return parts[-1].ids if parts else message.token_ids


def contains(ids: Sequence[int], part: Sequence[int]) -> bool:
    """Whether `part` occurs in `ids` verbatim."""
    haystack, needle = array("q", ids).tobytes(), array("q", part).tobytes()
    at = haystack.find(needle)
    while at >= 0 and at % 8:
        at = haystack.find(needle, at + 1)
    return at >= 0


def _locate(
    parts: Sequence[_Generated],
    text: PromptText,
    places: Sequence[MessagePlace] | None,
    index: int,
    start: int,
) -> RawSpan | None:
    """The whole generation if its thinking is repeated too, else its answer alone."""
    body = places[index].body if places is not None else None
    if places is None or body is None:
        return None
    later = (place.body[0] for place in places[index + 1 :] if place.body is not None)
    limit = next(later, len(text.plain))
    start = max(start, places[index].start)
    for part in parts:
        # It must cover every text of the message, or part of it would appear twice.
        at = text.plain.find(part.text, max(start, body[1] - len(part.text)), limit)
        end = at + len(part.text)
        if 0 <= at <= body[0] and not (text.divides_token(at) or text.divides_token(end)):
            return RawSpan(at, end, Piece(part.ids, part.ends))
    return None


def _parts(generated: _Generated | None, message: Message) -> list[_Generated]:
    """The parts of a generation that a template may repeat, longest first."""
    if generated is None:
        return []
    text = generated.text
    end = len(text.rstrip())
    answer = _answer_start(text, message)
    if answer is None:
        answer = _answer_starts(text)[-1]
    start = answer + len(text[answer:]) - len(text[answer:].lstrip())
    parts = [(0, len(text)), (0, end), (start, len(text)), (start, end)]
    cuts = [generated.cut(first, last) for first, last in dict.fromkeys(parts) if first < last]
    return [part for part in cuts if part is not None]


def _answer_start(text: str, message: Message) -> int | None:
    """Where the answer starts in a generation; None if the message differs."""
    content = message.content.strip()
    for start in reversed(_answer_starts(text)):
        answer = text[start:].strip()
        if answer.startswith(content) if message.tool_calls else answer == content:
            return start
    return None


def _answer_starts(text: str) -> list[int]:
    """Where an answer may start: thinking and answers may both spell out the closing tag."""
    return [0, *(match.end() for match in re.finditer(re.escape(CLOSE_TAG), text))]


def _read(token_bytes: TokenBytes, ids: tuple[int, ...]) -> _Generated | None:
    """None if the ids do not decode to characters; the last one may be incomplete."""
    pieces = [token_bytes[token_id] for token_id in ids]
    data = b"".join(pieces)
    try:
        text = codecs.getincrementaldecoder("utf-8")().decode(data)
    except UnicodeDecodeError:
        return None
    sizes = accumulate(map(len, pieces))
    if len(text) == len(data):
        return _Generated(ids, text, tuple(sizes))
    # A token that ends inside a character is complete only with that character.
    complete = [0]
    for char in text:
        complete += [complete[-1] + 1] * len(char.encode())
    # An answer may be cut inside a character.
    complete += [complete[-1]] * (len(data) + 1 - len(complete))
    return _Generated(ids, text, tuple(complete[size] for size in sizes))


class BegunAnswers:
    """Converts the last message of a conversation to the tokens it had, or would have had."""

    def __init__(self, detokenizer: Callable[[], Detokenizer], encode: Encode) -> None:
        """`encode` takes sealed text, with the thinking tags as a detokenizer spells them."""
        self._detokenizer = detokenizer
        self._encode = encode
        self._tags = detokenizer().tags

    def take_up(
        self, message: Message, start: int, *, opened: bool, thinks: bool, gap: str
    ) -> tuple[BegunAnswer, bool]:
        """The answer so far, and whether its generated ids had to be replaced by its text.

        Generated ids are used verbatim if they decode to the message.

        Args:
            start: tokens of the prompt before it.
            opened: the prompt has opened the answer's thinking block.
            thinks: the prompt lets the model think.
            gap: sealed: what the template writes between thinking and text; "" if unknown.

        Raises:
            PromptError: there is nothing to continue, or it contains half a surrogate pair.
        """
        if message.token_ids:
            thinking, text = self._shown(message.token_ids, opened)
            if _says(message, thinking, text):
                return BegunAnswer(start, message.token_ids, text, thinking), False
        if message.tool_calls:
            raise PromptError("An answer that calls a tool cannot be continued.")
        ids = self._encode(self._written(message, opened, thinks, gap))
        begun = BegunAnswer(start, ids, message.content, message.thinking)
        return begun, bool(message.token_ids)

    def _shown(self, ids: Sequence[int], opened: bool) -> tuple[str, str]:
        """Thinking and text of a cut answer."""
        detokenizer = self._detokenizer()
        splitter = ThinkSplitter(opened, self._tags)
        splitter.feed("".join(map(detokenizer.feed, ids)))
        splitter.finish()
        return splitter.thinking, splitter.answer

    def _written(self, message: Message, opened: bool, thinks: bool, gap: str) -> str:
        """The answer as the model would have written it after the prompt, sealed."""
        thinking, content = message.thinking, message.content
        if not (thinking or content):
            raise PromptError(
                "The last answer is empty, so there is nothing to continue: ask again instead."
            )
        if not (is_encodable(thinking) and is_encodable(content)):
            raise PromptError(
                "The conversation contains half of a surrogate pair; delete it and try again."
            )
        if not opened and not (thinks and thinking):
            if not content:
                raise PromptError(
                    "The last answer has only its thinking, which is turned off: turn thinking on "
                    "to continue, or ask again."
                )
            return content
        head = thinking if opened else f"{self._tags.opening}\n{thinking}"
        # A thought without an answer is continued.
        return head + (gap or f"\n{self._tags.closing}\n\n") + content if content else head


def _says(message: Message, thinking: str, text: str) -> bool:
    """Whether generated ids decode to a message's thinking and text; thinking may be omitted."""
    content, said = message.content.strip(), text.strip()
    if message.tool_calls:
        said = said[: len(content)]
    # Earlier versions displayed an incomplete character.
    if said not in (content, content.removesuffix("\ufffd").strip()):
        return False
    return not message.thinking or thinking.strip() == message.thinking.strip()


class TextModel:
    """Tokenizer, chat template and defaults of one model folder; not for several threads at once.

    Attributes:
        end_ids: the tokens that end an answer.
        generation_defaults: the model's recommendations, by the names of engine.config.Sampling.
        notes: sentences about what was skipped in its files.
        think_open_id, think_close_id: the thinking tags if each is one token, else None.
        vocab_size: ids the tokenizer knows, added tokens included.
        marks: the ids that separate messages in a chat template.
    """

    def __init__(self, folder: Path) -> None:
        """Raises ModelError if a file is missing or bad; a missing template only on render."""
        files = read_text_files(folder)
        self.folder = folder
        self.end_ids = files.end_ids
        self.generation_defaults: dict[str, Any] = dict(files.generation_defaults)
        self.notes = files.notes
        self.think_open_id: int | None = files.tokenizer.token_to_id(OPEN_TAG)
        self.think_close_id: int | None = files.tokenizer.token_to_id(CLOSE_TAG)
        self.vocab_size: int = files.tokenizer.get_vocab_size()
        self._tokenizer = files.tokenizer
        self._bytes = TokenBytes(files.tokenizer)
        self.marks = Marks(self._bytes.added())
        self._control = ControlTokens(files.tokenizer)
        self._encoder = PieceEncoder(files.tokenizer, self._control)
        self._faithful = FaithfulTokens(self._bytes)
        # A tag that is only spelt out, for instance in a thought about tags, does not count.
        tags = [self._control.seal(tag).sealed for tag in (OPEN_TAG, CLOSE_TAG)]
        self._tags = Tags(*tags)
        ids = {self._control.token_id(tag): tag for tag in tags}
        self._tag_ids = {id: tag for id, tag in ids.items() if id is not None}
        self._begun = BegunAnswers(
            self.detokenizer, lambda sealed: PromptTokens(self._encoder, sealed).ids
        )
        self._sources = files.template
        self._source_file = files.template_file
        self._special: Mapping[str, str] = files.special_tokens
        self._templates: dict[str, ChatTemplate] = {}
        self._finders: dict[str, AnchorFinder] = {}
        self._closings: dict[tuple[str, bool], Closings] = {}
        self._turns: dict[str, TurnByTurn] = {}
        self._thinks: bool | None = None
        self._drops: bool | None = None

    @property
    def control_ids(self) -> frozenset[int]:
        """The ids of the tokens that no text may spell."""
        return self._control.ids

    @property
    def supports_thinking(self) -> bool:
        """Whether the template writes a different prompt when thinking is requested."""
        if self._thinks is None:
            self._thinks = self._probe_thinking()
        return self._thinks

    @property
    def drops_thinking(self) -> bool:
        """Whether the template omits the thinking of earlier turns from the next prompt."""
        if self._drops is None:
            self._drops = self._probe_dropping()
        return self._drops

    def encode(self, text: str, context: int | None = None) -> list[int]:
        """The canonical token ids of `text`; added tokens in it become their ids.

        Thread-safe. Raises PromptTooLong if its mere size does not fit in `context`.
        """
        self._check_text(text, context)
        # encode_batch releases the GIL, encode does not.
        return list(self._tokenizer.encode_batch([text], add_special_tokens=False)[0].ids)

    def count(self, text: str) -> int:
        """How many tokens `text` has in a prompt; half a surrogate pair counts as a letter."""
        if not is_encodable(text):
            text = text.encode("utf-8", "replace").decode()
        return self._encoder.count(text)

    def decode(self, ids: Sequence[int], show_special: bool = True) -> str:
        """The text of `ids`; incomplete characters become U+FFFD."""
        shown = ids if show_special else [i for i in ids if i not in self._bytes.special]
        return self._bytes.text(shown, half=True)

    def piece(self, token_id: int) -> bytes:
        """The bytes of an id; b"" for one outside the vocabulary. Thread-safe."""
        return self._bytes[token_id]

    def detokenizer(self, show_special: bool = False) -> Detokenizer:
        """A new detokenizer, for the splitter or with its `tags`."""
        return Detokenizer(self._bytes, show_special, self._tags, self._tag_ids)

    def starts_thinking(self, prompt_ids: Sequence[int]) -> bool:
        """Whether the answer to this prompt starts inside a think block the prompt opened."""
        tail = self.decode(list(prompt_ids[-GENERATION_TAIL:]))
        return tail.rfind(OPEN_TAG) > tail.rfind(CLOSE_TAG) and tail.rstrip().endswith(OPEN_TAG)

    def think_splitter(self, prompt_ids: Sequence[int]) -> ThinkSplitter:
        """A new splitter for the answer to this prompt."""
        return ThinkSplitter(self.starts_thinking(prompt_ids), self._tags)

    def check_size(self, messages: Sequence[Message], options: PromptOptions, context: int) -> None:
        """Raises PromptTooLong if a conversation cannot fit in `context` by its mere size.

        Does not read the texts: each message is at least one token, and so is each tool.
        Thread-safe.
        """
        source = self._sources.get(self._template_name(options), "")
        parts = len(messages) + (len(options.tools) if "tools" in source else 0)
        # Templates trim texts, and may omit thinking and calls.
        texts = "".join(message.content.strip() for message in messages)
        self._check_text(texts, context, parts)

    def render(
        self,
        messages: Sequence[Message],
        options: PromptOptions | None = None,
        context: int | None = None,
    ) -> RenderedPrompt:
        """The prompt of a conversation, up to where the answer starts or continues.

        Control tokens come only from the template and from generated ids, never from text.

        Raises PromptTooLong if it cannot fit in `context` by its mere size, before it is read; the
        caller compares the tokens of any other. Raises PromptError if the conversation is empty,
        contains half a surrogate pair, has no answer to continue, or the template refuses it, and
        ModelError if the model has no usable template.
        """
        options = options or PromptOptions()
        if not messages:
            raise PromptError("The conversation is empty; write a message first.")
        if context is not None:
            self.check_size(messages, options, context)
        if options.continues:
            return self._render_begun(messages, options, context)
        name = self._template_name(options)
        write = self._writer(name, messages, options)

        text = write(messages, True)
        self._check_text(text.plain, context)
        probes = Probes(write)
        render = probes.render
        closings = self._closings.get((name, options.thinking))
        if closings is None:
            closings = self._closings[name, options.thinking] = Closings.probe(render)
        places = find_places(render, messages, text.sealed, closings)
        faithful = self._faithful.put_back(messages, text, places)
        prompt = PromptTokens(self._encoder, text.sealed, faithful.raw)
        finder = self._finders.setdefault(name, AnchorFinder(self._encoder))
        return RenderedPrompt(
            prompt.ids,
            finder.find(render, messages, options, prompt),
            _spans(places, len(messages), prompt),
            tuple(index for index, ids in faithful.missed if not contains(prompt.ids, ids)),
            faithful.edited,
        )

    def _check_text(self, text: str, context: int | None, parts: int = 0) -> None:
        least = max(self._bytes.least_tokens(text), parts)
        if context is not None and least >= context:
            raise PromptTooLong(least, context, counted=False)

    def _render_begun(
        self, messages: Sequence[Message], options: PromptOptions, context: int | None
    ) -> RenderedPrompt:
        """The prompt of the last answer, and the part of that answer that exists."""
        last = len(messages) - 1
        if messages[last].role != "assistant":
            raise PromptError(
                "Only an answer can be continued, but the last message is not the assistant's."
            )
        head = self.render(messages[:last], replace(options, continues=False), context)
        begun, edited = self._begun.take_up(
            messages[last],
            len(head.ids),
            opened=self.starts_thinking(head.ids),
            thinks=options.thinking and self.supports_thinking,
            gap=self._closings[self._template_name(options), options.thinking].of_thinking,
        )
        ids = head.ids + begun.ids
        border = head.spans[-1].end
        return replace(
            head,
            ids=ids,
            spans=(*head.spans, MessageSpan(last, border, len(ids) if border else 0)),
            edited=(*head.edited, last) if edited else head.edited,
            begun=begun,
        )

    def _template_name(self, options: PromptOptions) -> str:
        return "tool_use" if options.tools and "tool_use" in self._sources else "default"

    def _writer(
        self, name: str, messages: Sequence[Message], options: PromptOptions
    ) -> Callable[[Sequence[Message], bool], PromptText]:
        """A function that renders `messages`, parts of them, and dummies after them."""
        template = self._template(name)
        refuse_halves(messages, options)
        # The conversation is rendered many times, to probe its template.
        ready = {id(m): as_template_message(m) for m in messages}

        turns = self._turns.setdefault(name, TurnByTurn())

        def written(messages: Sequence[Message], options: PromptOptions, ends: bool) -> str:
            def render(messages: Sequence[Message], ends: bool) -> str:
                given = [ready.get(id(one)) or as_template_message(one) for one in messages]
                return template.render(given, options, ends)

            if options.keeps_thinking:
                return turns.render(render, messages, options, ends)
            return render(messages, ends)

        def own(messages: Sequence[Message], ends: bool) -> list[str]:
            """The control tokens that the template composes from pieces, whatever its input."""
            try:
                given = [neutral_message(message) for message in messages]
                return self._control.found(written(given, neutral_options(options), ends))
            except (PromptError, RecursionError):
                return []

        pieces: bool | None = None

        def write(messages: Sequence[Message], add_generation_prompt: bool) -> PromptText:
            nonlocal pieces
            text = written(messages, options, add_generation_prompt)
            found = self._control.found(text) if pieces is not False else []
            if found and pieces is None:
                pieces = bool(own(messages, add_generation_prompt))
            if found and pieces:
                if own(messages, add_generation_prompt) != found:
                    raise PromptError(_CONFUSED)
                text = self._control.spell(text)
            return self._control.prompt(text)

        return write

    def ids_showing(self, ids: tuple[int, ...], shown: str) -> tuple[int, ...]:
        """The generated ids up to the end of the text `shown`, before a stop string.

        Empty if the stop string begins inside a token.
        """
        for kept in range(len(ids), max(len(ids) - LONGEST_STOP_TOKENS, -1), -1):
            if self.decode(ids[:kept], show_special=False).endswith(shown):
                return ids[:kept]
        return ()

    def _template(self, name: str) -> ChatTemplate:
        if name not in self._templates:
            if name not in self._sources:
                raise ModelError(
                    "{folder} has no chat template, so it cannot chat; it can only continue"
                    " plain text. Choose an instruction-tuned model.",
                    folder=self.folder,
                )
            self._templates[name] = ChatTemplate(
                self._sources[name], self._source_file, self._special, self._control.spell
            )
        return self._templates[name]

    def _probe_thinking(self) -> bool:
        question = [Message("user", "Hello")]
        try:
            on, off = (
                self._writer("default", question, PromptOptions(thinking=thinking))(question, True)
                for thinking in (True, False)
            )
        except (ModelError, PromptError):
            return False
        return on != off

    def _probe_dropping(self) -> bool:
        answer = Message("assistant", "Hi.", thinking="A greeting.")
        chat = [Message("user", "Hello"), answer, Message("user", "So?")]
        try:
            text = self._writer("default", chat, PromptOptions(thinking=True))(chat, True)
        except (ModelError, PromptError):
            return False
        return answer.thinking not in text.plain


def _spans(
    places: Sequence[MessagePlace] | None, count: int, prompt: PromptTokens
) -> tuple[MessageSpan, ...]:
    """If the layout is unknown the spans are empty."""
    if places is None:
        return tuple(MessageSpan(index, 0, 0) for index in range(count))
    return tuple(
        MessageSpan(place.index, prompt.tokens_before(place.start), prompt.tokens_before(place.end))
        for place in places
    )
