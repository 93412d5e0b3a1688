"""What the demo model knows about Biplane, its cache and itself."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random


@dataclass(frozen=True, slots=True)
class Topic:
    """One thing the model can explain.

    Attributes:
        term: the noun phrase for the general question frames; empty where only `asked` fits.
        asked: further questions.
        answers: correct answers, each complete in itself.
    """

    term: str
    asked: tuple[str, ...]
    answers: tuple[str, ...]


FRAMES = (
    "What is {t}?",
    "What is {t}?",
    "What's {t}?",
    "Explain {t}.",
    "Can you explain {t}?",
    "Tell me about {t}.",
    "What do you know about {t}?",
    "What does {t} mean?",
    "Define {t}.",
    "Please explain {t} to me.",
    "I do not understand {t}.",
    "What is {t} in Biplane?",
    "How would you describe {t}?",
    "In one sentence, what is {t}?",
    "And what is {t}?",
)

TOPICS = (
    Topic(
        "Biplane",
        (
            "What is this app?",
            "What is this program?",
            "What does Biplane do?",
            "What is Biplane for?",
            "What can this app do?",
        ),
        (
            "Biplane is a desktop app for local chat with hybrid models. Its cache has two planes, and a live panel shows the cache at work.",
        ),
    ),
    Topic(
        "the name Biplane",
        ("Why is it called Biplane?", "Why the name Biplane?", "Where does the name Biplane come from?"),
        (
            "A biplane has two wings. Biplane is named after the two planes of its cache: the KV plane and the state plane.",
        ),
    ),
    Topic(
        "a tombstone",
        (
            "What are tombstones?",
            "When does a node become a tombstone?",
            "What does a tombstone in the tree mean?",
            "What is a tombstone in the cache?",
            "Tombstone?",
        ),
        (
            "A tombstone is a node of the tree that still has its KV but no checkpoint on any tier. To resume there, Biplane must replay tokens.",
        ),
    ),
    Topic(
        "a checkpoint",
        (
            "What are checkpoints?",
            "What is a checkpoint in the cache?",
            "What does a checkpoint store?",
            "What is saved in a checkpoint?",
            "Checkpoint?",
        ),
        (
            "A checkpoint is a stored copy of the recurrent state of all linear layers after exactly p tokens. It serves that one length and no other.",
        ),
    ),
    Topic(
        "the two planes",
        (
            "What are the two planes?",
            "Which planes does the cache have?",
            "How many planes does the cache have?",
            "Name the two planes.",
            "Why are there two planes?",
        ),
        (
            "The two planes are the KV plane, with keys and values for every token, and the state plane, with checkpoints of the recurrent state. Both hang under one radix tree.",
        ),
    ),
    Topic(
        "the KV plane",
        ("What is in the KV plane?", "What does the KV plane hold?", "What is the KV cache?"),
        (
            "The KV plane holds the keys and values of the full-attention layers, one entry per token. A slice of it is valid for every prefix that contains it.",
        ),
    ),
    Topic(
        "the state plane",
        ("What is in the state plane?", "What does the state plane hold?", "What is the recurrent state?"),
        (
            "The state plane holds the recurrent states of the linear layers. Each one belongs to exactly one prefix length.",
        ),
    ),
    Topic(
        "replay",
        (
            "What does replay mean?",
            "Why does Biplane replay tokens?",
            "What are replayed tokens?",
            "When are tokens replayed?",
            "What does replayed mean?",
        ),
        (
            "Replay means running some tokens again to rebuild the recurrent state where the KV is already there. It starts at the deepest checkpoint that fits.",
        ),
    ),
    Topic(
        "",
        (
            "Why was this turn so fast?",
            "Why was that turn fast?",
            "Why was that so fast?",
            "Why was your answer so quick?",
            "Why is the second turn faster?",
            "How did you answer so fast?",
            "Why are later turns fast?",
            "What makes a turn fast?",
            "Why was the last turn fast?",
        ),
        (
            "Most of the prompt was reused from the cache. Only the new tokens after the last checkpoint had to run.",
        ),
    ),
    Topic(
        "",
        (
            "Why was this turn slow?",
            "Why was that turn slow?",
            "Why did that take so long?",
            "Why was the first turn slow?",
            "What makes a turn slow?",
            "Why is the first message slower?",
        ),
        (
            "Little of the prompt was in the cache, so many tokens had to be computed or replayed. The panel shows the reason.",
        ),
    ),
    Topic(
        "an anchor",
        (
            "What are anchors?",
            "What is an anchor in the cache?",
            "How are anchors found?",
            "How does Biplane find anchors?",
            "Anchor?",
        ),
        (
            "An anchor is a position where future prompts are expected to diverge or resume. Biplane finds anchors by probing the chat template.",
        ),
    ),
    Topic(
        "Gated DeltaNet",
        (
            "What are Gated DeltaNet layers?",
            "What is a Gated DeltaNet layer?",
            "What is a linear layer?",
            "How do linear attention layers work?",
            "What are linear layers?",
            "What is the delta rule?",
        ),
        (
            "A Gated DeltaNet layer is a linear attention layer. It keeps a recurrent state of fixed size that each token decays and corrects, instead of keys and values for every token.",
        ),
    ),
    Topic(
        "a hybrid model",
        (
            "What are hybrid models?",
            "What does hybrid mean?",
            "Which layers does a hybrid model have?",
            "What is the 3:1 ratio?",
        ),
        (
            "A hybrid model mixes Gated DeltaNet layers and full-attention layers, three to one. Qwen3.5 and Qwen3-Next are such models.",
        ),
    ),
    Topic(
        "full attention",
        ("What is a full-attention layer?", "What do full-attention layers do?", "How does attention work?"),
        (
            "A full-attention layer looks back at the keys and values of every earlier token. Every fourth layer of a hybrid model is one.",
        ),
    ),
    Topic(
        "eviction",
        (
            "What gets evicted?",
            "How does eviction work?",
            "What happens when the cache is full?",
            "What if the cache is full?",
            "Why was something evicted?",
            "What does evicted mean?",
        ),
        (
            "Eviction frees memory when the cache is full. KV goes from unlocked leaves, and a checkpoint may go from any unlocked node, which then becomes a tombstone if it has children.",
        ),
    ),
    Topic(
        "the coverage policy",
        ("Which eviction policy is the default?", "What is coverage?", "How does Biplane choose what to evict?",
         "Which eviction policies are there?"),
        (
            "Coverage is Biplane's own eviction policy. It drops the checkpoint whose loss costs the fewest expected replay tokens per byte. The others are lru and flops.",
        ),
    ),
    Topic(
        "exact mode",
        (
            "What does exact mode do?",
            "When should I use exact mode?",
            "What is the difference between exact and fast mode?",
            "Exact mode?",
            "Are cached answers exact?",
        ),
        (
            "In exact mode Biplane resumes only from checkpoints that give logits equal bit for bit to a run without the cache. Fast mode also uses the others.",
        ),
    ),
    Topic(
        "fast mode",
        ("What does fast mode do?", "Which mode is the default?", "Is fast mode safe?"),
        (
            "Fast mode is the default. It uses every checkpoint, also those written while decoding, which differ from a cold run only by rounding.",
        ),
    ),
    Topic(
        "audit",
        ("What does audit do?", "How can I check the cache?", "What is biplane audit?",
         "How do I know the cache is right?", "How can I trust the cache?"),
        (
            "Audit runs a prompt cold and again with the cache, and compares the two. Try `biplane audit`.",
        ),
    ),
    Topic(
        "a prefix",
        ("What is a prefix of length p?", "What does prefix mean?", "What is a prefix cache?",
         "What is prefix caching?"),
        (
            "A prefix is the first tokens of a sequence. A prefix cache keeps the work done for it, so that the next prompt with the same beginning need not repeat it.",
        ),
    ),
    Topic(
        "the radix tree",
        ("What is the tree for?", "What does the tree show?", "How is the cache organised?", "What is a radix tree?"),
        (
            "The radix tree keeps token sequences that share a beginning. Each node is a span of tokens with its KV and at most one checkpoint, at the end of the span.",
        ),
    ),
    Topic(
        "a node",
        ("What is a node of the tree?", "What does a node hold?", "What are nodes?"),
        (
            "A node is one edge of the tree: a span of tokens, the KV slots of that span, and at most one checkpoint at its end.",
        ),
    ),
    Topic(
        "a split",
        ("What happens when a node is split?", "What happens on a split?", "Who keeps the checkpoint after a split?"),
        (
            "When a node is split, the lower part keeps the checkpoint and the new upper node is a tombstone.",
        ),
    ),
    Topic(
        "the resume position",
        ("Where does a run resume?", "How is the resume position chosen?", "Where can a run continue?"),
        (
            "The resume position is where a run continues. It needs the KV of every earlier token and the recurrent state of exactly that length.",
        ),
    ),
    Topic(
        "a live slot",
        ("What are live slots?", "What is the live state?", "Does the tree point at live slots?"),
        (
            "A live slot is the state that a running request changes in place. The tree never points at one.",
        ),
    ),
    Topic(
        "a fork",
        ("What does donate mean?", "What is donating?", "How does a checkpoint get into the tree?"),
        (
            "To fork, or donate, is to copy a live slot into a new slot that the tree owns. That copy is the checkpoint.",
        ),
    ),
    Topic(
        "copy on write",
        ("Why does Biplane copy a checkpoint before running?", "What does copy on write mean here?"),
        (
            "Copy on write means that a checkpoint is copied into the live slot of a request before it runs, so the tree's copy stays as it is.",
        ),
    ),
    Topic(
        "provenance",
        ("What is the provenance of a checkpoint?", "What are prefill and decode checkpoints?"),
        (
            "Provenance says how a checkpoint was written: during prefill or during decode. Only prefill checkpoints can be bit-equal to a cold run.",
        ),
    ),
    Topic(
        "prefill",
        ("What is the prefill phase?", "What happens in prefill?"),
        ("Prefill is the phase that reads the prompt, many tokens at once, before the first new token.",),
    ),
    Topic(
        "decode",
        ("What is decoding?", "What is the decode phase?", "What happens in decode?"),
        ("Decode is the phase that writes the answer, one token after another.",),
    ),
    Topic(
        "a tier",
        ("What are tiers?", "Which tiers are there?", "What are the memory tiers?", "Where do the bytes live?"),
        (
            "A tier is where bytes live: on the device, in host memory, or on disk. The disk tier survives a restart.",
        ),
    ),
    Topic(
        "a lock",
        ("What are locks?", "Why are nodes locked?", "What do locks protect?"),
        (
            "A lock keeps a node from eviction while a request uses it. KV locks run from the node to the root; a state lock holds one node.",
        ),
    ),
    Topic(
        "a token",
        ("What are tokens?", "What is tokenisation?"),
        ("A token is a piece of text with a number. Models read and write tokens, not letters.",),
    ),
    Topic(
        "time to first token",
        ("What is TTFT?", "What does TTFT mean?"),
        ("Time to first token is how long you wait before the answer begins. The cache makes it shorter.",),
    ),
    Topic(
        "the panel",
        ("What does the panel show?", "What do I see in the panel?", "What is the live panel?",
         "What is shown on the right?"),
        (
            "The live panel shows the tree, both planes, and for every turn how many tokens were reused, replayed and computed, with the reason.",
        ),
    ),
    Topic(
        "",
        ("What do reused, replayed and computed mean?", "What does reused mean?", "What are reused tokens?",
         "What are computed tokens?"),
        (
            "Reused tokens come from the cache, replayed tokens run again to rebuild state, and computed tokens are new.",
        ),
    ),
    Topic(
        "",
        ("Does the cache survive a restart?", "Is the cache saved to disk?", "What happens after a restart?",
         "Is the cache kept when I close the app?"),
        (
            "Yes. The disk tier survives a restart: files are atomic and carry checksums, and a damaged file is skipped.",
        ),
    ),
    Topic(
        "",
        ("Is my data private?", "Does Biplane use the internet?", "Do you send my data anywhere?",
         "Does Biplane work offline?", "Is anything sent to the cloud?"),
        (
            "Everything runs on your own machine. Biplane opens no network port unless you turn it on.",
        ),
    ),
    Topic(
        "",
        ("How do I use a real model?", "How do I open another model?", "How can I load a bigger model?",
         "How do I change the model?", "Where do I open a model?", "Can I use a better model?",
         "How do I start Biplane with my own model?", "How do I load a model?"),
        (
            "Start `biplane --model FOLDER`, or choose File > Open model.",
        ),
    ),
    Topic(
        "",
        ("Which models does Biplane support?", "Which models can I use?", "What models work here?",
         "Which models can I load?"),
        (
            "Biplane runs hybrid models: the Qwen3.5 family and Qwen3-Next. Choose File > Open model to load one.",
        ),
    ),
    Topic(
        "",
        ("Why can a checkpoint not serve a shorter prefix?", "Can a state be cut back?",
         "Why not roll back the state?", "Can a checkpoint serve another length?"),
        (
            "A recurrent state cannot be cut back. It mixes all its tokens, so it serves exactly one length.",
        ),
    ),
    Topic(
        "",
        ("What happens when I edit a message?", "What if I edit an old message?",
         "What happens if I change my question?", "What happens when I regenerate an answer?"),
        (
            "The new prompt shares its beginning with the old one. Biplane resumes from the deepest checkpoint before the change and runs only the rest.",
        ),
    ),
    Topic(
        "",
        ("What happens to the thinking of earlier turns?", "Why does the prompt change between turns?",
         "Are thoughts kept in the history?"),
        (
            "The template drops the thinking of earlier turns. The next prompt diverges right after the assistant header, so Biplane puts an anchor there.",
        ),
    ),
    Topic(
        "the interval",
        ("How often are checkpoints taken?", "Where are checkpoints taken?", "When is a checkpoint taken?"),
        (
            "Checkpoints are taken at anchors, at branch points, every 1024 tokens of prefill, every 256 decoded tokens, and at the end.",
        ),
    ),
)
