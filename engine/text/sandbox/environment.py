"""The environment that chat templates run in: jinja2's language with an allow-list.

A template's code never operates on a value directly. Each operator, lookup, call, loop and output
is rewritten into a method of the sandbox, which bounds its cost with the meter before it runs;
filters, tests, functions and methods are a list of bounded ones (deny by default).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from types import CodeType
from typing import Any, NoReturn

from jinja2 import Undefined, nodes, pass_context
from jinja2.lexer import Token, TokenStream
from jinja2.runtime import Context, LoopContext, Macro
from jinja2.sandbox import SandboxedEnvironment
from jinja2.utils import Namespace
from markupsafe import Markup

from engine.text.control_tokens import is_encodable
from engine.text.sandbox.code import SandboxCode, rewrite
from engine.text.sandbox.meter import Meter, TemplateLimit
from engine.text.sandbox.methods import METHODS
from engine.text.sandbox.operators import BINARY, COMPARISONS, UNARY
from engine.text.sandbox.values import Offered, elements, key

# jinja2 generates about four characters of Python per character of a template. Python compiles this
# many in less than two tenths of a second, in one uninterruptible call.
MAX_CODE_CHARS = 250_000
MAX_TOKENS = 50_000
MAX_SPREAD = 1000
MAX_MACROS = 10_000
NOT_OFFERED = "which is not offered to chat templates"
_LOOP_NUMBERS = {"index", "index0", "revindex", "revindex0", "length", "depth", "depth0"}
_LOOP = _LOOP_NUMBERS | {"first", "last", "previtem", "nextitem"}
Functions = dict[str, Callable[..., Any]]


class TemplateSandbox(SandboxedEnvironment):
    """Compiles and runs templates under `meter`; one render at a time.

    Attributes:
        meter: the limits of the current render; give each render its own.
    """

    code_generator_class = SandboxCode
    intercepted_binops = frozenset(BINARY)
    intercepted_unops = frozenset(UNARY)

    def __init__(
        self,
        spell: Callable[[str], str],
        filters: Functions,
        tests: Functions,
        functions: Functions,
        **options: Any,
    ) -> None:
        """`functions` take the sandbox first, `filters` and `tests` are jinja2's.

        `spell` is applied to every text in a template's own source.
        """
        super().__init__(optimized=False, finalize=_finalize, **options)
        self.meter = Meter()
        self._spell = spell
        self._macros: list[Macro] = []
        self.filters = dict(filters)
        self.tests = dict(tests)
        self.globals = {name: Offered(function) for name, function in functions.items()}

    # Compiling

    def _tokenize(
        self, source: str, name: str | None, filename: str | None = None, state: str | None = None
    ) -> TokenStream:
        stream = super()._tokenize(source, name, filename, state)
        return TokenStream(self._counted(stream), name, filename)

    def _counted(self, stream: TokenStream) -> Iterator[Token]:
        for count, token in enumerate(stream):
            self.meter.tick()
            if count > MAX_TOKENS:
                raise TemplateLimit(f"it has more than {MAX_TOKENS:,} tokens")
            yield token

    def _parse(self, source: str, name: str | None, filename: str | None) -> nodes.Template:
        tree = super()._parse(source, name, filename)
        for text in tree.find_all(nodes.TemplateData):
            text.data = self._own(text.data)
        for const in tree.find_all(nodes.Const):
            if isinstance(const.value, str):
                const.value = self._own(const.value)
        rewrite(tree, {nodes.Filter: self.filters, nodes.Test: self.tests})
        return tree

    def _own(self, text: str) -> str:
        if not is_encodable(text):
            raise TemplateLimit("it writes half of a surrogate pair")
        return self._spell(text)

    def _compile(self, source: str, filename: str) -> CodeType:
        if len(source) > MAX_CODE_CHARS:
            raise TemplateLimit("it is too long")
        return super()._compile(source, filename)

    # What compiled templates call

    def getattr(self, obj: Any, attribute: str) -> Any:
        """`obj.attribute`: an allowed method, else an entry, else undefined."""
        kind = Markup if isinstance(obj, Markup) else type(obj)
        if isinstance(obj, LoopContext):
            if attribute in _LOOP:
                return getattr(obj, attribute)
            if attribute in {"cycle", "changed"}:
                return Offered(_loop_method(attribute), obj, bound=True)
        elif isinstance(obj, Undefined):
            obj._fail_with_undefined_error()
        elif isinstance(obj, Namespace) and not attribute.startswith("_"):
            try:
                return getattr(obj, attribute)
            except AttributeError:
                return self.undefined(obj=obj, name=attribute)
        run = METHODS.get(str if kind is Markup else kind, {}).get(attribute)
        if run is not None:
            # Markup's own methods would escape their arguments.
            return Offered(run, str(obj) if kind is Markup else obj, bound=True)
        if kind is dict and attribute in obj:
            return obj[attribute]
        return self._missing(obj, attribute)

    def getitem(self, obj: Any, argument: Any) -> Any:
        """`obj[argument]`: an entry, else an allowed method, else undefined."""
        if isinstance(obj, Undefined):
            obj._fail_with_undefined_error()
        if type(obj) is dict:
            if key(argument) in obj:
                return obj[argument]
        elif isinstance(obj, str | list | tuple | range) and isinstance(argument, int):
            try:
                return obj[argument]
            except IndexError:
                return self.undefined(obj=obj, name=str(argument))
        if isinstance(argument, str):
            return self.getattr(obj, argument)
        return self._missing(obj, str(key(argument)))

    def _missing(self, obj: Any, name: str) -> Undefined:
        if hasattr(type(obj), name):
            what = f"'{name[:100]}' of a {type(obj).__name__}"
            return self.undefined(f"it uses {what}, {NOT_OFFERED}", obj, name, TemplateLimit)
        return self.undefined(obj=obj, name=name)

    def slice(self, obj: Any, start: Any, stop: Any, step: Any) -> Any:
        """`obj[start:stop:step]`."""
        if isinstance(obj, Undefined):
            obj._fail_with_undefined_error()
        if not isinstance(obj, str | list | tuple | range):
            raise TypeError(f"a {type(obj).__name__} cannot be sliced")
        return self.meter.made(obj[start:stop:step])

    def call(self, context: Context, target: Any, /, *args: Any, **kwargs: Any) -> Any:
        """`target(*args, **kwargs)`, where `target` is allowed or the template's own."""
        self.meter.tick()
        kwargs.pop("_loop_vars", None)
        kwargs.pop("_block_vars", None)
        if isinstance(target, Offered):
            return target.call(self, args, kwargs)
        if isinstance(target, Macro):
            return target(*args, **kwargs)
        if isinstance(target, LoopContext) and len(args) == 1 and not kwargs:
            return target(self.steps(args[0]))
        if isinstance(target, Undefined):
            target._fail_with_undefined_error()
        raise TypeError(f"'{type(target).__name__}' object is not callable")

    def call_binop(self, context: Context, operator: str, left: Any, right: Any) -> Any:
        return BINARY[operator](self.meter, left, right)

    def call_unop(self, context: Context, operator: str, arg: Any) -> Any:
        return UNARY[operator](self.meter, arg)

    def compare(self, value: Any, *rest: Any) -> bool:
        """`value op other op other ...`, given as (op, other, op, other, ...)."""
        for at in range(0, len(rest), 2):
            if not COMPARISONS[rest[at]](self.meter, value, rest[at + 1]):
                return False
            value = rest[at + 1]
        return True

    def join_texts(self, *values: Any) -> str:
        """`a ~ b ~ c`."""
        texts = [self.meter.text(value) for value in values]
        self.meter.allow(sum(map(len, texts)))
        return self.meter.made("".join(texts))

    def steps(self, values: Any) -> _Steps:
        """What a loop iterates over."""
        return _Steps(self.meter, values)

    def spread(self, values: Any) -> Any:
        """The argument of `*` or `**` in a call."""
        if len(elements(values)) > MAX_SPREAD:
            raise TemplateLimit(f"it calls something with more than {MAX_SPREAD} arguments")
        return values if isinstance(values, dict) else list(elements(values))

    def mapping(self, *pairs: tuple[Any, Any]) -> dict[Any, Any]:
        """A mapping whose keys are not all literals."""
        return {key(name): value for name, value in pairs}

    def own(self, macro: Macro) -> Macro:
        """A macro that a template defines; it lives until `release`."""
        if len(self._macros) > MAX_MACROS:
            raise TemplateLimit(f"it defines more than {MAX_MACROS:,} macros")
        self._macros.append(macro)
        return macro

    def release(self, context: Context) -> None:
        """Release the values of a finished render.

        Macros and their values form reference cycles, which Python's collector may free much later.
        """
        for macro in self._macros:
            for cell in macro._func.__closure__ or ():
                cell.cell_contents = None
        self._macros.clear()
        context.vars.clear()
        context.parent.clear()

    def refuse(self, what: str) -> NoReturn:
        """Replaces a statement, filter or test that is not allowed."""
        raise TemplateLimit(f"it uses the {what}, {NOT_OFFERED}")


class _Steps:
    """A loop's values: checks the clock once per step, keeps the length if there is one."""

    def __init__(self, meter: Meter, values: Any) -> None:
        self._meter = meter
        self._values = elements(values)

    def __iter__(self) -> Iterator[Any]:
        for value in self._values:
            self._meter.tick()
            yield value

    def __len__(self) -> int:
        return len(self._values)


@pass_context
def _finalize(context: Context, value: Any) -> str:
    """The output of a value. Takes a context, so that nothing is evaluated at compile time."""
    sandbox = context.environment
    assert isinstance(sandbox, TemplateSandbox)
    text = sandbox.meter.text(value)
    sandbox.meter.output(len(text))
    return text


def _loop_method(name: str) -> Callable[..., Any]:
    def run(sandbox: TemplateSandbox, loop: LoopContext, *args: Any) -> Any:
        sandbox.meter.weigh(args)
        return getattr(loop, name)(*args)

    return run
