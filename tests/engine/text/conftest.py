"""Small byte-level tokenizers and templates of several styles, written into model folders."""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
from tokenizers import AddedToken, Regex, Tokenizer, decoders, models, pre_tokenizers, trainers

from engine.message import Message
from engine.text.detokenizer import byte_alphabet
from engine.text.text_model import TextModel

ROOT = Path(__file__).parents[3]
SPECIAL = ("<|endoftext|>", "<|im_start|>", "<|im_end|>")
MARKERS = ("<think>", "</think>", "<tool_call>", "</tool_call>")
PIECES = r" ?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+"
# Every token that the tokenizers of the Qwen3.5 family add, in the order of their ids.
FAMILY_SPECIAL = (
    *(f"<|{name}|>" for name in ("endoftext", "im_start", "im_end")),
    *(f"<|{name}_{end}|>" for name in ("object_ref", "box", "quad") for end in ("start", "end")),
    *(f"<|{name}|>" for name in ("vision_start", "vision_end", "vision_pad")),
    *(f"<|{name}_pad|>" for name in ("image", "video")),
    *(f"<|audio_{name}|>" for name in ("start", "end", "pad")),
    *("<tts_pad>", "<tts_text_bos>", "<tts_text_eod>", "<tts_text_bos_single>"),
)
FAMILY_MARKERS = (
    *("<tool_call>", "</tool_call>", "<tool_response>", "</tool_response>", "<think>", "</think>"),
    *(f"<|fim_{name}|>" for name in ("prefix", "middle", "suffix", "pad")),
    *("<|repo_name|>", "<|file_sep|>"),
)
FAMILY = (*FAMILY_SPECIAL, *FAMILY_MARKERS)
CORPUS = """The window is open and the tree stands still. A river, a stone; more than one thing!
Why not? 7 birds, 12 stones. Être à l'été, 東京は雨です。 🌊🌊
### Instruction: system user assistant ### Response: tool {"name": "look", "arguments": {}}


A blank line. And again: The river, The stone.

And one more:


"""

CHATML = """{%- for message in messages %}
{{- '<|im_start|>' + message.role + '\\n' + message.content + '<|im_end|>\\n' }}
{%- endfor %}
{%- if add_generation_prompt %}{{- '<|im_start|>assistant\\n' }}{%- endif %}"""

KEEPS_THINKING = """{%- for message in messages %}
{{- '<|im_start|>' + message.role + '\\n' }}
{%- if message.reasoning_content %}
{{- '<think>\\n' + message.reasoning_content + '\\n</think>\\n\\n' }}
{%- endif %}
{{- message.content + '<|im_end|>\\n' }}
{%- endfor %}
{%- if add_generation_prompt %}{{- '<|im_start|>assistant\\n' }}
{%- if enable_thinking %}{{- '<think>\\n' }}{%- endif %}{%- endif %}"""

ALPACA = """{%- for message in messages %}
{%- if message.role == 'assistant' %}{{- '### Response:\\n' + message.content + '\\n\\n' }}
{%- elif message.role == 'system' %}{{- message.content + '\\n\\n' }}
{%- else %}{{- '### Instruction:\\n' + message.content + '\\n\\n' }}{%- endif %}
{%- endfor %}
{%- if add_generation_prompt %}{{- '### Response:\\n' }}{%- endif %}"""

NO_SYSTEM = """{%- if messages[0].role == 'system' %}
{{- raise_exception('System role not supported') }}
{%- endif %}
{%- for message in messages %}
{%- if (message.role == 'user') != (loop.index0 % 2 == 0) %}
{{- raise_exception('Roles must alternate') }}
{%- endif %}
{{- '<|im_start|>' + message.role + '\\n' + message.content | trim + '<|im_end|>\\n' }}
{%- endfor %}
{%- if add_generation_prompt %}{{- '<|im_start|>assistant\\n' }}{%- endif %}"""


# Headers end in a blank, which joins the word after it.
SPACED = """{%- for message in messages %}
{{- message.role + ': ' + message.content + '<|im_end|>' }}
{%- endfor %}
{%- if add_generation_prompt %}{{- 'assistant: ' }}{%- endif %}"""


# What the family's own template does, in short: calls as tags, thinking taken out of the content,
# and a question that looks like a tool result does not count as one.
TAGGED = """{%- if tools %}
{{- '<|im_start|>system\\n<tools>' }}
{%- for tool in tools %}{{- '\\n' + (tool | tojson) }}{%- endfor %}
{{- '\\n</tools>\\nWrite <tool_call>\\n<function=name>\\n</function>\\n</tool_call>' }}
{%- if messages[0].role == 'system' %}{{- '\\n\\n' + messages[0].content | trim }}{%- endif %}
{{- '<|im_end|>\\n' }}
{%- elif messages[0].role == 'system' %}
{{- '<|im_start|>system\\n' + messages[0].content | trim + '<|im_end|>\\n' }}
{%- endif %}
{%- set last = namespace(at=messages | length - 1, sought=true) %}
{%- for m in messages[::-1] %}
{%- set said = m.content | trim %}
{%- if last.sought and m.role == 'user' and not said.startswith('<tool_response>') %}
{%- set last.sought = false %}{%- set last.at = messages | length - 1 - loop.index0 %}
{%- endif %}
{%- endfor %}
{%- for m in messages %}
{%- set said = m.content | trim %}
{%- if m.role == 'user' %}
{{- '<|im_start|>user\\n' + said + '<|im_end|>\\n' }}
{%- elif m.role == 'assistant' %}
{%- set thought = '' %}
{%- if m.reasoning_content is string %}{%- set thought = m.reasoning_content | trim %}
{%- elif '</think>' in said %}
{%- set thought = said.split('</think>')[0].split('<think>')[-1] | trim %}
{%- set said = said.split('</think>')[-1].lstrip('\\n') %}
{%- endif %}
{{- '<|im_start|>assistant\\n' }}
{%- if loop.index0 > last.at %}{{- '<think>\\n' + thought + '\\n</think>\\n\\n' }}{%- endif %}
{{- said }}
{%- for call in m.tool_calls or [] %}
{{- '\\n\\n<tool_call>\\n<function=' + call.function.name + '>\\n' }}
{%- for name in call.function.arguments %}
{%- set value = call.function.arguments[name] %}
{{- '<parameter=' + name + '>\\n' }}
{{- value if value is string else value | tojson }}{{- '\\n</parameter>\\n' }}
{%- endfor %}
{{- '</function>\\n</tool_call>' }}
{%- endfor %}
{{- '<|im_end|>\\n' }}
{%- elif m.role == 'tool' %}
{%- if loop.previtem.role != 'tool' %}{{- '<|im_start|>user' }}{%- endif %}
{{- '\\n<tool_response>\\n' + said + '\\n</tool_response>' }}
{%- if loop.last or loop.nextitem.role != 'tool' %}{{- '<|im_end|>\\n' }}{%- endif %}
{%- endif %}
{%- endfor %}
{%- if add_generation_prompt %}{{- '<|im_start|>assistant\\n<think>\\n' }}
{%- if not enable_thinking %}{{- '\\n</think>\\n\\n' }}{%- endif %}{%- endif %}"""


@pytest.fixture(scope="session")
def templates() -> dict[str, str]:
    """Template source by style; "stripping" is the demo model's, which drops earlier thinking."""
    return {
        "stripping": (ROOT / "assets/demo/chat_template.jinja").read_text(encoding="utf-8"),
        "chatml": CHATML,
        "keeping": KEEPS_THINKING,
        "alpaca": ALPACA,
        "nosystem": NO_SYSTEM,
        "spaced": SPACED,
        "tagged": TAGGED,
    }


@pytest.fixture(scope="session")
def tokenizer() -> Tokenizer:
    """A byte-level BPE tokenizer whose pieces glue line ends to punctuation, as Qwen's do."""
    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence(
        [
            pre_tokenizers.Split(Regex(PIECES), "isolated"),
            pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False),
        ]
    )
    tokenizer.decoder = decoders.ByteLevel()
    trainer = trainers.BpeTrainer(
        vocab_size=700,
        initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
        min_frequency=1,
        show_progress=False,
    )
    tokenizer.train_from_iterator([CORPUS], trainer)
    tokenizer.add_special_tokens([AddedToken(text, normalized=False) for text in SPECIAL])
    tokenizer.add_tokens([AddedToken(text, normalized=False, special=False) for text in MARKERS])
    return tokenizer


@pytest.fixture(scope="session")
def family_tokenizer(tokenizer: Tokenizer) -> Tokenizer:
    """The same with every token that the family adds."""
    return with_added(tokenizer, special=FAMILY_SPECIAL, markers=FAMILY_MARKERS)


def with_added(
    tokenizer: Tokenizer, special: Sequence[str] = (), markers: Sequence[str] = ()
) -> Tokenizer:
    """A copy whose only added tokens are these."""
    copy = Tokenizer.from_str(json.dumps(json.loads(tokenizer.to_str()) | {"added_tokens": []}))
    copy.add_special_tokens([AddedToken(text, normalized=False) for text in special])
    copy.add_tokens([AddedToken(text, normalized=False, special=False) for text in markers])
    return copy


OpenModel = Callable[..., TextModel]
WriteFolder = Callable[..., Path]
Spell = Callable[[str], tuple[int, ...]]


@pytest.fixture
def write_folder(tmp_path: Path, tokenizer: Tokenizer) -> WriteFolder:
    """Writes a model folder's text files; a template of None leaves it without one."""

    def write(template: str | None, own: Tokenizer = tokenizer, **files: object) -> Path:
        folder = tmp_path / f"model{len(list(tmp_path.iterdir()))}"
        folder.mkdir()
        own.save(str(folder / "tokenizer.json"))
        settings = {"eos_token": "<|im_end|>", "chat_template": template}
        defaults: dict[str, object] = {"tokenizer_config": settings}
        for name, value in (defaults | files).items():
            (folder / f"{name}.json").write_text(json.dumps(value), encoding="utf-8")
        return folder

    return write


@pytest.fixture
def open_model(write_folder: WriteFolder, templates: dict[str, str]) -> OpenModel:
    """Opens a model by the style of its template, or by a template of its own.

    `own` is another tokenizer than the usual one.
    """

    def open_it(style: str, **given: object) -> TextModel:
        return TextModel(write_folder(templates.get(style, style), **given))

    return open_it


@pytest.fixture
def rng() -> random.Random:
    return random.Random(20)


@pytest.fixture
def bytes_of_ids(tokenizer: Tokenizer) -> Spell:
    """Ids that spell a text byte by byte: never the canonical tokenisation of a word."""
    vocab = tokenizer.get_vocab()
    ids = {byte: vocab[char] for char, byte in byte_alphabet().items()}

    def spell(text: str) -> tuple[int, ...]:
        return tuple(ids[byte] for byte in text.encode())

    return spell


@pytest.fixture
def chat() -> list[Message]:
    return [
        Message("system", "Be still."),
        Message("user", "The window is open?"),
        Message("assistant", "A river, and the tree."),
        Message("user", "Why not 7 stones?"),
    ]
