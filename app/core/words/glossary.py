"""What the terms of the cache mean, a sentence each: for tooltips and underlined words. Without Qt.

A term is looked up by the engine's name for it, or by the word on screen in the user's language.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from html import escape
from typing import NamedTuple

from app.core.words.engine_words import said
from app.core.words.tr import english, tr


class Term(NamedTuple):
    """A word on screen, and its meaning."""

    word: str
    meaning: str


# Words that mean nothing else, so they may be marked in any sentence.
TERMS = (
    Term(
        tr("checkpoint"),
        tr(
            "A stored copy of the state after exactly so many tokens: a prompt that begins with "
            "them goes on from there instead of reading them again."
        ),
    ),
    Term(
        tr("tombstone"),
        tr(
            "A stretch whose keys and values are still stored but whose checkpoint is gone: it can "
            "be read on the way to a deeper checkpoint, but nothing resumes at its end."
        ),
    ),
    Term(
        tr("keys and values"),
        tr("What full attention remembers of each token; it grows with every token."),
    ),
    Term("KV", tr("Keys and values: what full attention remembers of each token, one entry each.")),
    Term(
        tr("KV plane"),
        tr("The memory for keys and values, one slot per token; chats that begin alike share it."),
    ),
    Term(
        tr("state plane"),
        tr("The memory for states: one slot holds the state after exactly so many tokens."),
    ),
    Term(
        tr("node"),
        tr("One stretch of the tree: tokens that no prompt leaves halfway, stored together."),
    ),
    Term(tr("prefix"), tr("The beginning of a prompt, from its first token up to some position.")),
    Term(
        tr("prefill"), tr("Reading a prompt: many tokens at once, before the first answer token.")
    ),
    Term(tr("decode"), tr("Writing an answer: one token at a time.")),
    Term(
        tr("replayed"),
        tr(
            "Known tokens that run once more, because the state after them was not stored; their "
            "keys and values are reused."
        ),
    ),
    Term(
        tr("branch point"),
        tr("Where two prompts stop being equal; a state stored there serves both."),
    ),
    Term(
        tr("cold run"), tr("Reading a whole prompt with an empty cache: what reuse is checked by.")
    ),
    Term(
        tr("audit"),
        tr("A check of a checkpoint: the same tokens are run anew, and the results compared."),
    ),
    Term(tr("eviction"), tr("Something left a tier, to make room or because it was of no use.")),
    Term(
        tr("tier"),
        tr("Where bytes are kept: on the device, in host memory, or on disk; each slower, larger."),
    ),
    Term(
        tr("state slot"), tr("Room for one state; their number is what the state plane can hold.")
    ),
    Term(tr("KV slot"), tr("Room for the keys and values of one token.")),
    Term(
        tr("anchor"),
        tr(
            "A position where later prompts will part or resume, so a checkpoint is worth it there."
        ),
    ),
    Term(
        tr("full attention"),
        tr(
            "A layer that looks back at every earlier token: exact, and it grows with each of them."
        ),
    ),
    Term(
        tr("linear attention"),
        tr("A layer that sums up all earlier tokens in one state of fixed size."),
    ),
    Term(
        tr("recurrent state"),
        tr("What linear attention remembers: one summary of fixed size, rewritten by each token."),
    ),
    Term(tr("thinking block"), tr("What a model writes to itself before it answers.")),
    Term(
        tr("template"), tr("How messages become one text for the model, with marks between them.")
    ),
    Term("KL", tr("How far two predictions of the next token are apart, in nats; 0 is equal.")),
)
# Words with an everyday meaning, too: explained where they stand as a label.
LABELS = (
    Term(tr("reused"), tr("Tokens whose keys, values and state were stored: nothing had to run.")),
    Term(
        tr("new"), tr("Tokens that the model had not read before in this place: they had to run.")
    ),
    Term(tr("token"), tr("A piece of text as the model reads it: a word, or a part of one.")),
    Term(
        tr("state"),
        tr("What linear attention remembers: one summary of fixed size, rewritten by each token."),
    ),
    Term(tr("layer"), tr("One step of the model; each has a memory of its own.")),
    Term(tr("head"), tr("A part of a layer that attends by itself, with its own keys and values.")),
    Term(tr("key"), tr("What a token is found by when a later one looks back.")),
    Term(tr("value"), tr("What a token hands on when a later one looks back.")),
    Term(tr("query"), tr("What a token looks for when it looks back.")),
    Term(tr("gate"), tr("How much of the state a token lets stand before it writes its own.")),
    Term(
        tr("beta"),
        tr("How much of the difference between its value and what was read a token writes."),
    ),
    Term(tr("norm"), tr("The length of a vector: how much there is in it, whatever it says.")),
    Term(
        tr("cosine"),
        tr("How alike two vectors point: 1 the same way, 0 unrelated, -1 the opposite."),
    ),
    Term(tr("needle"), tr("The earlier token of which is asked how much is still remembered.")),
    Term(tr("lost"), tr("It was evicted and no tier has a copy: it has to run again if needed.")),
    Term(tr("moved down"), tr("It left the device, but a slower tier has a copy.")),
    Term(tr("kept"), tr("It left one place, but the same or a faster tier still has it.")),
    Term(
        tr("drafts"),
        tr("Likely tokens that are checked together; one stays where the model says the same."),
    ),
    Term(tr("regretted"), tr("It was evicted and soon needed again, so its tokens ran twice.")),
    Term(tr("Weights"), tr("The model itself: what it has learnt, which no chat changes.")),
    Term(
        tr("Workspace"), tr("Memory that the model computes in; it holds nothing between answers.")
    ),
    Term(
        tr("Drafts"),
        tr("The model's draft head, its layer of the KV plane, and the rows that are checked."),
    ),
    Term(tr("Experts"), tr("Parts of the model of which each token uses a few.")),
    Term(tr("Host tier"), tr("Copies in main memory of what the device had to give up.")),
    Term(tr("Disk tier"), tr("Copies in files, which are still there after a restart.")),
    Term(tr("in use"), tr("The running request reads it, so it cannot be evicted.")),
    Term(tr("pinned"), tr("It is never evicted until you unpin it.")),
    Term(tr("quarantined"), tr("An audit found it wrong: nothing resumes from it any more.")),
    Term(
        tr("in doubt"), tr("Events of the engine were lost, so it may be gone without our knowing.")
    ),
)
# The kinds of events on the timeline.
EVENTS = (
    Term(tr("Inserted"), tr("A run added tokens to the tree.")),
    Term(tr("Split"), tr("A prompt left a stretch halfway, so it became two.")),
    Term(tr("Checkpoint stored"), tr("The state after these tokens was kept.")),
    Term(tr("Checkpoint skipped"), tr("A state was to be kept, but no slot was free.")),
    Term(
        tr("State evicted, tombstone left"),
        tr("A checkpoint went; its keys and values stayed, but nothing resumes there any more."),
    ),
    Term(tr("KV evicted"), tr("Keys and values left the tier; no state was stored with them.")),
    Term(tr("KV and state evicted"), tr("A stretch left the tier together with its checkpoint.")),
    Term(tr("State replaced"), tr("A better state for the same tokens took its place.")),
    Term(tr("Copied"), tr("A checkpoint was copied to another tier, or back.")),
    Term(tr("Not copied"), tr("A copy to another tier was wanted, but was not made.")),
    Term(tr("File removed"), tr("A file of the disk tier was removed.")),
    Term(tr("Unpinned"), tr("It may be evicted again.")),
    Term(tr("By hand"), tr("You did something to a node.")),
    Term(tr("Settings changed"), tr("The cache's settings were changed while it ran.")),
    Term(tr("Planes resized"), tr("Memory was moved from one plane to the other.")),
    Term(tr("Cleared"), tr("The whole cache was emptied.")),
    Term(tr("Notice"), tr("The engine had something to say.")),
    Term(tr("Entries missing"), tr("Events were lost, so what happened then is not known.")),
)
# Why something was evicted, or its file removed.
CAUSES = {
    "kv pressure": tr("The memory for keys and values was full, and something had to make room."),
    "state pressure": tr("Every slot for states was taken, and a checkpoint had to make room."),
    "one-shot request": tr(
        "Room was needed, and requests without a history go first: nobody is likely to return."
    ),
    "tombstone chain": tr(
        "A stretch without a checkpoint, after which nothing is stored any more: no prompt could "
        "have used it, so this cost nothing."
    ),
    "uncovered tail": tr(
        "The end of a run after its last checkpoint: no prompt could have resumed there."
    ),
    "superseded": tr("A better state for the same tokens took its place; nothing was lost."),
    "session dropped": tr("The client that it was stored for ended its session."),
    "dropped by user": tr("You cleared it."),
    "conversation deleted": tr(
        "Its conversation was deleted, and what only that one used with it."
    ),
    "quarantined above": tr("It was computed from a state that an audit found to be wrong."),
    "drifted above": tr("It was computed from a state that is less exact than was claimed."),
    "disk budget": tr("The cache's files reached the size that the settings allow."),
    "file damaged": tr("Its file did not have the bytes that were written, so it was not used."),
    "file deleted": tr("Somebody deleted its file."),
    "replaced by another process": tr("Another Biplane wrote a newer file in its place."),
    "what it goes on from is gone": tr(
        "It continues another file, which is gone; alone it cannot be used."
    ),
    "could not be written": tr("The disk did not take its file, so there is no copy on disk."),
}
# The outcomes of a copy to another tier.
COPIES = {
    "taken in": tr("The tier has the copy now."),
    "there already": tr("The tier had it already, so nothing was copied."),
    "no room": tr("The tier had no room that it could free."),
    "copy failed": tr("The copy was started but failed; the tier is as it was."),
}
# What an audit found.
VERDICTS = {
    "verified": tr("A run resumed from it is as close to a cold run as its kind can be."),
    "unclear": tr("It differs by no more than rounding can, which is too much to be sure."),
    "drifted": tr("It differs by more than rounding, but the next token is the same."),
    "quarantined": tr("An audit found it wrong: nothing resumes from it any more."),
}
# How a state was made, and what a checkpoint is kept for.
KEPT_FOR = {
    "prefill": tr("Reading a prompt: many tokens at once, before the first answer token."),
    "decode": tr("Writing an answer: one token at a time."),
    "branch": tr("Two conversations part here, and both can resume from it."),
    "system end": tr("The system text ends here, with which every chat begins."),
    "user start": tr("A message of yours starts here: editing it resumes from here."),
    "before thinking": tr(
        "The next turn leaves out the thinking that follows, so it will part from this prompt here."
    ),
    "answer start": tr("An answer starts here: writing it anew resumes from here."),
    "tool call": tr("A tool call starts here: its result will be inserted after it."),
    "interval": tr("One is stored every so many tokens, so that never much has to be replayed."),
    "end of prompt": tr("A prompt ends here: the same one again needs to read nothing."),
    "end of answer": tr("An answer ends here: the next message goes on from it."),
    "stopped": tr("A request was stopped here, so what had been read is not lost."),
    "asked for": tr("You asked for a checkpoint here."),
}
PLACES = {
    "device": tr("The memory that the model runs in: the fastest, and the smallest."),
    "host": tr("The computer's main memory: has copies of what the device had to give up."),
    "disk": tr("Files in the cache folder: slow, but still there after a restart."),
}
# Why a request ran what it ran, and why it did not reuse its whole prompt: two names for some.
_REASONS = (
    (("none",), tr("Everything that could be reused was.")),
    (("cache not used",), tr("The request was told to leave the cache alone.")),
    (("everything reused",), tr("The whole prompt was stored, so next to nothing had to run.")),
    (("nearly everything reused",), tr("So few tokens ran that nothing is to be gained.")),
    (("no room for the prompt",), tr("The prompt needs more memory than the cache could free.")),
    (("first sight",), tr("No earlier prompt began like this one, so all of it is new.")),
    (
        ("new tokens", "new text"),
        tr("The prompt goes on where the cache ends; only what was added is new."),
    ),
    (
        ("diverged", "text differs"),
        tr("From here on the prompt has other text than the one that was stored."),
    ),
    (
        ("another chat", "another chat with the same beginning"),
        tr("The chats begin alike; what follows was never read before."),
    ),
    (
        ("another chat with part of the system text",),
        tr("The first part of its system text is stored, but no state where the two part."),
    ),
    (
        ("template dropped thinking", "thinking left out"),
        tr(
            "The model's template leaves the thinking of earlier turns out of the next prompt, so "
            "the answer after it is read again. This is normal."
        ),
    ),
    (
        ("date changed",),
        tr("A date in the prompt is another one now, and all after it runs again."),
    ),
    (
        ("system text changed",),
        tr("The system text stands first, so all after the change runs again."),
    ),
    (
        ("tool list changed", "tools changed"),
        tr("The tools stand before the chat, so all of it runs again."),
    ),
    (("message edited",), tr("A message was edited; what follows it runs again.")),
    (
        ("oldest turns left out",),
        tr("The chat had become too long: its oldest turns were left out, and the rest moved up."),
    ),
    (
        ("text left out of the middle",),
        tr("Text in the middle was left out, and the rest moved up."),
    ),
    (
        ("answer re-tokenised",),
        tr("The answer is cut into other tokens when it is read than when it was written."),
    ),
    (
        ("template rendered it differently", "rendered differently"),
        tr("The template now writes an earlier message in another way than before."),
    ),
    (
        ("no checkpoint on the path",),
        tr("The text is known, but no state was ever stored along it."),
    ),
    (
        ("checkpoint evicted",),
        tr("A checkpoint was there, but had to make room before it was needed."),
    ),
    (
        ("checkpoint not usable in exact mode", "not exact"),
        tr("Resuming from it would differ by rounding, which exact mode rules out."),
    ),
    (
        ("checkpoint compressed, not usable in exact mode",),
        tr("It was stored in fewer bits, and exact mode rules out the error of that."),
    ),
    (
        ("checkpoint quarantined",),
        tr("An audit found the checkpoint to be wrong, so it was not used."),
    ),
    (
        ("checkpoint on a damaged file", "damaged file"),
        tr("The checkpoint's file was damaged, so it was not used."),
    ),
    (("cache file deleted",), tr("The checkpoint was in a file that somebody deleted.")),
    (
        ("files of other weights or kernels",),
        tr("The cache's files were computed by another model or version, so they are no use."),
    ),
    (
        ("earlier run not in the cache",),
        tr("It was read before, but in a run that stored nothing."),
    ),
    (("the engine does not say",), tr("The engine reports no figures about its cache.")),
    (
        ("budget too small",),
        tr("With more memory for the cache it would still have been there."),
    ),
    (
        ("host memory full",),
        tr("It left the device, and host memory had no room for a copy."),
    ),
    (("disk budget full",), tr("It left memory, and the disk budget had no room for a copy.")),
    (("file not written",), tr("It left memory before its file was written.")),
    (("no free state slot",), tr("The checkpoint was not taken: all state slots were in use.")),
    (
        ("interval too wide",),
        tr("No checkpoint fell on this stretch; with a shorter interval one would have."),
    ),
    (("removed on request",), tr("It was deleted, cleared or dropped because someone asked.")),
    (("from before the recording",), tr("It was stored or lost before this recording began.")),
)
REASONS = {name: meaning for names, meaning in _REASONS for name in names}
KINDS: Mapping[str, str] = CAUSES | COPIES | VERDICTS | KEPT_FOR | PLACES | REASONS
_CAUSE_WORDS = tuple(map(said, CAUSES))


def _forms(term: Term) -> tuple[str, ...]:
    return tuple(filter(None, (term.word, english(term.word))))


# By the engine's name and by the word on screen, in lower case; a term goes before a kind.
_MEANINGS = {
    **{form.casefold(): KINDS[name] for name in KINDS for form in (name, said(name))},
    **{
        form.casefold(): term.meaning
        for term in (*EVENTS, *LABELS, *TERMS)
        for form in _forms(term)
    },
}


def explanation(term: str) -> str:
    """What a term means, in a sentence; "" if the glossary does not have it.

    Args:
        term: the engine's name ("kv pressure"), or the word on screen, plural too.
    """
    name = term.casefold()
    return _MEANINGS.get(name) or _MEANINGS.get(name.removesuffix("s"), "")


def explained(text: str, *terms: str) -> str:
    """A tooltip: a text, and below it the meaning of those terms that have one."""
    lines = dict.fromkeys(line for line in map(explanation, terms) if line)
    return "\n".join(line for line in (text, *lines) if line)


def terms_in(text: str, *also: str) -> tuple[re.Match[str], ...]:
    """The first mention of each term of a text, in order; `also`: see `marked`."""
    found: dict[str, re.Match[str]] = {}
    for match in _pattern(also).finditer(text):
        found.setdefault(explanation(match[0]), match)
    return tuple(found.values())


def with_meanings(text: str) -> str:
    """A text as the tooltip of a line without links: with the meanings of its terms below it."""
    return explained(text, *(match[0] for match in terms_in(text)))


def marked(text: str, *also: str) -> str:
    """A plain text as rich text: the first mention of each term is a link to it, titled with its
    meaning.

    Args:
        also: labels and kinds that the text uses as terms, by their English names ("key").
    """
    made, at = [], 0
    for match in terms_in(text, *also):
        word, meaning = escape(match[0]), escape(explanation(match[0]))
        link = f'<a href="{word}" title="{meaning}">{word}</a>'
        made += [escape(text[at : match.start()]), link]
        at = match.end()
    return "".join((*made, escape(text[at:]))).replace("\n", "<br>")


@lru_cache(maxsize=8)
def _pattern(also: tuple[str, ...]) -> re.Pattern[str]:
    """Finds terms, the longest first. In English they are whole words, singular or plural."""
    words = [*(term.word for term in TERMS), *_CAUSE_WORDS]
    words += [term.word for term in LABELS if set(also).intersection(_forms(term))]
    words += [said(name) for name in also if name in KINDS]
    longest = sorted(words, key=len, reverse=True)
    return re.compile("|".join(map(_as_pattern, longest)), re.IGNORECASE)


def _as_pattern(word: str) -> str:
    # Chinese does not separate words.
    return rf"\b{re.escape(word)}s?\b" if word.isascii() else re.escape(word)
