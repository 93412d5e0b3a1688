"""The Models window, with a hub on this machine."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from contextlib import contextmanager

from app.models.logic.shelf import FAMILY
from app.models.window import ModelsWindow
from tests.app.rooms.visit import Views, Visit
from tests.engine.hub.hub_server import REPO, Hub, hub, tiny_repo
from tests.present import present


def views() -> Views:
    with _server() as server:
        visit = Visit()
        visit.desk.open()
        visit.window.menus.models.trigger()
        page = present(visit.window.models.window)
        _rest(visit)
        yield visit.at("models: the demo", page)
        page.list.setCurrentIndex(page.model.index(len(page.model.rows) - 1))
        _rest(visit)
        yield visit.at("models: one of the family", page)
        yield from _downloads(visit, page, server)
        page.close()
        visit.leave()


@contextmanager
def _server() -> Iterator[Hub]:
    before = os.environ.get("HF_ENDPOINT")
    with hub() as made:
        files = tiny_repo(shard_bytes=200_000, shards=3)
        files["config.json"] = json.dumps(FAMILY[0].config).encode()
        made.publish(files)
        os.environ["HF_ENDPOINT"] = made.endpoint
        try:
            yield made
        finally:
            del os.environ["HF_ENDPOINT"]
            if before is not None:
                os.environ["HF_ENDPOINT"] = before


def _downloads(visit: Visit, page: ModelsWindow, server: Hub) -> Views:
    detail = page.detail
    _look_up(visit, page, "nothing")
    yield visit.at("models: nothing found", page)
    _look_up(visit, page, REPO)
    yield visit.at("models: a repository", page)
    server.faults.chunk, server.faults.chunk_s = 2_000, 0.05
    detail.download.click()
    visit.until(lambda: detail.bar.value() > 0 and detail.pause.isVisible())
    yield visit.at("models: on its way", page)
    detail.pause.click()
    _ended(visit)
    yield visit.at("models: paused", page)
    server.faults.chunk_s = 0.0
    server.faults.wrong.add("model-00002-of-00003.safetensors")
    detail.download.click()
    _ended(visit)
    yield visit.at("models: arrived damaged", page)
    server.faults.wrong.clear()
    server.gated = True
    detail.trouble.again.click()
    _ended(visit)
    yield visit.at("models: gated", page)
    server.gated = False
    detail.download.click()
    _ended(visit)
    yield visit.at("models: here", page)
    detail.remove.click()
    yield visit.at("models: asked before it is removed", page)


def _look_up(visit: Visit, page: ModelsWindow, text: str) -> None:
    page.search.setText(text)
    page.look.click()
    _rest(visit)


def _ended(visit: Visit) -> None:
    visit.until(lambda: not visit.window.models.downloads.progress)
    _rest(visit)


def _rest(visit: Visit) -> None:
    """Everything asked has been answered and shown."""
    visit.until(lambda: not visit.window.models.busy)
    visit.window.models.take()
