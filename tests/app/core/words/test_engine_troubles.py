"""What goes wrong with downloads and servers, said in Chinese as the engine really words it."""

from __future__ import annotations

import errno
import re
import socket
from collections.abc import Iterator
from pathlib import Path

import pytest

from app.core.words import language
from app.core.words.engine_words import said
from engine.errors import BiplaneError, RemoteError
from engine.hub.failures import HubError
from engine.hub.fetch import disk_error
from engine.hub.listing import as_hub_error, from_status, gated
from engine.hub.names import repo_id
from engine.net.client.address import Address
from engine.net.client.trouble import broke_off, cannot_connect, not_compatible, refused

REPO, HOST = "Org/Tiny-0.1B", "hub.example"
ADDRESS = Address.parse("http://127.0.0.1:8080")
# Names and words that are the same in every language.
ALIKE = {
    *("http", "https", "config", "json", "safetensors", "GGUF", "pickle", "Qwen", "HTTP", "OpenAI"),
    *("Hub", "hub", "example", "Org", "Tiny", "models", "null", "invalid", "key"),
}
# What a user typed is said back.
TYPED = {"nothing", "like", "ftp"}
# The system says these in its own language.
RESET = ConnectionResetError(errno.ECONNRESET, "")


def of_name(text: str) -> BiplaneError:
    with pytest.raises(HubError) as caught:
        repo_id(text)
    return caught.value


def of_address(text: str) -> BiplaneError:
    with pytest.raises(RemoteError) as caught:
        Address.parse(text)
    return caught.value


def sentences() -> Iterator[str]:
    for status in (401, 403, 404, 429, 500):
        for token in (False, True):
            yield str(from_status(status, REPO, HOST, token=token))
    yield str(gated(REPO, HOST, token=False))
    yield str(as_hub_error(OSError(), REPO, token=False, endpoint=f"https://{HOST}"))
    yield str(disk_error(OSError(errno.ENOSPC, ""), Path("/models")))
    yield str(of_name("nothing like it"))
    for body in (b"", b'{"error": {"message": "invalid key"}}'):
        for status in (301, 401, 404, 418, 429, 500, 503):
            for sent in ("", "secret"):
                yield str(refused(ADDRESS, status, body, "", sent))
    yield str(refused(ADDRESS, 302, b"", "https://hub.example", ""))
    for error in (ConnectionRefusedError(), TimeoutError(), socket.gaierror()):
        yield str(cannot_connect(ADDRESS, error, 5))
    yield str(cannot_connect(ADDRESS, OSError(errno.ENETUNREACH, ""), 5))
    for began in (False, True):
        for broken in (None, TimeoutError(), RESET, ValueError("null")):
            yield broke_off(ADDRESS, broken, began=began, waited_s=5)
    for why in ("its list of models is empty", "it does not speak HTTP"):
        yield str(not_compatible(ADDRESS, why))
    for typed in ("", "a b", "ftp://a", "http://", "http://a?b", "http://a:0"):
        yield str(of_address(typed))


@pytest.fixture
def _chinese() -> Iterator[None]:
    language.speak("zh_CN")
    yield
    language.speak(language.ENGLISH)


@pytest.mark.usefixtures("_chinese")
def test_nothing_is_left_in_english() -> None:
    left = {}
    for sentence in dict.fromkeys(sentences()):
        words = set(re.findall(r"[A-Za-z]{3,}", said(sentence)))
        if words - ALIKE - TYPED:
            left[sentence] = said(sentence)
    assert not left


@pytest.mark.usefixtures("_chinese")
def test_what_the_server_said_stays_in_its_place() -> None:
    body = b'{"error": {"message": "invalid key"}}'
    assert said(str(refused(ADDRESS, 401, body, "", "secret"))) == (
        "http://127.0.0.1:8080 拒绝该令牌 (invalid key)：请在“文件 > 连接…”中输入正确的令牌。"
    )
    assert "拒绝该令牌：" in said(str(refused(ADDRESS, 401, b"", "", "secret")))
