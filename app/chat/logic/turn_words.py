"""The progress of an answer, and what its prompt would reuse, as text. Without Qt."""

from __future__ import annotations

from dataclasses import dataclass

from app.core.session.records import Preview, Turn, TurnState
from app.core.words import format as fmt
from app.core.words.engine_words import said
from app.core.words.joining import listed, sentence
from app.core.words.tr import tr

_DOT = " · "


@dataclass(slots=True)
class PrefillClock:
    """Measures the progress of one prefill.

    Attributes:
        started: when its first progress was seen, in seconds; None before.
        done, total: tokens prefilled and to prefill.
        tok_s: tokens per second so far; None before the first chunk.
    """

    started: float | None = None
    done: int = 0
    total: int = 0
    tok_s: float | None = None
    _at: float = 0.0

    def note(self, done: int, total: int, now: float) -> None:
        """Record the progress at a time; the first call starts the clock."""
        if self.started is None or done < self.done:
            self.started, self.done, self.tok_s = now, 0, None
        if done > self.done:
            spent = now - self.started
            self.tok_s = done / spent if spent > 0 else None
            self._at = now
        self.done, self.total = done, total

    def left_s(self, now: float) -> float | None:
        """Seconds until the first token; None before the first chunk."""
        if self.tok_s is None:
            return None
        return max(0.0, (self.total - self.done) / self.tok_s - (now - self._at))


def progress_text(turn: Turn, tok_s: float | None = None, left_s: float | None = None) -> str:
    """The progress of an answer before its first token; "" once there is text.

    `tok_s`: prefill speed in tokens per second; `left_s`: estimated seconds left.
    """
    match turn.state:
        case TurnState.WAITING:
            return said(turn.waits_for) if turn.waits_for else tr("Waiting for the model")
        case TurnState.QUEUED:
            return tr("Waiting for {answers} ahead").format(
                answers=fmt.plural(turn.ahead, "answer")
            )
        case TurnState.READING:
            text = tr("Reading prompt {done} of {total}").format(
                done=fmt.count(turn.done), total=fmt.count(turn.total)
            )
            if tok_s is not None:
                text += f"{_DOT}{fmt.rate(tok_s)}"
            if left_s is not None:
                # Tenths would flicker, and suggest more precision than there is.
                left = tr("less than 1 s") if left_s < 1 else fmt.thinking_time(round(left_s))
                text += tr("{dot}{left} left").format(dot=_DOT, left=left.replace(".0 s", " s"))
            return text
    return ""


def thinking_title(turn: Turn, *, short: bool = False) -> str:
    """The header of the folded reasoning. short: omit the token count."""
    figures = fmt.thinking_time(turn.thinking_s)
    if not short:
        figures += _DOT + fmt.plural(turn.thinking_tokens, "token")
    if turn.state is TurnState.THINKING:
        return tr("Thinking… {figures}").format(figures=figures)
    mark = tr("{dot}not sent again").format(dot=_DOT) if turn.dropped else ""
    return tr("Thought for {figures}{mark}").format(figures=figures, mark=mark)


def ending_text(turn: Turn) -> str:
    """Why an answer ended; "" if it finished normally."""
    if turn.state is TurnState.STOPPED:
        return tr("Stopped")
    if turn.state is TurnState.INTERRUPTED:
        return tr("Not complete: Biplane ended while this was written")
    if turn.stop == "context":
        return tr("Stopped because the context is full")
    return tr("Cut at the length limit") if turn.stop == "length" else ""


def preview_wordings(preview: Preview | None) -> tuple[str, ...]:
    """The composer's hint: how much of the prompt is cached; longest first.

    In a narrow window it omits the time.
    """
    if preview is None:
        return ("",)
    plan = preview.plan
    text = tr("will reuse {reused} of {total} tokens").format(
        reused=fmt.thousands(plan.reused), total=fmt.thousands(plan.total)
    )
    if plan.predicted_seconds is None:
        return (text,)
    first = tr(", {predicted_seconds} to the first token").format(
        predicted_seconds=fmt.about(plan.predicted_seconds)
    )
    return (text + first, text)


def preview_detail(preview: Preview | None) -> str:
    """The hint's tooltip: the exact figures."""
    if preview is None:
        return ""
    plan = preview.plan
    parts = [
        tr("{reused} of {tokens} come from the cache").format(
            reused=fmt.count(plan.reused), tokens=fmt.plural(plan.total, "token")
        )
    ]
    if plan.replayed:
        parts.append(
            tr("{replayed} known ones are replayed").format(replayed=fmt.count(plan.replayed))
        )
    parts.append(tr("{computed} are new").format(computed=fmt.count(plan.computed)))
    return sentence(listed(parts))
