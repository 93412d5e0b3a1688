"""Connects clients and the run loop: numbers requests, and routes events to their exchange."""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import json
import threading
from collections import OrderedDict
from collections.abc import AsyncIterator, Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from hashlib import blake2b
from typing import TYPE_CHECKING, Any, TypeVar

from engine.commands import Cancel, Prompt, Submit
from engine.config import Sampling
from engine.errors import BiplaneError
from engine.events import EngineClosed, Event, ModelInfo, RequestFailed, RequestFinished
from engine.message import Message, PromptOptions
from engine.net.server.asked import Asked, Tools, free
from engine.net.server.by_name import Known, Models, Opened, found
from engine.net.server.call_reader import CLOSE, FUNCTION, OPEN
from engine.net.server.config import ServeConfig
from engine.net.server.exchange import AnswerReader, Exchange
from engine.net.server.formats import Writer
from engine.net.server.pieces import Over
from engine.net.server.port import Port
from engine.net.server.problem import Refused, refusal, wrong
from engine.net.server.registry import FIRST_REQUEST, ClientRecord, ClientRegistry
from engine.net.server.volatile import VolatileSpan, volatile_spans, without

if TYPE_CHECKING:
    from engine.run.core import Core
    from engine.text.text_model import TextModel


T = TypeVar("T")
# One server may follow another on the same run loop.
_NUMBERS = itertools.count(FIRST_REQUEST)
MOST_ANSWERS = 4096
# Models whose answers are remembered at once.
MOST_MODELS = 4
# How often it is looked whether all answers of the open model are over.
_LOOK_S = 0.02
# Characters of text plus tokens; beyond it the least recently used answers are dropped.
MOST_SIZE = 32 << 20
_Key = tuple[bytes, bytes]
_NAME = "probe_of_biplane"
_TOOL = {
    "type": "function",
    "function": {
        "name": _NAME,
        "description": "",
        "parameters": {"type": "object", "properties": {}},
    },
}


def writes_tags(text: TextModel) -> bool:
    """Whether the template writes calls as tags rather than JSON.

    Determined by rendering a call, not by name: the template is what the model was taught.
    """
    call = Message("assistant", "", tool_calls=({"name": _NAME, "arguments": {}},))
    chat = [Message("user", "Hello"), call, Message("tool", "Done")]
    try:
        ids = text.render(chat, PromptOptions(tools=(_TOOL,))).ids
    except BiplaneError:
        return True
    return f"{FUNCTION}{_NAME}" in text.decode(ids)


def begun_call(tools: Tools, *, tags: bool) -> str:
    """The start of an answer that has to call a tool."""
    if tags:
        return f"{OPEN}\n{FUNCTION}" + (f"{tools.name}>\n" if tools.name else "")
    name = json.dumps(tools.name, ensure_ascii=False) if tools.name else '"'
    return f'{OPEN}\n{{"name": {name}' + (', "arguments":' if tools.name else "")


@dataclass(frozen=True, slots=True)
class Kept:
    """An answer as the model generated it.

    Attributes:
        text: with its calls as generated; None if the template has to write it.
        ids: for Message.token_ids.
    """

    text: str | None
    thinking: str
    ids: tuple[int, ...]

    @property
    def size(self) -> int:
        return len(self.text or "") + len(self.thinking) + len(self.ids)


class KeptAnswers:
    """The latest answers, by what a client received of them and the question they answered.

    Thread-safe: a long conversation is searched off the event loop.
    """

    def __init__(self) -> None:
        self._kept: OrderedDict[_Key, Kept] = OrderedDict()
        self._by_answer: dict[bytes, _Key] = {}
        self._size = 0
        self._lock = threading.Lock()

    def __len__(self) -> int:
        return len(self._kept)

    def add(self, asked: Sequence[Message], shown: Message, kept: Kept) -> None:
        """Record that `shown` was the answer to the conversation `asked`."""
        key = _digest(asked[-1]) if asked else b"", _digest(shown)
        with self._lock:
            self._drop(key)
            self._kept[key] = kept
            self._by_answer[key[1]] = key
            self._size += kept.size
            while len(self._kept) > MOST_ANSWERS or self._size > MOST_SIZE:
                self._drop(next(iter(self._kept)))

    def restore(self, messages: Sequence[Message]) -> tuple[Message, ...]:
        """The conversation with every known answer as the model generated it."""
        return tuple(
            self._restored(messages[at - 1] if at else None, message)
            if message.role == "assistant"
            else message
            for at, message in enumerate(messages)
        )

    def _restored(self, before: Message | None, message: Message) -> Message:
        answer = _digest(message)
        key = _digest(before) if before is not None else b"", answer
        with self._lock:
            # Else the same answer to another question: only the tokens above it differ.
            kept = self._kept.get(key) or self._kept.get(self._by_answer.get(answer, key))
            if key in self._kept:
                self._kept.move_to_end(key)
        if kept is None:
            return message
        thinking = message.thinking or kept.thinking
        if kept.text is None:
            return replace(message, thinking=thinking)
        return Message("assistant", kept.text, thinking=thinking, token_ids=kept.ids)

    def _drop(self, key: _Key) -> None:
        gone = self._kept.pop(key, None)
        if gone is not None:
            self._size -= gone.size
            if self._by_answer.get(key[1]) == key:
                del self._by_answer[key[1]]


def _digest(message: Message) -> bytes:
    """A hash of what a client returns of a message: not its thinking nor its JSON spelling."""
    calls: list[Any] = [[call["name"], call["arguments"]] for call in message.tool_calls]
    told = json.dumps([message.role, message.content.strip(), calls], sort_keys=True)
    return blake2b(told.encode("utf-8", "surrogatepass"), digest_size=16).digest()


class Hub:
    """Lives on the server's event loop; only `attach` and `detach` may be called from elsewhere.

    Attributes:
        registry: clients and requests.
        models: those that requests may open by name; None: they use the one that is open.
    """

    def __init__(
        self, config: ServeConfig, registry: ClientRegistry, before: Hub | None = None
    ) -> None:
        """before: a stopped one, whose answers are recognised here, too."""
        self._config = config
        self.registry = registry
        self.models: Models | None = None
        # Held from looking which model is open until a request is submitted to it.
        self._door = asyncio.Lock()
        self._open: dict[int, Exchange] = {}
        # By model, since token ids are only valid for one; of those that were open last.
        self._answers_of: OrderedDict[str, KeptAnswers] = (
            OrderedDict() if before is None else before._answers_of
        )
        # Whether the open model writes calls as tags; None until needed.
        self._tags: bool | None = None
        self._text: TextModel | None = None
        self._attached: tuple[Port, ModelInfo] | None = None
        self._deaf: Callable[[], None] | None = None
        self._loop: asyncio.AbstractEventLoop | None = None

    def attach(self, port: Port, model: ModelInfo) -> None:
        """Run requests there from now on."""
        self.detach()
        self._answers_of[model.folder] = self._answers_of.pop(model.folder, KeptAnswers())
        while len(self._answers_of) > MOST_MODELS:
            self._answers_of.popitem(last=False)
        self._text = self._tags = None
        self._attached = port, model
        self._deaf = port.listeners.add(self._hear)

    def detach(self) -> None:
        """Stop running requests; open ones fail."""
        self._attached = self._text = None
        if self._deaf is not None:
            self._deaf()
            self._deaf = None
        self._on_loop(self._fail_all)

    def run_on(self, loop: asyncio.AbstractEventLoop | None) -> None:
        """Set the event loop of the exchanges; None: it ended."""
        self._loop = loop

    @property
    def model(self) -> ModelInfo:
        """The open model. Raises Refused if there is none."""
        return self._port_and_model()[1]

    @property
    def context(self) -> int | None:
        """Maximum tokens of a prompt for any model; None while none is open."""
        return None if self._attached is None else max(one.context for one in self.known)

    @property
    def known(self) -> tuple[Known, ...]:
        """The open model, and those that requests may open. Raises Refused if none is open."""
        now = Known.of(self.model)
        others = () if self.models is None else self.models.known
        return (now, *(one for one in others if one.name != now.name))

    async def begin(self, asked: Asked, client: ClientRecord, path: str) -> Exchange:
        """Submit a request, once the model that it names is open. Raises Refused."""
        async with self._with_model(asked) as opened:
            return await self._begin(asked, client, path, opened)

    @contextlib.asynccontextmanager
    async def _with_model(self, asked: Asked) -> AsyncIterator[Opened | None]:
        """Meanwhile no other model is opened. Raises Refused."""
        if self.models is None:
            yield None
            return
        async with self._door:
            yield await self._opened(self.models, asked.model)

    async def _opened(self, models: Models, given: str) -> Opened | None:
        """Open the model named `given`, after the answers of the one that is open."""
        if not given:
            return None
        name = found(models.known, given).name
        if self._attached is not None and self._attached[1].name == name:
            return None
        while self._open:
            await asyncio.sleep(_LOOK_S)
        # If its client leaves, the switch is carried out all the same.
        return await asyncio.shield(_beside(lambda: models.open(name)))

    async def _begin(
        self, asked: Asked, client: ClientRecord, path: str, opened: Opened | None
    ) -> Exchange:
        self._check_room()
        model = self.model
        try:
            limit = {"max_tokens": max(1, model.context)}
            sampling = model.sampling.merged(limit | asked.sampling)
        except BiplaneError as error:
            raise refusal(error) from None
        asked, spans = await self._tidied(asked)
        grammar = await self._grammar(asked)
        if grammar:
            _check_end(sampling)
            sampling = replace(sampling, grammar=grammar)
        elif asked.tools.described and asked.tools.choice == "none":
            # The tools stay in the prompt, so that it does not diverge there.
            sampling = replace(sampling, stop=(*sampling.stop, OPEN))
        elif asked.tools.callable and asked.tools.one:
            sampling = replace(sampling, stop=(*sampling.stop, CLOSE))
        prompt, options, head = await self._prepared(asked)
        # It parses the client's prefill, however long.
        reader = await asyncio.to_thread(AnswerReader, asked.tools, head)
        # Meanwhile others may have queued, and the model may have been closed.
        self._check_room()
        port, _ = self._port_and_model()
        number = next(_NUMBERS)
        exchange = Exchange(
            number,
            self.registry,
            reader,
            spans,
            opened=opened,
            context=model.context,
            let_go=lambda: self._let_go(port, number),
            keep=partial(self._keep, self._answers_of[model.folder], asked.messages),
        )
        self._open[number] = exchange
        notes = [span.sentence for span in spans] + ([opened.sentence] if opened else [])
        self.registry.begin(number, client, path, notes)
        once = asked.one_shot
        owner = client.one_shots if once else client.owner
        said = asked.prediction
        port.post(
            Submit(
                *(number, prompt, sampling, options),
                owner=owner,
                one_shot=once,
                prediction=said,
            )
        )
        return exchange

    async def _grammar(self, asked: Asked) -> str:
        """What the answer has to follow; "" if it may be anything. Raises Refused."""
        form, tools = asked.format, asked.tools
        last = asked.messages[-1] if asked.messages else None
        if form and last and last.role == "assistant" and last.content:
            raise wrong(
                form.path, f"{form.path} is not possible for an answer that has begun already."
            )
        if not (form or (tools.callable and (tools.forced or tools.strict))):
            return ""
        tags = tools.callable and await self._writes_tags()
        grammars = await self.ask(lambda core: core.grammars)
        return await _beside(lambda: Writer(grammars, tags=tags).written(form, tools))

    def _check_room(self) -> None:
        """Raises Refused if the queue is full."""
        if len(self._open) > self._config.waiting:
            raise Refused(
                "rate_limit_error",
                f"{len(self._open):,} requests are waiting already: send this one again later.",
            )

    async def prompt_ids(self, asked: Asked) -> tuple[int, ...]:
        """The tokens of a request's prompt, with the model free to answer. Raises Refused."""
        async with self._with_model(asked):
            asked, _ = await self._tidied(replace(asked, tools=free(asked.tools)))
            prompt, options, _ = await self._prepared(asked)
            return await self.ask(lambda core: core.prompt_ids(prompt, options))

    async def with_text(self, work: Callable[[TextModel], T]) -> T:
        """Run work on the open model's text side, off the event loop. Raises Refused."""
        text = await self._read_with()
        return await _beside(lambda: work(text))

    async def _tidied(self, asked: Asked) -> tuple[Asked, Sequence[VolatileSpan]]:
        """Without the volatile spans if the user omits them, and the spans found.

        What cannot fit is refused first, before it is searched. Raises Refused.
        """
        text, context = await self._read_with(), self.model.context
        removed = self._config.leave_out_volatile

        def tidied() -> tuple[Asked, Sequence[VolatileSpan]]:
            text.check_size(asked.messages, PromptOptions(tools=asked.tools.described), context)
            spans = volatile_spans(asked.messages, removed=removed)
            if not (removed and spans):
                return asked, spans
            return replace(asked, messages=without(asked.messages, spans)), spans

        return await _beside(tidied)

    async def _read_with(self) -> TextModel:
        """The open model's text side, for thread-safe calls."""
        if self._text is None:
            self._text = await self.ask(lambda core: core.text)
        return self._text

    async def _prepared(self, asked: Asked) -> tuple[Prompt, PromptOptions, str]:
        """The prompt, the template's inputs, and the prefilled start of the answer."""
        raw = asked.raw
        if isinstance(raw, str):
            text, context = await self._read_with(), self.model.context
            given = raw
            return tuple(await _beside(lambda: text.encode(given, context))), PromptOptions(), ""
        if raw is not None:
            if max(raw) >= self.model.vocab_size:
                raise wrong(
                    "prompt", "prompt holds the id of a token that the model does not have."
                )
            return raw, PromptOptions(), ""
        config, keeps = self._config, asked.keeps_thinking
        options = PromptOptions(
            thinking=config.thinking if asked.thinking is None else asked.thinking,
            tools=asked.tools.described,
            keeps_thinking=config.keep_thinking if keeps is None else keeps,
        )
        answers = self._answers_of[self.model.folder]
        messages = await asyncio.to_thread(answers.restore, asked.messages)
        last = messages[-1]
        if last.role == "assistant" and last.content and not last.tool_calls:
            # The client prefills the answer, which continues from there.
            return messages, replace(options, continues=True), last.content
        if not asked.tools.forced:
            return messages, options, ""
        head = begun_call(asked.tools, tags=await self._writes_tags())
        ids = await self.ask(lambda core: tuple(core.text.encode(head)))
        # It cannot think first: the answer is the call.
        options = replace(options, thinking=False, continues=True)
        return (*messages, Message("assistant", head, token_ids=ids)), options, head

    async def _writes_tags(self) -> bool:
        if self._tags is None:
            self._tags = await self.ask(lambda core: writes_tags(core.text))
        return self._tags

    def _keep(
        self,
        answers: KeptAnswers,
        messages: Sequence[Message],
        over: Over,
        event: RequestFinished,
        reader: AnswerReader,
    ) -> None:
        """Remember an answer, to recognise it when it is sent back as history."""
        if not messages or over.unfinished:
            return
        calls = tuple(
            {"name": call.name, "arguments": json.loads(call.arguments)} for call in over.calls
        )
        shown = Message("assistant", reader.calls.text, tool_calls=calls)
        if messages[-1].role == "assistant":
            messages = messages[:-1]
        # A call that was stopped at its end lacks the end.
        by_template = reader.in_thought or (bool(calls) and event.stop == "stop string")
        kept = Kept(
            None if by_template else event.text,
            reader.thinking if reader.in_thought else event.thinking,
            () if by_template else event.token_ids,
        )
        answers.add(messages, shown, kept)

    async def ask(self, function: Callable[[Core], T], *, anytime: bool = True) -> T:
        """Run a function on the core between two of its steps. Raises Refused.

        Unless `anytime`, between two requests.
        """
        port, _ = self._port_and_model()
        try:
            return await asyncio.wrap_future(port.call(function, anytime=anytime))
        except BiplaneError as error:
            raise refusal(error) from None

    def _port_and_model(self) -> tuple[Port, ModelInfo]:
        if self._attached is None:
            raise Refused(
                "overloaded_error", "No model is open in Biplane: open one, or wait until it is."
            )
        return self._attached

    def _let_go(self, port: Port, number: int) -> None:
        if self._open.pop(number, None) is not None:
            # No effect on a finished request.
            port.post(Cancel(number))

    def _hear(self, event: Event) -> None:
        """Runs on the run loop's thread."""
        if isinstance(event, EngineClosed):
            self._on_loop(self._fail_all)
            return
        number = getattr(event, "request", None)
        if isinstance(number, int) and number in self._open:
            self._on_loop(lambda: self._tell(number, event))

    def _tell(self, number: int, event: Event) -> None:
        exchange = self._open.get(number)
        if exchange is not None:
            exchange.hear(event)

    def _fail_all(self) -> None:
        for number, exchange in list(self._open.items()):
            exchange.hear(RequestFailed(request=number, sentence="The model was closed."))

    def _on_loop(self, step: Callable[[], None]) -> None:
        loop = self._loop
        if loop is None:
            return
        try:
            loop.call_soon_threadsafe(step)
        except RuntimeError:
            # The loop was just closed, and its exchanges with it.
            return


def _check_end(sampling: Sampling) -> None:
    """Raises Refused if the request says when the answer ends, which its format does."""
    for name, stated in (("min_tokens", sampling.min_tokens), ("ignore_eos", sampling.ignore_end)):
        if stated:
            raise wrong(name, f"{name} is not possible where a format says when the answer ends.")


async def _beside(work: Callable[[], T]) -> T:
    """Run work on text of any length off the event loop. Raises Refused."""
    try:
        return await asyncio.to_thread(work)
    except BiplaneError as error:
        raise refusal(error) from None
