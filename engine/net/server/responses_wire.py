"""The wire format of /v1/responses."""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from typing import Any

from engine.net.server.asked import Asked
from engine.net.server.exchange import Answers
from engine.net.server.pieces import CallArguments, CallBegan, Over, Said, Thought
from engine.net.server.problem import Refused
from engine.net.server.usage import responses_usage
from engine.net.server.wire import sse

# What events call the text of each kind of item.
_TEXTS = {"message": "output_text", "reasoning": "reasoning_text"}


MOST_KEPT = 64


class KeptResponses:
    """The latest answers, for clients that ask for one again by its id."""

    def __init__(self) -> None:
        self._kept: OrderedDict[str, dict[str, Any]] = OrderedDict()

    def wire(self, answers: Answers, model: str, asked: Asked) -> ResponsesWire:
        """What writes an answer and keeps it."""
        return ResponsesWire(answers, model, asked, self._keep)

    def find(self, name: str) -> dict[str, Any]:
        """Raises Refused."""
        if name not in self._kept:
            raise Refused("not_found_error", "No such answer is kept.", "id")
        return self._kept[name]

    def drop(self, name: str) -> None:
        """Raises Refused."""
        self.find(name)
        del self._kept[name]

    def _keep(self, response: dict[str, Any]) -> None:
        self._kept[response["id"]] = response
        while len(self._kept) > MOST_KEPT:
            self._kept.popitem(last=False)


class ResponsesWire:
    """One answer of /v1/responses."""

    def __init__(
        self,
        answers: Answers,
        model: str,
        asked: Asked,
        keep: Callable[[dict[str, Any]], None] = lambda response: None,
    ) -> None:
        """keep: called with the complete answer if the client may ask for it again."""
        self._keep = keep if asked.repeated.get("store") else lambda response: None
        self._exchange = exchange = answers.first
        self._id = f"{exchange.number:x}"
        self._frame: dict[str, Any] = {
            "id": f"resp_{self._id}",
            "object": "response",
            "created_at": int(time.time()),
            "model": model,
            "previous_response_id": None,
            "background": False,
            **asked.repeated,
        }
        self._sent = 0
        self._items: list[dict[str, Any]] = []

    def whole(self, overs: Sequence[Over]) -> dict[str, Any]:
        (over,) = overs
        if over.thinking:
            self._items.append(self._item("reasoning", over.thinking))
        if over.whole_text or not over.calls:
            self._items.append(self._item("message", over.whole_text))
        for call in over.calls:
            self._items.append(self._called(call.id, call.name, call.arguments))
        return self._ended(over)

    async def chunks(self) -> AsyncIterator[bytes]:
        """The answer as server-sent events."""
        # While an item is open: its kind, its text, and for a call its id and name.
        kind, text, call = "", "", ("", "")
        yield self._event("response.created", response=self._response("in_progress"))
        yield self._event("response.in_progress", response=self._response("in_progress"))
        try:
            async for piece in self._exchange.pieces():
                match piece:
                    case Thought() | Said():
                        wanted = "reasoning" if isinstance(piece, Thought) else "message"
                        if kind != wanted:
                            for one in self._close(kind, text, call):
                                yield one
                            kind, text = wanted, ""
                            for one in self._open(kind, call):
                                yield one
                        text += piece.text
                        yield self._delta(kind, piece.text)
                    case CallBegan():
                        for one in self._close(kind, text, call):
                            yield one
                        kind, text, call = "function_call", "", (piece.id, piece.name)
                        for one in self._open(kind, call):
                            yield one
                    case CallArguments():
                        text += piece.text
                        yield self._delta(kind, piece.text)
                    case Over():
                        for one in self._close(kind, text, call, cut=bool(piece.unfinished)):
                            yield one
                        ended = self._ended(piece)
                        yield self._event(f"response.{ended['status']}", response=ended)
        except Refused as refused:
            error = {"code": refused.code or "server_error", "message": refused.said("")}
            failed = self._response("failed") | {"error": error}
            yield self._event("response.failed", response=failed)

    def _open(self, kind: str, call: tuple[str, str]) -> Iterator[bytes]:
        if kind == "function_call":
            item = self._called(*call, "", "in_progress")
        else:
            item = self._item(kind, None)
        yield self._event("response.output_item.added", item=item, **self._at())
        if kind == "message":
            part = _part(kind, "")
            yield self._event(
                "response.content_part.added", part=part, item_id=item["id"], **self._in()
            )

    def _delta(self, kind: str, text: str) -> bytes:
        if kind == "function_call":
            name, place = "response.function_call_arguments.delta", self._at()
        else:
            name, place = f"response.{_TEXTS[kind]}.delta", self._in()
        more: dict[str, Any] = {"logprobs": []} if kind == "message" else {}
        return self._event(name, delta=text, item_id=self._item_id(kind), **place, **more)

    def _close(
        self, kind: str, text: str, call: tuple[str, str], *, cut: bool = False
    ) -> Iterator[bytes]:
        """The end of an open item; `cut`: a call was cut off."""
        if not kind:
            return
        at, item_id = self._at(), self._item_id(kind)
        if kind == "function_call":
            item = self._called(*call, text, "incomplete" if cut else "completed")
            if not cut:
                yield self._event(
                    "response.function_call_arguments.done",
                    arguments=text,
                    name=call[1],
                    item_id=item_id,
                    **at,
                )
        else:
            item = self._item(kind, text)
            more: dict[str, Any] = {"logprobs": []} if kind == "message" else {}
            yield self._event(
                f"response.{_TEXTS[kind]}.done", text=text, item_id=item_id, **self._in(), **more
            )
            if kind == "message":
                part = _part(kind, text)
                yield self._event(
                    "response.content_part.done", part=part, item_id=item_id, **self._in()
                )
        yield self._event("response.output_item.done", item=item, **at)
        self._items.append(item)

    def _item(self, kind: str, text: str | None) -> dict[str, Any]:
        """A text item; None: it has only begun."""
        item: dict[str, Any] = {
            "type": kind,
            "id": self._item_id(kind),
            "status": "in_progress" if text is None else "completed",
            "content": [] if text is None else [_part(kind, text)],
        }
        more: dict[str, Any] = {"summary": []} if kind == "reasoning" else {"role": "assistant"}
        return item | more

    def _called(
        self, id_: str, name: str, arguments: str, status: str = "completed"
    ) -> dict[str, Any]:
        return {
            "type": "function_call",
            "id": self._item_id("function_call"),
            "call_id": id_,
            "name": name,
            "arguments": arguments,
            "status": status,
        }

    def _item_id(self, kind: str) -> str:
        short = {"message": "msg", "reasoning": "rs", "function_call": "fc"}[kind]
        return f"{short}_{self._id}_{len(self._items)}"

    def _at(self) -> dict[str, int]:
        return {"output_index": len(self._items)}

    def _in(self) -> dict[str, int]:
        return {"output_index": len(self._items), "content_index": 0}

    def _response(self, status: str) -> dict[str, Any]:
        ended = {"status": status, "error": None, "incomplete_details": None, "usage": None}
        return {**self._frame, **ended, "output": list(self._items)}

    def _ended(self, over: Over) -> dict[str, Any]:
        response = self._response("completed") | {"usage": responses_usage(over)}
        if over.finish == "length":
            details = {"reason": "max_output_tokens"}
            response |= {"status": "incomplete", "incomplete_details": details}
        self._keep(response)
        return response

    def _event(self, kind: str, /, **fields: object) -> bytes:
        number, self._sent = self._sent, self._sent + 1
        return sse({"type": kind, "sequence_number": number, **fields}, kind)


def _part(kind: str, text: str) -> dict[str, Any]:
    part: dict[str, Any] = {"type": _TEXTS[kind], "text": text}
    return part | ({"annotations": [], "logprobs": []} if kind == "message" else {})
