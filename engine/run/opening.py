"""From a model folder to what a core runs: the model in the chosen format, and its text."""

from __future__ import annotations

from pathlib import Path

from engine.config import EngineConfig
from engine.errors import ModelError
from engine.model.config import read_config
from engine.model.hybrid import HybridModel
from engine.model.loader import LoadOptions, Progress, load_model
from engine.run.describe import pick_device, threads_for
from engine.storage.fingerprint import fingerprint
from engine.text.text_model import TextModel
from kernels.cpu import use_threads
from kernels.host_memory import keep_freed_memory


def open_model(
    folder: Path, config: EngineConfig, progress: Progress
) -> tuple[HybridModel, TextModel]:
    """Load a model folder for this thread.

    Raises ModelError with a plain sentence, and whatever `progress` raises.
    """
    device = pick_device(config.device)
    # Checked first: for an unsupported architecture no other error matters.
    read_config(folder)
    progress("Reading the tokenizer", None)
    text = TextModel(folder)
    options = LoadOptions(
        config.dtype, config.weights, config.expert_bytes, _packed_folder(folder, config)
    )
    model = load_model(folder, options, device, progress)
    if device.type == "cpu":
        # After loading, whose temporary buffers should go back to the system.
        keep_freed_memory()
    # The thread count is set for the calling thread, so this belongs here and not at import.
    use_threads(config.threads or threads_for(model))
    return model, text


def _packed_folder(folder: Path, config: EngineConfig) -> Path | None:
    """The folder for this model's quantised weights, None if they are not kept."""
    if config.weights == "stored" or config.cache_dir is None:
        return None
    try:
        name = fingerprint(folder, config.weights, config.dtype)
    except ModelError:
        # The loader reports what is wrong with the folder.
        return None
    return config.cache_dir / "weights" / f"{name}-{config.weights}"
