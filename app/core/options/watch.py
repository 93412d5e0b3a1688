"""The options that name engines to watch."""

from __future__ import annotations

import argparse
from pathlib import Path

from engine.errors import RemoteError
from engine.net.client.address import Address
from engine.net.kv_events.address import AddressError, Publisher, beside
from engine.net.kv_events.fleet import MOST_WORKERS


def add_watch_options(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("engines elsewhere")
    group.add_argument(
        "--events",
        metavar="ADDRESS",
        help="where vLLM or SGLang publishes its KV events, such as tcp://127.0.0.1:5557",
    )
    group.add_argument(
        "--replay", default="", metavar="ADDRESS", help="where it sends missed batches again"
    )
    group.add_argument(
        "--ranks",
        type=int,
        default=1,
        metavar="N",
        help="so many data-parallel ranks, each one port further (default: 1)",
    )
    group.add_argument(
        "--worker",
        action="append",
        default=[],
        metavar="LABEL=EVENTS[,REPLAY]",
        help="one engine of several, by a name of yours; may be repeated",
    )
    group.add_argument(
        "--metrics",
        type=_metrics,
        metavar="ADDRESS",
        help="of the engine's counters for Prometheus, such as http://127.0.0.1:8000/metrics",
    )
    group.add_argument(
        "--dump",
        type=_dump,
        metavar="ADDRESS|FILE",
        help="what the engines had before: of Dynamo's indexer, such as http://127.0.0.1:8090/dump",
    )
    group.add_argument(
        "--listen",
        action="store_true",
        help="wait for the engine to connect to --events: what vLLM does with a numeric address",
    )


def publishers_of(given: argparse.Namespace) -> tuple[Publisher, ...]:
    """The publishers named by the options. Raises AddressError if one is invalid."""
    if not 0 < given.ranks <= MOST_WORKERS:
        raise AddressError(f"--ranks must be from 1 to {MOST_WORKERS}.")
    found = [_worker(text) for text in given.worker]
    for rank in range(given.ranks if given.events else 0):
        events, replay = beside(given.events, given.replay, rank)
        label = events if given.ranks == 1 else f"rank {rank}"
        found.append(Publisher(events, replay, label, given.listen))
    if len(found) > MOST_WORKERS:
        raise AddressError(f"No more than {MOST_WORKERS} engines can be watched at once.")
    return tuple(one.checked() for one in found)


def _metrics(typed: str) -> Address:
    return _address(typed, "/metrics")


def _dump(typed: str) -> Address | Path:
    if "://" not in typed and Path(typed).is_file():
        return Path(typed)
    return _address(typed, "/dump")


def _address(typed: str, path: str) -> Address:
    try:
        return Address.parse(typed, path=path)
    except RemoteError as error:
        raise argparse.ArgumentTypeError(str(error)) from None


def _worker(text: str) -> Publisher:
    label, equals, addresses = text.partition("=")
    events, _, replay = addresses.partition(",")
    if not equals or not label:
        raise AddressError(f"--worker {text[:80]!r} must be like a=tcp://127.0.0.1:5557.")
    return Publisher(events, replay, label)
