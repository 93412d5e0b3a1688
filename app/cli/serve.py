"""`biplane serve`: let other programs on this computer use a model and its cache."""

from __future__ import annotations

import argparse
import json
import os
import signal
import sys
import threading
from typing import TYPE_CHECKING

from app.cli.serve_for import OBSIDIAN, PROGRAMS, Facts, settings_for
from app.core.options import shared as options
from app.core.options.parser import some_text
from app.core.preferences.file import settings_file
from app.core.server_token import SERVER_TOKEN, ServerToken

if TYPE_CHECKING:
    from app.cli.by_name import OneOpen
    from engine import Engine
    from engine.net.server import ServeConfig, Server

TOKEN_VARIABLE = "BIPLANE_TOKEN"


def add(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = subparsers.add_parser(
        "serve",
        help="let other programs use a model",
        description="Open a model and serve it to other programs on this computer, through the "
        "interfaces of OpenAI and Anthropic, until Ctrl+C. The address and the token that "
        f"programs need are printed; the token is that of the window, unless {TOKEN_VARIABLE} sets "
        "another.",
    )
    parser.add_argument(
        "--host",
        action="append",
        type=some_text,
        metavar="ADDRESS",
        help="address to listen at; may be repeated (default: this computer alone, 127.0.0.1 "
        "and ::1)",
    )
    parser.add_argument(
        "--port", type=port_number, metavar="N", help="port; 0 takes a free one (default: 8642)"
    )
    parser.add_argument(
        "--allow-host",
        action="append",
        type=some_text,
        default=[],
        metavar="NAME",
        help="accept this name in the Host header, too; may be repeated",
    )
    parser.add_argument(
        "--allow-origin",
        action="append",
        type=some_text,
        default=[],
        metavar="ORIGIN",
        help="let the pages of this site, or this browser extension or app, use the server, such "
        "as app://obsidian.md; may be repeated (default: none)",
    )
    parser.add_argument(
        "--no-token",
        action="store_true",
        help="let every program on this computer in without a token",
    )
    parser.add_argument(
        "--think", action="store_true", help="let the model think where a request does not say"
    )
    parser.add_argument(
        "--keep-thinking",
        action="store_true",
        help="keep the thinking of earlier turns in the prompt, which most models' templates leave "
        "out: what came after it is then not read again at each turn, but prompts get longer, and "
        "some models were not trained for it",
    )
    parser.add_argument(
        "--leave-out-volatile",
        action="store_true",
        help="leave out what some agents change in their system text with every request, such as "
        "billing headers, so that what follows it is reused; each request names it in any case",
    )
    parser.add_argument(
        "--open-by-name",
        action="append",
        nargs="?",
        const="",
        type=some_text,
        metavar="FOLDER",
        help="let a request open the model that it names: one in FOLDER, or without it one that "
        "was downloaded; may be repeated. One model is open at a time, so the other is closed "
        "first, once its answers are over; each request that opens one says what that cost",
    )
    parser.add_argument(
        "--for",
        dest="program",
        choices=list(PROGRAMS),
        metavar="PROGRAM",
        help="also print the settings to paste into one of: " + ", ".join(PROGRAMS),
    )
    parser.add_argument("--json", action="store_true", help="print the address and token as JSON")
    options.add_engine_options(parser, disk_mb=options.CHAT_DISK_MB)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    from app.cli.by_name import OneOpen, models_in
    from engine.net.server import Server

    config = options.engine_config(args)
    server = Server(serve_config(args))
    by_name = list(models_in(args.open_by_name or ()))
    # A port that is taken is found out before a model is loaded, and clients can wait for it.
    server.start()
    try:
        models = OneOpen(server, config, args.model or options.demo_model_dir(), by_name)
        try:
            if args.open_by_name:
                server.open_by_name(models)
            tell(server, models.engine, args.program, as_json=args.json)
            asked = wait_for_the_end(models)
            server.stop()
        finally:
            models.close()
    finally:
        server.stop()
    return 0 if asked else 1


def serve_config(args: argparse.Namespace) -> ServeConfig:
    """The server's settings. Raises UsageError."""
    from engine.net.server import ServeConfig
    from engine.net.server.config import LOOPBACK, PORT

    kept = ServerToken(settings_file().with_name(SERVER_TOKEN))
    token = "" if args.no_token else os.environ.get(TOKEN_VARIABLE, "") or kept.text
    if not (token.isascii() and token.isprintable() and " " not in token):
        raise options.UsageError(
            f"{TOKEN_VARIABLE} may contain only letters, digits and signs, without spaces."
        )
    hosts = tuple(args.host) if args.host else LOOPBACK
    if args.no_token and not set(hosts) <= {*LOOPBACK, "localhost"}:
        raise options.UsageError("--no-token is possible only at 127.0.0.1 and ::1.")
    return ServeConfig(
        hosts=hosts,
        port=PORT if args.port is None else args.port,
        names=tuple(args.allow_host),
        origins=(*args.allow_origin, *([OBSIDIAN] if args.program == "obsidian" else [])),
        token=token,
        thinking=args.think,
        keep_thinking=args.keep_thinking,
        leave_out_volatile=args.leave_out_volatile,
    )


def tell(server: Server, engine: Engine, program: str | None, *, as_json: bool) -> None:
    """Print the settings that clients need, and those of one program."""
    model = engine.model
    known = Facts(server.url, server.config.token, model.name, model.context)
    pasted = settings_for(program, known) if program else ""
    if as_json:
        facts = {
            "url": server.url,
            "openai_base_url": f"{server.url}/v1",
            "anthropic_base_url": server.url,
            "token": server.config.token,
            "model": engine.model.name,
            "context": engine.model.context,
        } | ({"settings": pasted} if pasted else {})
        print(json.dumps(facts), flush=True)
        return
    print(f"{engine.model.name} is served at {server.url}", flush=True)
    print(f"  OpenAI clients     base URL {server.url}/v1", flush=True)
    print(f"  Anthropic clients  base URL {server.url}", flush=True)
    print(f"  token              {server.config.token or 'none is asked for'}", flush=True)
    if pasted:
        print(f"\n{pasted}\n", flush=True)
    print("Ctrl+C ends it.", file=sys.stderr, flush=True)


def wait_for_the_end(models: OneOpen) -> bool:
    """Return on Ctrl+C, on SIGTERM, and when the engine fails: False only then."""
    ended = threading.Event()
    before = signal.signal(signal.SIGTERM, lambda *_: ended.set())
    try:
        while models.alive:
            if ended.wait(0.5):
                return True
        return False
    except KeyboardInterrupt:
        print(file=sys.stderr)
        return True
    finally:
        signal.signal(signal.SIGTERM, before)


def port_number(text: str) -> int:
    """A port, 0 to 65,535."""
    if not text.isdecimal() or int(text) > 65_535:
        raise argparse.ArgumentTypeError(f'"{text}" is not a port from 0 to 65,535')
    return int(text)
