"""A deliberate fault, and the changes to source of which faults are made.

A change to Python names what it changes by its syntax: how the code is laid out and what else a
function does may change without it. In its snippets `...` stands for any expression or, at the
end of arguments, operands or statements, for all that follow: `len(path) > 1 and ...`,
`replace(...)`, `while self._taken: ...`.
"""

from __future__ import annotations

import ast
import copy
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache


@dataclass(frozen=True, slots=True)
class Text:
    """In C: `new` in place of the text `old`."""

    old: str
    new: str


@dataclass(frozen=True, slots=True)
class Put:
    """`new` in place of the expression or the statement `old`."""

    old: str
    new: str

    def fits(self, node: ast.AST) -> bool:
        return _same(_parsed(self.old), node)

    def changed(self, node: ast.AST) -> ast.AST:
        new = _parsed(self.new)
        return ast.Expr(new) if isinstance(node, ast.stmt) and isinstance(new, ast.expr) else new


@dataclass(frozen=True, slots=True)
class Set:
    """`new` as the value that is assigned to `what`, or as the argument of that name."""

    what: str
    new: str

    def fits(self, node: ast.AST) -> bool:
        if isinstance(node, ast.keyword):
            return node.arg == self.what
        return isinstance(node, ast.Assign | ast.AugAssign) and _concerns(node, self.what)

    def changed(self, node: ast.AST) -> ast.AST:
        return _with(node, "value", _parsed(self.new))


@dataclass(frozen=True, slots=True)
class Returns:
    """`new` in place of what is returned."""

    new: str

    def fits(self, node: ast.AST) -> bool:
        return isinstance(node, ast.Return)

    def changed(self, node: ast.AST) -> ast.AST:
        return _with(node, "value", _parsed(self.new))


@dataclass(frozen=True, slots=True)
class Drop:
    """No statement `what`, or none that calls, assigns or deletes `what`."""

    what: str

    def fits(self, node: ast.AST) -> bool:
        return isinstance(node, ast.stmt) and _concerns(node, self.what)

    def changed(self, node: ast.AST) -> ast.AST:
        return ast.Pass()


@dataclass(frozen=True, slots=True)
class Without:
    """No operand, element, condition or argument `what`; an argument may be given by its name."""

    what: str

    def fits(self, node: ast.AST) -> bool:
        return any(map(self._is, _members(node)))

    def changed(self, node: ast.AST) -> ast.AST:
        if isinstance(node, ast.BinOp):
            return node.right if self._is(node.left) else node.left
        rest = copy.copy(node)
        for name, value in ast.iter_fields(node):
            if isinstance(value, list):
                setattr(rest, name, [one for one in value if not self._is(one)])
        return rest.values[0] if isinstance(rest, ast.BoolOp) and len(rest.values) == 1 else rest

    def _is(self, node: ast.AST) -> bool:
        if isinstance(node, ast.keyword):
            return node.arg == self.what
        return _same(_parsed(self.what), node)


@dataclass(frozen=True, slots=True)
class Later:
    """The statement that calls `what` after the one that follows it."""

    what: str

    def fits(self, node: ast.AST) -> bool:
        return any(_concerns(one, self.what) for one in _body(node))

    def changed(self, node: ast.AST) -> ast.AST:
        body = list(_body(node))
        [first] = [at for at, one in enumerate(body) if _concerns(one, self.what)]
        body.insert(first + 1, body.pop(first))
        return _with(node, "body", body)


Syntax = Put | Set | Returns | Drop | Without | Later


@dataclass(frozen=True, slots=True)
class Fault:
    """A fault, and what it breaks.

    Attributes:
        file: under engine/; "../app/..." for one of the app, "../kernels/..." for a kernel.
        place: the qualified name of a function or class, or a variable; "" for the whole file.
        change: what is changed there; it must fit once.
        tests: paths under tests/, separated by spaces; they must fail.
    """

    file: str
    place: str
    change: Syntax | Text
    tests: str = "engine/cache"

    def planted(self, source: str) -> str:
        """The `source` of the file with this fault.

        Raises:
            LookupError: the place is gone, or the change fits nothing there or several times.
        """
        if isinstance(self.change, Text):
            self._expect_one(source.count(self.change.old))
            return source.replace(self.change.old, self.change.new)
        tree = ast.parse(source)
        places = _named(tree, self.place)
        if not places:
            raise LookupError(f"{self.file} has no {self.place}")
        nodes = {node: None for place in places for node in ast.walk(place)}
        found = [node for node in nodes if self.change.fits(node)]
        self._expect_one(len(found))
        return ast.unparse(_Exchange(found[0], self.change.changed(found[0])).visit(tree))

    def _expect_one(self, count: int) -> None:
        if count != 1:
            place = self.place or "it"
            raise LookupError(f"{self.file}: {self.change} fits {count} times in {place}")


class _Exchange(ast.NodeTransformer):
    """Puts one node in the place of another."""

    def __init__(self, old: ast.AST, new: ast.AST) -> None:
        self._old = old
        self._new = new

    def visit(self, node: ast.AST) -> ast.AST:
        return self._new if node is self._old else self.generic_visit(node)


def _named(tree: ast.AST, place: str) -> list[ast.AST]:
    """All definitions of `place`: a property and its setter have the same name."""
    found = [tree]
    for name in place.split(".") if place else ():
        found = [one for scope in found for one in ast.walk(scope) if name in _names(one)]
    return found


def _names(node: ast.AST) -> Iterator[str]:
    """What a statement defines."""
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        yield node.name
    elif isinstance(node, ast.Assign):
        yield from (one.id for one in node.targets if isinstance(one, ast.Name))


def _body(node: ast.AST) -> list[ast.stmt]:
    return node.body if isinstance(node, ast.FunctionDef | ast.For | ast.While | ast.If) else []


def _members(node: ast.AST) -> Iterable[ast.AST]:
    """What can be left out of a node."""
    match node:
        case ast.BinOp():
            return node.left, node.right
        case ast.BoolOp():
            return node.values
        case ast.Call():
            return *node.args, *node.keywords
        case ast.Tuple() | ast.List() | ast.Set():
            return node.elts
        case ast.comprehension():
            return node.ifs
    return ()


def _concerns(statement: ast.stmt, what: str) -> bool:
    """Whether a statement is `what`, or does nothing but call, assign or delete it."""
    wanted = _parsed(what)
    match statement:
        case ast.Expr(value=ast.Call(func=one) | ast.YieldFrom(value=ast.Call(func=one))):
            return _same(wanted, one) or _same(wanted, statement.value)
        case ast.Assign(targets=[one]) | ast.AugAssign(target=one) | ast.Delete(targets=[one]):
            return _same(wanted, one) or _same(wanted, statement)
    return _same(wanted, statement)


@cache
def _parsed(snippet: str) -> ast.AST:
    """An expression or a statement."""
    [one] = ast.parse(snippet).body
    return one.value if isinstance(one, ast.Expr) else one


def _with(node: ast.AST, name: str, value: object) -> ast.AST:
    """A copy of a node with another field."""
    other = copy.copy(node)
    setattr(other, name, value)
    return other


def _same(wanted: object, found: object) -> bool:
    """Whether a node or a value is the wanted one, whatever stands for `...`."""
    if _is_open(wanted):
        return True
    if isinstance(wanted, list) and isinstance(found, list):
        open_end = bool(wanted) and _is_open(wanted[-1])
        known = wanted[:-1] if open_end else wanted
        right_length = len(found) >= len(known) if open_end else len(found) == len(known)
        return right_length and all(map(_same, known, found))
    if type(wanted) is not type(found) or not isinstance(wanted, ast.AST):
        return type(wanted) is type(found) and wanted == found
    ignored = {"ctx"}
    if isinstance(wanted, ast.Call) and wanted.args and _is_open(wanted.args[-1]):
        ignored.add("keywords")
    names = (name for name in wanted._fields if name not in ignored)
    return all(_same(getattr(wanted, name), getattr(found, name)) for name in names)


def _is_open(wanted: object) -> bool:
    """Whether this is `...`, alone or as a statement."""
    if isinstance(wanted, ast.Expr):
        wanted = wanted.value
    return isinstance(wanted, ast.Constant) and wanted.value is ...
