"""Answers to commands that run no request: queries at any time, recordings between requests."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from engine import commands, events
from engine.errors import BiplaneError, PromptTooLong
from engine.failures import Failures
from engine.run.journal_feed import JournalFeed
from engine.run.token_counter import TokenCounter
from engine.sentence import say

if TYPE_CHECKING:
    from engine.journal.recorder import Recording
    from engine.run.core import Core


SHOWING = say("Showing the cache")
# The name of each command in failure messages.
NAMES: dict[type[commands.Command], str] = {
    commands.Probe: say("Looking up what the text would reuse"),
    commands.CountTokens: say("Counting tokens"),
    commands.DescribeNode: say("Showing the node"),
    commands.CheckInvariants: say("Checking the cache"),
    commands.DropCache: say("Clearing the cache"),
    commands.Forget: say("Removing a conversation from the cache"),
    commands.Claim: say("Noting whose a prompt is"),
    commands.Record: say("Recording a trace"),
    commands.StopRecording: say("Ending the trace"),
}
CLOSED = say("The engine is closed.")


def closed_answer(command: object) -> events.Event | None:
    """The reply to a command after the engine's end; None if none is expected."""
    match command:
        case commands.Submit():
            return events.RequestFailed(request=command.request, sentence=CLOSED)
        case commands.Forget():
            return events.Forgotten(number=command.number, bytes=0, files=0, sentence=CLOSED)
        case commands.Act() | commands.UndoAct() | commands.WarmPrompt():
            return events.Acted(number=command.number, node=None, done=False, sentence=CLOSED)
    return None


class Answers:
    """Answers each command with an event; a failure affects only that command."""

    def __init__(
        self,
        emit: Callable[[events.Event], None],
        failures: Failures,
        feed: JournalFeed,
    ) -> None:
        self._emit = emit
        self._failures = failures
        self._feed = feed
        self._counter = TokenCounter(emit)

    def answer(self, command: commands.Command, core: Core) -> None:
        """Answer a query, even between two steps of a request."""
        self._failures.attempt(NAMES[type(command)], lambda: self._ask(command, core))

    def go_on(self, core: Core) -> bool:
        """Continue a long answer between two steps; False if there is none."""
        worked: list[bool] = []
        name = NAMES[commands.CountTokens]
        done = self._failures.attempt(
            name, lambda: worked.append(self._counter.step(lambda text: core.text.count(text)))
        )
        return not done or any(worked)

    def record(self, command: commands.Record, core: Core) -> None:
        """Start a recording, between two requests; reports whether it began."""
        path = Path(command.path)
        begun = self._failures.attempt(
            NAMES[type(command)], lambda: core.recordings.start(path, text=command.text)
        )
        self._emit(events.RecordingBegan() if begun else events.RecordingEnded(written=False))

    def stop_recording(self, command: commands.StopRecording, core: Core) -> None:
        """End the recording; reports whether it was written."""
        ended: list[Recording | None] = []
        self._failures.attempt(NAMES[type(command)], lambda: ended.append(core.recordings.stop()))
        written = any(done is not None and not done.problem for done in ended)
        self._emit(events.RecordingEnded(written=written))

    def tune(self, command: commands.Tune, core: Core) -> None:
        """Change the settings between two requests; reports whether that succeeded."""
        try:
            core.tuning.tune(command)
        except BiplaneError as error:
            sentence = str(error)
        except BaseException as error:
            sentence = self._failures.sentence(say("Changing the settings"), error)
        else:
            sentence = ""
        self._emit(events.Tuned(number=command.number, sentence=sentence))
        self._feed.feed(now=True)

    def _ask(self, command: commands.Command, core: Core) -> None:
        match command:
            case commands.Probe():
                self._probe(command, core)
            case commands.CountTokens():
                self._counter.ask(command)
            case commands.DescribeNode():
                text = core.node_text(command.node)
                if text is not None:
                    self._emit(text)
            case commands.Forget():
                core.background.forget(command, self._emit)
            case commands.Claim():
                core.background.claim(command)
            case commands.CheckInvariants():
                checked = core.check_each()
                broken = next((one.problem for one in checked if one.problem), "")
                self._emit(
                    events.InvariantsChecked(broken=broken, number=command.number, checked=checked)
                )
            case commands.DropCache():
                core.drop_cache()
                self._feed.feed(now=True)

    def _probe(self, command: commands.Probe, core: Core) -> None:
        try:
            plan = core.probe(command.prompt, command.options, command.owner)
        except BiplaneError as error:
            tokens = error.tokens if isinstance(error, PromptTooLong) else None
            sentence = str(error)
        except BaseException as error:
            # A panic in Rust code is not an Exception.
            tokens, sentence = None, self._failures.sentence(NAMES[commands.Probe], error)
        else:
            self._emit(events.ProbeAnswered(probe=command.probe, plan=plan))
            return
        self._emit(events.ProbeRefused(probe=command.probe, sentence=sentence, tokens=tokens))
