"""Compiles templates to code in which each operation is a call of the sandbox.

jinja2 has hooks for most operations of a template. The others are rewritten in the syntax tree
before the code is generated.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Container, Mapping
from typing import Any

from jinja2 import nodes
from jinja2.compiler import CodeGenerator, Frame, MacroRef

from engine.text.sandbox.meter import MAX_NUMBER_BITS, TemplateLimit

Names = Mapping[type[nodes.Node], Container[str]]
"""The allowed names, for nodes.Filter and for nodes.Test."""

_REFUSED: dict[type[nodes.Node], str] = {
    nodes.Block: "block",
    nodes.Extends: "extends",
    nodes.FilterBlock: "filter",
    nodes.FromImport: "from",
    nodes.Import: "import",
    nodes.Include: "include",
    nodes.EvalContextModifier: "autoescape",
    nodes.ScopedEvalContextModifier: "autoescape",
}


class SandboxCode(CodeGenerator):
    """Emits calls of the sandbox's own methods verbatim, and counts literal text."""

    def visit_Call(self, node: nodes.Call, frame: Frame, forward_caller: bool = False) -> None:
        if isinstance(node.node, nodes.EnvironmentAttribute):
            self.visit(node.node, frame)
            self.write("(")
            for argument in node.args:
                self.visit(argument, frame)
                self.write(", ")
            self.write(")")
        elif forward_caller:
            # jinja2 would write the result of a call block as it is.
            self.write("environment.finalize(context, ")
            super().visit_Call(node, frame, forward_caller=True)
            self.write(")")
        else:
            super().visit_Call(node, frame)

    def macro_def(self, macro_ref: MacroRef, frame: Frame) -> None:
        self.write("environment.own(")
        super().macro_def(macro_ref, frame)
        self.write(")")

    def visit_Output(self, node: nodes.Output, frame: Frame) -> None:
        fixed = sum(len(n.data) for n in node.nodes if isinstance(n, nodes.TemplateData))
        if fixed:
            self.writeline(f"environment.meter.output({fixed})")
        super().visit_Output(node, frame)


def rewrite(tree: nodes.Node, offered: Names) -> None:
    """Turn every operation below `tree` without a hook into a sandbox call, in place.

    Raises TemplateLimit for a number that no template needs.
    """
    for field, value in tree.iter_fields():
        if isinstance(value, nodes.Node):
            setattr(tree, field, _rewritten(value, offered))
        elif isinstance(value, list):
            parts = [_rewritten(v, offered) if isinstance(v, nodes.Node) else v for v in value]
            setattr(tree, field, parts)


def _rewritten(node: nodes.Node, offered: Names) -> nodes.Node:
    rewrite(node, offered)
    if type(node) in _REFUSED:
        return _statement(_refusal(node, f"statement '{_REFUSED[type(node)]}'"))
    if isinstance(node, nodes.Filter | nodes.Test) and node.name not in offered[type(node)]:
        return _refusal(node, f"{type(node).__name__.lower()} '{node.name}'")
    if isinstance(node, nodes.Call | nodes.Filter | nodes.Test):
        _bound_spread(node)
    return _REWRITE[type(node)](node) if type(node) in _REWRITE else node


def _for(node: nodes.For) -> nodes.Node:
    assert isinstance(node.iter, nodes.Expr)
    node.iter = _call("steps", node, node.iter)
    return node


def _assign_block(node: nodes.AssignBlock) -> nodes.Node:
    """jinja2 allows only a filter there, so a refused one replaces the block."""
    if node.filter is None or isinstance(node.filter, nodes.Filter):
        return node
    assert isinstance(node.filter, nodes.Expr)
    return _statement(node.filter)


def _compare(node: nodes.Compare) -> nodes.Node:
    rest = [part for o in node.ops for part in (nodes.Const(o.op), o.expr)]
    return _call("compare", node, node.expr, *rest)


def _concat(node: nodes.Concat) -> nodes.Node:
    return _call("join_texts", node, *node.nodes)


def _getitem(node: nodes.Getitem) -> nodes.Node:
    cut = node.arg
    if not isinstance(cut, nodes.Slice):
        return node
    bounds = (part or nodes.Const(None) for part in (cut.start, cut.stop, cut.step))
    return _call("slice", node, node.node, *bounds)


def _dict(node: nodes.Dict) -> nodes.Node:
    if all(isinstance(pair.key, nodes.Const) for pair in node.items):
        return node
    pairs = (nodes.Tuple([p.key, p.value], "load", lineno=p.lineno) for p in node.items)
    return _call("mapping", node, *pairs)


def _const(node: nodes.Const) -> nodes.Node:
    value = node.value
    if isinstance(value, float) and not math.isfinite(value):
        raise TemplateLimit("it contains too large a number")
    if isinstance(value, int) and value.bit_length() > MAX_NUMBER_BITS:
        raise TemplateLimit("it contains too large a number")
    return node


_REWRITE: dict[type[nodes.Node], Callable[[Any], nodes.Node]] = {
    nodes.AssignBlock: _assign_block,
    nodes.Compare: _compare,
    nodes.Concat: _concat,
    nodes.Const: _const,
    nodes.Dict: _dict,
    nodes.For: _for,
    nodes.Getitem: _getitem,
}


def _bound_spread(node: nodes.Call | nodes.Filter | nodes.Test) -> None:
    if node.dyn_args is not None:
        node.dyn_args = _call("spread", node, node.dyn_args)
    if node.dyn_kwargs is not None:
        node.dyn_kwargs = _call("spread", node, node.dyn_kwargs)


def _refusal(node: nodes.Node, what: str) -> nodes.Expr:
    return _call("refuse", node, nodes.Const(what))


def _statement(expression: nodes.Expr) -> nodes.Node:
    return nodes.ExprStmt(expression, lineno=expression.lineno)


def _call(name: str, at: nodes.Node, *args: nodes.Expr) -> nodes.Call:
    method = nodes.EnvironmentAttribute(name, lineno=at.lineno)
    return nodes.Call(method, list(args), [], None, None, lineno=at.lineno)
