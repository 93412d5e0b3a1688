"""What an answer is doing, and what its prompt would reuse, as text. Without Qt."""

from __future__ import annotations

from app.session.records import Preview, Turn, TurnState
from app.words import format as fmt

_DOT = " · "


def progress_text(turn: Turn, tok_s: float | None = None, left_s: float | None = None) -> str:
    """The progress of an answer before its first token; "" once there is text.

    `tok_s`: tokens of the prompt read per second; `left_s`: seconds until all are.
    """
    match turn.state:
        case TurnState.WAITING:
            return "Waiting for the model"
        case TurnState.QUEUED:
            return f"Waiting for {fmt.plural(turn.ahead, 'answer')} ahead"
        case TurnState.READING:
            text = f"Reading prompt {fmt.count(turn.done)} of {fmt.count(turn.total)}"
            if tok_s is not None:
                text += f"{_DOT}{fmt.rate(tok_s)}"
            if left_s is not None:
                # Tenths would flicker, and promise more than is known.
                left = "less than 1 s" if left_s < 1 else fmt.thinking_time(round(left_s))
                text += f"{_DOT}{left.replace('.0 s', ' s')} left"
            return text
    return ""


def thinking_title(turn: Turn, *, short: bool = False) -> str:
    """The header of the folded reasoning. short: without the number of its tokens."""
    figures = fmt.thinking_time(turn.thinking_s)
    if not short:
        figures += _DOT + fmt.plural(turn.thinking_tokens, "token")
    if turn.state is TurnState.THINKING:
        return f"Thinking… {figures}"
    mark = f"{_DOT}not sent again" if turn.dropped else ""
    return f"Thought for {figures}{mark}"


def ending_text(turn: Turn) -> str:
    """Why an answer ended, unless it simply finished."""
    if turn.state is TurnState.STOPPED:
        return "Stopped"
    if turn.state is TurnState.INTERRUPTED:
        return "Not complete: Biplane ended while this was written"
    if turn.stop == "context":
        return "Stopped because the context is full"
    return "Cut at the length limit" if turn.stop == "length" else ""


def preview_text(preview: Preview | None) -> str:
    """The composer's hint: how much of the prompt is already in the cache."""
    if preview is None:
        return ""
    plan = preview.plan
    text = f"will reuse {fmt.thousands(plan.reused)} of {fmt.thousands(plan.total)} tokens"
    if plan.predicted_seconds is not None:
        text += f", {fmt.about(plan.predicted_seconds)} to the first token"
    return text


def preview_detail(preview: Preview | None) -> str:
    """The hint's tooltip: the exact figures."""
    if preview is None:
        return ""
    plan = preview.plan
    parts = [f"{fmt.count(plan.reused)} of {fmt.plural(plan.total, 'token')} come from the cache"]
    if plan.replayed:
        parts.append(f"{fmt.count(plan.replayed)} known ones are replayed")
    parts.append(f"{fmt.count(plan.computed)} are new")
    return ", ".join(parts) + "."
