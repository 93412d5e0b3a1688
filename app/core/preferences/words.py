"""The settings in words: titles, descriptions, choices, and when they apply. Without Qt."""

from __future__ import annotations

from typing import Any

from app.core.preferences.table import Effect
from app.core.words import format as fmt
from app.core.words.joining import in_turn, sentence
from app.core.words.language import LANGUAGES
from app.core.words.settings_words import Words
from app.core.words.tr import tr

EFFECTS: dict[Effect, str] = {
    "request": tr("Takes effect with the next request."),
    "open": tr("Takes effect when a model is opened."),
    "start": tr("Takes effect at the next start."),
}

WORDS: dict[str, Words] = {
    "first_model": Words(
        tr("Model at the start"),
        tr("What is opened when the program starts without --model."),
        tr("startup launch default"),
        {"last": tr("The last one"), "bundled": tr("The bundled one"), "none": tr("None")},
    ),
    "device": Words(
        tr("Device"),
        tr("Where the model runs. Automatic takes a CUDA device if there is one."),
        tr("gpu cpu graphics"),
        {"auto": tr("Automatic"), "cpu": tr("Processor"), "cuda": tr("CUDA")},
    ),
    "own_model": Words(
        tr("Model of a conversation"),
        tr("What happens when one is opened that was written with another model."),
        tr("switch remember"),
        {"ask": tr("Offer it"), "always": tr("Open it")},
    ),
    "other_files": Words(
        tr("Files of other programs"),
        tr(
            "Models lists the GGUF files in the folders of LM Studio (.lmstudio), llama.cpp and "
            "Hugging Face (.cache), and Jan. Only their headers are read."
        ),
        tr("gguf lm studio jan llama.cpp hugging face cache find"),
    ),
    "weights": Words(
        tr("Format of weights"),
        tr("int8 and int4 take less memory; they are made once and kept beside the cache files."),
        tr("quantise quantisation memory"),
        {"stored": tr("As stored"), "int8": "int8", "int4": "int4"},
    ),
    "expert_bytes": Words(
        tr("Memory for experts"),
        tr("Of a mixture of experts, so much stays in memory; the rest is read when needed."),
        tr("moe mixture"),
        zero=tr("all"),
    ),
    "context": Words(
        tr("Longest context"),
        tr("In tokens; at most the model's own."),
        tr("window length tokens"),
        zero=tr("the model's"),
    ),
    "threads": Words(
        tr("Threads"),
        tr("How many threads of the processor compute."),
        tr("cpu cores"),
        zero=tr("all cores"),
    ),
    "cache_bytes": Words(
        tr("Device budget"),
        tr(
            "Memory of both planes: keys and values, and state checkpoints. Automatic goes by what "
            "is free."
        ),
        tr("memory size gpu vram ram planes"),
        zero=tr("automatic"),
    ),
    "state_share": Words(
        tr("Share of the states"),
        tr("Part of the budget for checkpoints at first; it then follows what requests lacked."),
        tr("split plane kv state"),
    ),
    "host_bytes": Words(
        tr("Host budget"),
        tr("Main memory for what the device evicts."),
        tr("memory ram tier"),
        zero=tr("none"),
    ),
    "disk_bytes": Words(
        tr("Disk budget"),
        tr("Files that survive a restart, so that the first turn after it is warm."),
        tr("files tier storage ssd"),
        zero=tr("none"),
    ),
    "interval": Words(
        tr("Interval C"),
        tr("Most tokens of a prompt between two checkpoints, a multiple of 64."),
        tr("checkpoint replay tokens"),
        zero=tr("never"),
    ),
    "decode_interval": Words(
        tr("Interval D"),
        tr("Tokens of an answer between two checkpoints."),
        tr("checkpoint decode answer"),
        zero=tr("never"),
    ),
    "drafts": Words(
        tr("Drafts"),
        tr(
            "Checks several likely tokens at once, on the CPU: answers stay the same, and come "
            "sooner where they repeat something."
        ),
        tr("speculative prediction faster repeat"),
        {"auto": tr("Automatic"), "text": tr("Only from known text"), "off": tr("Off")},
    ),
    "parallel": Words(
        tr("Answers at once"),
        tr(
            "How many requests of other programs run side by side; your own chat has a place "
            "beside them and comes first."
        ),
        tr("parallel concurrent server agents"),
    ),
    "policy": Words(
        tr("Eviction policy"),
        tr("What goes first when there is no room."),
        tr("lru coverage flops"),
        {"coverage": "coverage", "flops": "flops", "lru": "lru"},
    ),
    "mode": Words(
        tr("Mode"),
        tr("Exact resumes only where results stay equal to the bit; fast everywhere."),
        tr("exact fast rounding"),
        {"fast": tr("Fast"), "exact": tr("Exact")},
    ),
    "compression": Words(
        tr("States on host and disk"),
        tr("Smaller formats hold more of them, at the cost of rounding."),
        tr("compress bfloat16 int8"),
        {"none": tr("As they are"), "bfloat16": "bfloat16", "int8": "int8"},
    ),
    "background_audit": Words(
        tr("Verify states when idle"),
        tr("Runs a resumed prompt again from the start now and then, and compares."),
        tr("audit check"),
    ),
    "send_key": Words(
        tr("Send with"),
        tr("The other one begins a new line."),
        tr("enter return newline"),
        {"enter": "Enter", "ctrl+enter": "Ctrl+Enter"},
    ),
    "show_figures": Words(
        tr("Show figures"),
        tr("Reused, replayed and new tokens below every answer, not only the one pointed at."),
        tr("statistics tokens reused replayed speed"),
    ),
    "evict_deleted": Words(
        tr("Evict deleted conversations"),
        tr("What only they used leaves the cache without a question."),
        tr("delete remove cache privacy"),
    ),
    "theme": Words(
        tr("Theme"),
        tr("Light, dark, or as the system is."),
        tr("colour dark night bright mode"),
        {"system": tr("System"), "light": tr("Light"), "dark": tr("Dark")},
    ),
    "scale": Words(
        tr("Size"),
        tr("Of letters, lines and spaces alike, in percent of the system's."),
        tr("scale zoom font large text"),
    ),
    "text_px": Words(
        tr("Text size of messages"),
        tr("Of words, code and formulas in the chat, in pixels."),
        tr("font large small letters zoom"),
    ),
    "reduced_motion": Words(
        tr("Reduced motion"),
        tr("Nothing fades, and nothing moves by itself."),
        tr("animation fade accessibility"),
    ),
    "language": Words(
        tr("Language"),
        tr("Of the program; models answer in the language that they are asked in."),
        tr("english chinese 中文 translation"),
        {"system": tr("System"), **LANGUAGES},
    ),
    "server_on": Words(
        tr("Server"),
        tr("Lets other programs on this computer use the open model and its cache."),
        tr("serve api openai anthropic agents"),
    ),
    "server_port": Words(
        tr("Port"),
        tr("A running server moves there, and its clients have to connect again."),
        tr("server address"),
        zero=tr("a free one"),
    ),
    "server_keep_thinking": Words(
        tr("Keep the thinking of earlier turns"),
        tr(
            "In the prompts of other programs, so that what came after it is not read again at "
            "each turn. Prompts get longer, and some models were not trained for it."
        ),
        tr("server agents miss think history"),
    ),
    "server_leave_out": Words(
        tr("Leave out volatile lines"),
        tr(
            "What some agents change in their system text with every request, such as billing "
            "headers, so that what follows it is reused."
        ),
        tr("server agents miss billing clock"),
    ),
    "shortcuts": Words(tr("Shortcuts"), tr("Keys of the commands."), tr("keyboard keys")),
    "log_level": Words(
        tr("Log"),
        tr("How much is written to the log. Only debug may hold text of conversations."),
        tr("diagnostics debug"),
        {
            "debug": tr("Debug"),
            "info": tr("Information"),
            "warning": tr("Warnings"),
            "error": tr("Errors"),
        },
    ),
}


def value_words(name: str, value: Any) -> str:
    """A value within a sentence."""
    words = WORDS[name]
    if value == 0 and words.zero and not isinstance(value, bool):
        return words.zero
    if isinstance(value, str):
        return words.choices.get(value, value)
    if isinstance(value, bool):
        return tr("on") if value else tr("off")
    if name.endswith("_bytes"):
        return fmt.byte_size(value)
    return f"{value:.0%}" if isinstance(value, float) else fmt.count(value)


def interval_cost(
    interval: int, checkpoint_bytes: int, tokens_per_s: float | None, context: int
) -> str:
    """The cost of an interval C: tokens to replay, and bytes of checkpoints.

    Args:
        checkpoint_bytes: per checkpoint of the open model.
        tokens_per_s: its prefill speed; None if unknown.
        context: its maximum sequence length in tokens.
    """
    if not interval:
        return tr("No checkpoints along a prompt: whatever diverges inside it is read anew.")
    replay = tr("A prompt that diverges replays at most {most} tokens, {half} on average").format(
        most=fmt.count(interval), half=fmt.count(interval // 2)
    )
    if tokens_per_s:
        seconds = fmt.seconds(interval / 2 / tokens_per_s)
        replay = tr("{replay}, about {seconds} here").format(replay=replay, seconds=seconds)
    count = max(1, context // interval)
    held = tr(
        "A checkpoint of this model takes {one}: at most {count} in a full context, {all}."
    ).format(
        one=fmt.byte_size(checkpoint_bytes),
        count=fmt.count(count),
        all=fmt.byte_size(count * checkpoint_bytes),
    )
    return in_turn(sentence(replay), held)


def decode_cost(interval: int, checkpoint_bytes: int) -> str:
    """The cost of an interval D, as above."""
    if not interval:
        return tr("No checkpoints along an answer: going on from inside it reads it anew.")
    return tr(
        "Going on from inside an answer replays at most {most} tokens; an answer of 1,000 tokens "
        "leaves {count} checkpoints, {all}, until they are evicted."
    ).format(
        most=fmt.count(interval),
        count=fmt.count(1000 // interval),
        all=fmt.byte_size(1000 // interval * checkpoint_bytes),
    )
