"""A client's request, independent of the interface."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any, Literal

from engine.message import Message

Kind = Literal["json", "regex", "choice", "grammar"]
Choice = Literal["none", "auto", "required", "named"]


@dataclass(frozen=True, slots=True)
class Format:
    """What the answer has to look like.

    Attributes:
        value: the schema, the pattern, the texts to choose from, or the grammar.
        path: of the field that says so.
    """

    kind: Kind
    value: Any
    path: str


@dataclass(frozen=True, slots=True)
class Tools:
    """The tools that a request offers.

    Attributes:
        described: in the form the chat template takes.
        choice: "auto" lets the model decide, "none" prevents calls, "required" forces one, "named"
            forces the one called `name`.
        several: whether there may be several calls; None: only where none is forced.
        strict: names of those whose calls have to follow their schemas.
        paths: where the body has each one's schema.
    """

    described: tuple[dict[str, Any], ...] = ()
    choice: Choice = "auto"
    name: str = ""
    several: bool | None = None
    strict: frozenset[str] = frozenset()
    paths: tuple[str, ...] = ()

    @property
    def one(self) -> bool:
        return self.several is False

    def at(self, index: int) -> tuple[str, dict[str, Any], str]:
        """The name, the schema and its path, of one of them."""
        function = self.described[index]["function"]
        return function["name"], function["parameters"], self.paths[index]

    @property
    def callable(self) -> bool:
        """Whether the answer may contain calls."""
        return bool(self.described) and self.choice != "none"

    @property
    def forced(self) -> bool:
        return bool(self.described) and self.choice in ("required", "named")

    def schema(self, name: str) -> dict[str, Any]:
        """The JSON schema of a tool's parameters; {} if there is no such tool."""
        for tool in self.described:
            function = tool.get("function")
            if isinstance(function, dict) and function.get("name") == name:
                parameters = function.get("parameters")
                return parameters if isinstance(parameters, dict) else {}
        return {}


def free(tools: Tools) -> Tools:
    """The same tools without a forced call."""
    return replace(tools, choice="auto", name="") if tools.forced else tools


@dataclass(frozen=True, slots=True)
class Asked:
    """One request to the model.

    Attributes:
        messages: the conversation; empty if `prompts` are given.
        prompts: texts without a chat template, or their token ids.
        sampling: the fields of Sampling that the request sets.
        format: what the answer has to look like; None: as it likes.
        thinking, keeps_thinking: as in PromptOptions; None leaves it to the server.
        stream: the answer is sent while it is generated.
        include_usage: a stream ends with the usage.
        prediction: a text that the answer will probably repeat.
        n: how many answers to each prompt.
        echo: the answer repeats the prompt.
        repeated: what the answer's frame says of the request.
        model: the name that the request gives; "" if it gives none.
    """

    messages: tuple[Message, ...] = ()
    prompts: tuple[str | tuple[int, ...], ...] = ()
    sampling: dict[str, object] = field(default_factory=dict)
    tools: Tools = Tools()
    format: Format | None = None
    thinking: bool | None = None
    keeps_thinking: bool | None = None
    stream: bool = False
    include_usage: bool = False
    prediction: str = ""
    n: int = 1
    echo: bool = False
    repeated: dict[str, Any] = field(default_factory=dict)
    model: str = ""

    @property
    def raw(self) -> str | tuple[int, ...] | None:
        """The text to continue, of a single answer."""
        return self.prompts[0] if self.prompts else None

    def single(self) -> list[Asked]:
        """A request for each answer, in order; those of one prompt have different seeds."""
        seed = self.sampling.get("seed")
        return [
            replace(
                self,
                prompts=prompts,
                sampling=self.sampling | ({"seed": seed + at} if isinstance(seed, int) else {}),
                n=1,
            )
            for prompts in [self.prompts[at : at + 1] for at in range(len(self.prompts) or 1)]
            for at in range(self.n)
        ]

    @property
    def one_shot(self) -> bool:
        """Whether it has no history and offers no tools: a title, a summary, a code completion.

        It may also be the first turn of a chat.
        """
        spoken = any(message.role in ("assistant", "tool") for message in self.messages)
        return not spoken and not self.tools.described
