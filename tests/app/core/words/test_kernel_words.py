"""What runs a model, as a sentence; the phrases are those that the kernels say of themselves."""

from __future__ import annotations

import pytest

from app.core.words import language
from app.core.words.model_words import GPU, OPERATORS, kernels_sentence
from kernels.dispatch import CUDA
from kernels.native.library import NAMES, SWITCH, TORCH, in_use, library


def test_the_phrases_are_the_kernels_own(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(SWITCH, TORCH)
    library.cache_clear()
    operators = in_use()
    monkeypatch.undo()
    library.cache_clear()
    assert (operators, CUDA.name) == (OPERATORS, GPU)


@pytest.mark.parametrize("phrase", [*NAMES.values(), OPERATORS, GPU])
def test_each_is_one_sentence_that_names_it(phrase: str) -> None:
    sentence = kernels_sentence(phrase)
    assert phrase in sentence
    assert sentence[0].isupper()
    assert sentence.endswith(".")
    assert sentence.count(".") == 1


def test_only_what_is_slower_says_so() -> None:
    assert "take longer" in kernels_sentence(OPERATORS)
    assert "take longer" not in kernels_sentence("AVX2")


def test_in_chinese_what_is_slower_says_so_too() -> None:
    language.speak("zh_CN")
    try:
        assert "PyTorch 的算子" in (slow := kernels_sentence(OPERATORS))
        assert slow != kernels_sentence("AVX2").replace("AVX2", "PyTorch 的算子")
        assert "Triton 和 FLA" in kernels_sentence(GPU)
    finally:
        language.speak(language.ENGLISH)
