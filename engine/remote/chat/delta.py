"""One piece of a streamed answer."""

from __future__ import annotations

from dataclasses import dataclass

from engine.errors import RemoteError
from engine.remote.chat import trouble
from engine.remote.chat.address import Address
from engine.remote.chat.reading import count, items, parsed, record, text
from engine.remote.chat.usage import Told, told_in

# The last event of a stream.
DONE = "[DONE]"


@dataclass(frozen=True, slots=True)
class Delta:
    """What one event says; each part of it may be missing.

    Attributes:
        text, thinking: new characters.
        finish: why the answer ended, as the server names it; "" as long as it goes on.
        told: of the whole request.
        read, to_read: tokens of the prompt that ran, of those to run.
    """

    text: str = ""
    thinking: str = ""
    finish: str = ""
    told: Told | None = None
    read: int = 0
    to_read: int = 0


def delta_of(data: str, address: Address, *, seen: bool) -> Delta:
    """Read one event.

    seen: an earlier one of this stream could be read.

    Raises:
        RemoteError: it is none of this protocol, or it reports an error.
    """
    chunk = parsed(data)
    if chunk is None:
        if seen:
            raise RemoteError(f"{address.origin} sends an event that cannot be read: ask again.")
        raise trouble.not_compatible(address, "its answer is not a stream of JSON")
    if chunk.get("error"):
        why = trouble.message_in(data.encode()) or "it does not say why"
        raise RemoteError(f"{address.origin} reports an error: {why}.")
    if "choices" not in chunk and "usage" not in chunk:
        raise trouble.not_compatible(address, "its events are not those of a chat")
    choice = record(next(iter(items(chunk.get("choices"))), None))
    # The whole answer at once, from a server that does not stream.
    said = record(choice.get("delta")) or record(choice.get("message"))
    progress = record(chunk.get("prompt_progress"))
    done, total = count(progress.get("processed")), count(progress.get("total"))
    cached = count(progress.get("cache")) or 0
    told = told_in(chunk)
    if told is None and total is not None:
        told = Told(prompt=total, cached=cached)
    return Delta(
        text(said.get("content")),
        text(said.get("reasoning_content")) or text(said.get("reasoning")),
        text(choice.get("finish_reason")),
        told,
        max(0, (done or 0) - cached),
        max(0, (total or 0) - cached) if done is not None else 0,
    )
