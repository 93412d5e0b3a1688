"""Writes the manual pages and the completions of shells, from the parsers of the command line.

    python packaging/manual.py FOLDER

makes, below FOLDER, the folders of a package's /usr/share: man/man1, bash-completion/completions,
zsh/site-functions and fish/vendor_completions.d.
"""

from __future__ import annotations

import argparse
import importlib.metadata
import os
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from app.cli.main import make_parser as commands_parser
from app.shell.options import make_parser as window_parser

_TITLES = {
    "biplane": "local chat on a two-plane prefix cache",
    "biplane-gui": "the window of biplane, for menus",
}
_HOMES = {
    "XDG_CACHE_HOME": "~/.cache",
    "XDG_CONFIG_HOME": "~/.config",
    "XDG_DATA_HOME": "~/.local/share",
    "XDG_STATE_HOME": "~/.local/state",
}
_FILES = (
    ("~/.config/biplane/", "settings, and the window's layout"),
    ("~/.local/share/biplane/", "conversations and downloaded models"),
    ("~/.cache/biplane/", "cache files; they may be deleted"),
    ("~/.local/state/biplane/", "the log, and reports of crashes"),
)


@dataclass(frozen=True, slots=True)
class Option:
    """An option or argument of a command.

    Attributes:
        flags: empty for an argument.
        value: the name of its value; "" if it takes none.
        choices: of the value.
    """

    flags: tuple[str, ...]
    value: str
    choices: tuple[str, ...]
    help: str


@dataclass(frozen=True, slots=True)
class Command:
    """A command that can be run.

    Attributes:
        words: after the program's name: none for the window.
        help: in one line.
        names: of the subcommands below it.
    """

    words: tuple[str, ...]
    help: str
    usage: str
    options: tuple[Option, ...]
    names: tuple[tuple[str, str], ...] = ()


def commands() -> list[Command]:
    """The window first, then every subcommand, those that only lead to others too."""
    top = commands_parser()
    window = _command((), "opens the window", window_parser())
    found = list(_below((), "", top))
    named = next(one.names for one in found if not one.words)
    rest = [one for one in found if one.words]
    version = Option(("--version",), "", (), "print the version")
    return [
        Command((), window.help, window.usage, (*window.options, version), named),
        *rest,
    ]


def _below(
    words: tuple[str, ...], about: str, parser: argparse.ArgumentParser
) -> Iterator[Command]:
    yield _command(words, about, parser)
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            told = {one.dest: one.help or "" for one in action._choices_actions}
            for name, child in action.choices.items():
                yield from _below((*words, name), told.get(name, ""), child)


def _command(words: tuple[str, ...], about: str, parser: argparse.ArgumentParser) -> Command:
    names: tuple[tuple[str, str], ...] = ()
    options: list[Option] = []
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            told = {one.dest: one.help or "" for one in action._choices_actions}
            names = tuple((name, told.get(name, "")) for name in action.choices)
            continue
        options.append(_option(parser, action))
    usage = " ".join(parser.format_usage().removeprefix("usage: ").split())
    return Command(words, about, usage, tuple(options), names)


def _option(parser: argparse.ArgumentParser, action: argparse.Action) -> Option:
    takes = action.nargs != 0
    choices = tuple(map(str, action.choices)) if action.choices else ()
    name = action.metavar if isinstance(action.metavar, str) else action.dest.upper()
    value = ("{" + ",".join(choices) + "}" if choices else name) if takes else ""
    formatter = parser._get_formatter()
    text = formatter._expand_help(action) if action.help else ""
    text = _anybodys(" ".join(text.split()))
    return Option(tuple(action.option_strings), value, choices, text)


def _anybodys(text: str) -> str:
    """A help text without the folders of whoever writes the page."""
    for variable, usual in _HOMES.items():
        if own := os.environ.get(variable):
            text = text.replace(own, usual)
    return text.replace(str(Path.home()), "~")


def manual(program: str) -> str:
    """The manual page of a program, in roff."""
    told = commands()
    if program != "biplane":
        told = told[:1]
    version = importlib.metadata.version("biplane")
    lines = [
        f'.TH {program.upper()} 1 "" "biplane {version}" "User Commands"',
        # Long lists of choices leave lines that cannot be justified.
        ".ad l",
        ".nh",
        ".SH NAME",
        f"{_roff(program)} \\- {_roff(_TITLES[program])}",
        ".SH SYNOPSIS",
        f".B {_roff(program)}",
        "[\\fIOPTION\\fR]... [\\fIFILE\\fR]...",
    ]
    if program == "biplane":
        lines += [".br", f".B {_roff(program)}", "\\fISUBCOMMAND\\fR [\\fIOPTION\\fR]..."]
    lines += [
        ".SH DESCRIPTION",
        "Biplane runs language models on this computer, and shows how it reuses what it has read. "
        "Without a subcommand it opens the window; if one is open already, that comes to the front "
        "and opens the files.",
        ".SH OPTIONS",
        *_options(told[0].options),
    ]
    for one in told[1:]:
        lines += [f".SH {_roff(' '.join((program, *one.words)).upper())}"]
        lines += [_roff(one.help[:1].upper() + one.help[1:] + "."), ".PP", _roff(one.usage)]
        lines += _options(one.options)
    lines.append(".SH FILES")
    for path, what in _FILES:
        lines += [".TP", f".I {_roff(path)}", _roff(what)]
    lines += [
        ".SH EXIT STATUS",
        "0 on success, 2 for an invalid command line, 1 for any other failure.",
        "",
    ]
    return "\n".join(lines)


def _options(options: tuple[Option, ...]) -> Iterator[str]:
    for one in options:
        flags = ", ".join(f"\\fB{_roff(flag)}\\fR" for flag in one.flags)
        value = f"\\fI{_roff(one.value)}\\fR" if one.value else ""
        yield ".TP"
        yield f"{flags} {value}".strip()
        yield _roff(one.help) or "\\&"


def _roff(text: str) -> str:
    text = text.replace("\\", "\\e").replace("-", "\\-")
    return f"\\&{text}" if text.startswith((".", "'")) else text


def bash() -> str:
    """The completion for bash."""
    cases, values = [], []
    for one in commands():
        words = [*(name for name, _ in one.names), *(f for o in one.options for f in o.flags)]
        key = " ".join(one.words)
        cases.append(f'        "{key}") words="{" ".join(words)}" ;;')
        values += [
            f'        "{key} {flag}") COMPREPLY=($(compgen -W "{" ".join(o.choices)}" '
            '-- "$current")); return ;;'
            for o in one.options
            if o.choices
            for flag in o.flags
        ]
    flags = " ".join(flag for option in commands()[0].options for flag in option.flags)
    groups = " ".join(f'"{" ".join(one.words)}"' for one in commands() if one.words)
    return "\n".join(
        [
            "# Completion for biplane; made by packaging/manual.py.",
            "_biplane() {",
            '    local current="${COMP_WORDS[COMP_CWORD]}" before="" path="" word words=""',
            "    ((COMP_CWORD > 0)) && before=${COMP_WORDS[COMP_CWORD-1]}",
            f"    local -a known=({groups})",
            '    for word in "${COMP_WORDS[@]:1:COMP_CWORD-1}"; do',
            '        for one in "${known[@]}"; do',
            '            [[ "$one" == "${path:+$path }$word" ]] && path=$one && break',
            "        done",
            "    done",
            '    case "$path $before" in',
            *values,
            "    esac",
            '    case "$path" in',
            *cases,
            "    esac",
            f'    [[ ${{COMP_WORDS[0]##*/}} == biplane-gui ]] && words="{flags}"',
            '    COMPREPLY=($(compgen -W "$words" -- "$current"))',
            "}",
            "complete -o default -F _biplane biplane biplane-gui",
            "",
        ]
    )


def zsh() -> str:
    """The completion for zsh."""
    lines = [
        "#compdef biplane biplane-gui",
        "# Completion for biplane; made by packaging/manual.py.",
        "_biplane() {",
        "    local path= word",
        '    for word in "${(@)words[2,CURRENT-1]}"; do',
        '        case "${path:+$path }$word" in',
        *(
            f"            {_zsh_word(' '.join(o.words))}) path='{' '.join(o.words)}' ;;"
            for o in commands()
            if o.words
        ),
        "        esac",
        "    done",
        '    case "$path" in',
    ]
    for one in commands():
        lines.append(f"        '{' '.join(one.words)}')")
        if one.names:
            lines.append("            local -a names=(")
            lines += [f"                '{_zsh(f'{name}:{about}')}'" for name, about in one.names]
            lines += ["            )", "            [[ $service == biplane-gui ]] ||"]
            lines += ["                _describe -t commands subcommand names"]
        lines.append("            _arguments -S \\")
        for option in one.options:
            lines += [f"                {spec} \\" for spec in _zsh_specs(option)]
        lines += ["                '*:file:_files'", "            ;;"]
    return "\n".join([*lines, "    esac", "}", '_biplane "$@"', ""])


def _zsh_specs(option: Option) -> Iterator[str]:
    action = f"({' '.join(option.choices)})" if option.choices else "_files"
    value = f":{_zsh(option.value)}:{action}" if option.value else ""
    for flag in option.flags:
        yield f"'*{flag}[{_zsh(option.help)}]{value}'"


def _zsh(text: str) -> str:
    for char in "[]":
        text = text.replace(char, f"\\{char}")
    return text.replace("'", "'\\''").replace("{", "").replace("}", "")


def _zsh_word(text: str) -> str:
    return f"'{text}'"


def fish() -> str:
    """The completion for fish."""
    lines = ["# Completion for biplane; made by packaging/manual.py."]
    lines += _fish_options("biplane-gui", "true", commands()[0].options)
    for one in commands():
        needs = _fish_condition(one.words)
        for name, about in one.names:
            unless = " ".join(other for other, _ in one.names)
            alone = f"{needs}; and not __fish_seen_subcommand_from {unless}"
            lines.append(f"complete -c biplane -f -n '{alone}' -a {name} -d {_fish(about)}")
        lines += _fish_options("biplane", needs, one.options)
    return "\n".join([*lines, ""])


def _fish_options(program: str, needs: str, options: tuple[Option, ...]) -> Iterator[str]:
    for option in options:
        for flag in option.flags:
            kind = f"-l {flag[2:]}" if flag.startswith("--") else f"-s {flag[1:]}"
            takes = f" -x -a '{' '.join(option.choices)}'" if option.choices else ""
            takes = takes or (" -r" if option.value else "")
            yield f"complete -c {program} -n '{needs}' {kind}{takes} -d {_fish(option.help)}"


def _fish_condition(words: tuple[str, ...]) -> str:
    if not words:
        names = " ".join(name for name, _ in commands()[0].names)
        return f"not __fish_seen_subcommand_from {names}"
    return "; and ".join(f"__fish_seen_subcommand_from {word}" for word in words)


def _fish(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace("'", "\\'")
    return f"'{escaped}'"


def write(folder: Path) -> list[Path]:
    """Write all of it below a folder; returns the files."""
    made = {
        **{folder / "man" / "man1" / f"{name}.1": manual(name) for name in _TITLES},
        folder / "bash-completion" / "completions" / "biplane": bash(),
        folder / "zsh" / "site-functions" / "_biplane": zsh(),
        folder / "fish" / "vendor_completions.d" / "biplane.fish": fish(),
    }
    for path, text in made.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return list(made)


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("usage: python packaging/manual.py FOLDER")
    for written in write(Path(sys.argv[1])):
        print(written)
