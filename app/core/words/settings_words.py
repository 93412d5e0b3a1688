"""What is said of a setting, and those of a conversation in words. Without Qt."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from app.core.words import format as fmt
from app.core.words.joining import in_turn, listed, sentence
from app.core.words.tr import tr
from engine.reuse import ReusePlan


@dataclass(frozen=True, slots=True)
class Words:
    """A setting in words.

    Attributes:
        also: other words that find it.
        choices: what each value is called, where there are few.
        zero: what 0 means, where it means something else.
    """

    title: str
    hint: str
    also: str = ""
    choices: dict[str, str] = field(default_factory=dict)
    zero: str = ""


# By the names of engine.config.Sampling.
WORDS: dict[str, Words] = {
    "temperature": Words(
        tr("Temperature"),
        tr("Higher is more varied; 0 always takes the likeliest token."),
    ),
    "top_p": Words(
        tr("Top-p"), tr("Keeps the likeliest tokens up to this probability; 1 keeps all.")
    ),
    "top_k": Words(tr("Top-k"), tr("Keeps this many of the likeliest tokens; 0 keeps all.")),
    "min_p": Words(
        tr("Min-p"), tr("Drops tokens below this share of the likeliest one's probability.")
    ),
    "repetition_penalty": Words(
        tr("Repetition"),
        tr("Above 1, tokens that were seen become less likely."),
    ),
    "presence_penalty": Words(
        tr("Presence"),
        tr("Above 0, tokens of the answer so far become less likely."),
    ),
    "max_tokens": Words(tr("Max tokens"), tr("Longest answer, in tokens.")),
    "seed": Words(tr("Seed"), tr("The same seed gives the same answer; empty takes a random one.")),
    "stop": Words(
        tr("Stop at"), tr("Ends the answer before any of these texts, one on each line.")
    ),
    "grammar": Words(
        tr("Answer as JSON schema"),
        tr("Every answer is JSON that this schema allows; thinking comes before it as usual."),
    ),
}
LINE_BREAK_TIP = tr("\\n stands for a line break, \\t for a tab, \\\\ for a backslash.")
NEXT_MESSAGE = tr("Changes apply from the next message.")
BUSY = tr("The cost is shown once the answer is finished.")
_ESCAPES = (("\\", "\\\\"), ("\n", "\\n"), ("\t", "\\t"))


def value_text(value: object) -> str:
    """A value within a sentence."""
    if value is None:
        return tr("random")
    if isinstance(value, str):
        return tr("a JSON schema") if value else tr("none")
    if isinstance(value, tuple):
        return listed(f'"{escaped(text)}"' for text in value) or tr("none")
    return number_text(value)


def number_text(value: object) -> str:
    """A number in a field: short, but with the same value when parsed."""
    if isinstance(value, float):
        short = f"{value:g}"
        return short if float(short) == value else repr(value)
    return str(value)


def number_of(text: str, *, whole: bool) -> object:
    """Parse a number; returns the text itself if it is none."""
    text = text.strip()
    try:
        # Commas: 0,7 is 0.7, and 1,024 is 1024.
        return int(text.replace(",", "")) if whole else float(text.replace(",", "."))
    except ValueError:
        return text


def escaped(text: str) -> str:
    """A stop string with escapes, on one line."""
    for plain, shown in _ESCAPES:
        text = text.replace(plain, shown)
    return text


def stop_lines(stop: Sequence[str]) -> str:
    """Stop strings as a field's text, one per line."""
    return "\n".join(escaped(text) for text in stop)


def stop_strings(lines: str) -> tuple[str, ...]:
    """Parse a field's stop strings; empty lines are ignored, spaces are kept."""
    return tuple(_unescaped(line) for line in lines.split("\n") if line)


def _unescaped(line: str) -> str:
    known = {shown[1]: plain for plain, shown in _ESCAPES}
    made, at = [], 0
    while at < len(line):
        plain = known.get(line[at + 1 : at + 2]) if line[at] == "\\" else None
        made.append(line[at] if plain is None else plain)
        at += 1 if plain is None else 2
    return "".join(made)


def default_tip(default: object, source: str) -> str:
    """The default of a field, and its source."""
    return tr("Reset to {value} ({source})").format(value=value_text(default), source=source)


def field_tip(name: str, default: object, source: str) -> str:
    """What a field does, and its default."""
    about = WORDS[name].hint
    if name == "stop":
        about += f" {LINE_BREAK_TIP}"
    return tr("{about}\nDefault: {value} ({source}).").format(
        about=about, value=value_text(default), source=source
    )


def problem_text(name: str, sentence: str) -> str:
    """A setting's problem, with the field's label; "" if there is none."""
    if not sentence.startswith(f"{name} "):
        return sentence
    # An empty field stands for the None of a record.
    return WORDS[name].title + sentence.removeprefix(name).replace(", or None.", ", or empty.")


def mark_text(changed: Sequence[str], *, system: bool, draft: bool) -> str:
    """What the button of the panel says: the settings that are not their defaults."""
    names = [WORDS[name].title for name in changed] + [tr("System text")] * system
    parts = (
        [tr("Settings: {names} changed").format(names=", ".join(names))]
        if names
        else [tr("Settings")]
    )
    if draft:
        parts.append(tr("a system text is not applied yet"))
    return "; ".join(parts)


def tokens_text(tokens: int | None) -> str:
    return "" if tokens is None else sentence(fmt.plural(tokens, "token"))


def cost_text(tokens: int | None, now: ReusePlan | None, then: ReusePlan | None) -> str:
    """The cost of applying a system text, as far as known.

    Args:
        tokens: in the text itself.
        now, then: the next prompt's plan without and with it.
    """
    parts = [tokens_text(tokens)]
    if now is not None and then is not None:
        parts.append(_reading(now, then))
    return in_turn(*parts)


def _reading(now: ReusePlan, then: ReusePlan) -> str:
    text = tr("Applying it re-reads {tokens}").format(tokens=fmt.plural(_run(then), "token"))
    text += tr(" instead of {now}").format(now=fmt.count(_run(now)))
    if then.predicted_seconds is not None:
        text += tr(", about {predicted_seconds}").format(
            predicted_seconds=fmt.seconds(then.predicted_seconds)
        )
    return f"{text}."


def _run(plan: ReusePlan) -> int:
    """Tokens to run before the answer's first one."""
    return plan.replayed + plan.computed
