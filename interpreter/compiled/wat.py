"""A small emitter of WebAssembly text: values with operators, functions with blocks.

A ``Value`` is an expression without side effects and its type (i32 or i64, f64 for averages); arithmetic
on constants is done here, so that what a game fixes leaves no trace in the module. A
``Function`` collects statements. Names in the text are those used in Python.

One room: everything that is written in a module's text.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

MASKS = {"i32": (1 << 32) - 1, "i64": (1 << 64) - 1, "f64": 0}


@dataclass(frozen=True)
class Value:
    """An expression: its text, its type, and its number where it is a constant.

    Comparison and shift to the right are of unsigned numbers except where the name says ``signed``.
    """

    code: str
    type: str = "i32"
    known: int | None = None

    def _with(self, op: str, other: Value | int, result: str = "") -> Value:
        return Value(f"({self.type}.{op} {self.code} {self.like(other).code})", result or self.type)

    def like(self, other: Value | int) -> Value:
        """The other operand, a plain number taken as of this type."""
        return const(other, self.type) if isinstance(other, int) else other

    def _folded(self, op: str, other: Value | int) -> Value | None:
        right = self.like(other)
        a, b, mask = self.known, right.known, MASKS[self.type]
        if a is not None and b is not None:
            done = {
                "add": lambda: a + b,
                "sub": lambda: a - b,
                "mul": lambda: a * b,
                "and": lambda: a & b,
                "or": lambda: a | b,
                "xor": lambda: a ^ b,
                "shl": lambda: a << b,
                "shr_u": lambda: (a & mask) >> b,
            }[op]()
            return const(done & mask, self.type)
        if b == 0 and op in ("add", "sub", "or", "xor", "shl", "shr_u"):
            return self
        if a == 0 and op in ("add", "or", "xor"):
            return right
        if op == "and":
            if 0 in (a, b):
                return const(0, self.type)
            if b == mask:
                return self
            if a == mask:
                return right
        if op == "mul" and b == 1:
            return self
        return None

    def _arithmetic(self, op: str, other: Value | int) -> Value:
        return self._folded(op, other) or self._with(op, other)

    def __add__(self, other: Value | int) -> Value:
        return self._arithmetic("add", other)

    def __sub__(self, other: Value | int) -> Value:
        return self._arithmetic("sub", other)

    def __mul__(self, other: Value | int) -> Value:
        return self._arithmetic("mul", other)

    def __and__(self, other: Value | int) -> Value:
        return self._arithmetic("and", other)

    def __or__(self, other: Value | int) -> Value:
        return self._arithmetic("or", other)

    def __xor__(self, other: Value | int) -> Value:
        return self._arithmetic("xor", other)

    def __lshift__(self, other: Value | int) -> Value:
        return self._arithmetic("shl", other)

    def __rshift__(self, other: Value | int) -> Value:
        return self._arithmetic("shr_u", other)

    def without(self, other: Value | int) -> Value:
        """Bits of this that are not in the other."""
        right = self.like(other)
        if right.known is not None:
            return self & (~right.known & MASKS[self.type])
        return self & (right ^ MASKS[self.type])

    def compare(self, op: str, other: Value | int) -> Value:
        """eq, ne, lt_s, le_u, …"""
        right = self.like(other)
        if self.known is not None and right.known is not None:
            a, b = (signed(v, self.type) if op.endswith("_s") else v for v in (self.known, right.known))
            truth = {"eq": a == b, "ne": a != b, "lt": a < b, "le": a <= b, "gt": a > b, "ge": a >= b}[op[:2]]
            return const(int(truth))
        if right.known == 0 and op == "eq":
            return Value(f"({self.type}.eqz {self.code})")
        return self._with(op, right, "i32")

    def eq(self, other: Value | int) -> Value:
        return self.compare("eq", other)

    def ne(self, other: Value | int) -> Value:
        return self.compare("ne", other)

    def lt(self, other: Value | int) -> Value:
        return self.compare("lt_u", other)

    def le(self, other: Value | int) -> Value:
        return self.compare("le_u", other)

    def gt(self, other: Value | int) -> Value:
        return self.compare("gt_u", other)

    def ge(self, other: Value | int) -> Value:
        return self.compare("ge_u", other)

    def lt_signed(self, other: Value | int) -> Value:
        return self.compare("lt_s", other)

    def ge_signed(self, other: Value | int) -> Value:
        return self.compare("ge_s", other)

    def gt_signed(self, other: Value | int) -> Value:
        return self.compare("gt_s", other)

    def no(self) -> Value:
        """Truth turned round."""
        if self.known is not None:
            return const(int(not self.known))
        return Value(f"({self.type}.eqz {self.code})")

    def truth(self) -> Value:
        """1 if not 0."""
        if self.known is not None:
            return const(int(bool(self.known)))
        return self.ne(0)

    def bits(self) -> Value:
        """How many bits are set (as i32)."""
        if self.known is not None:
            return const(self.known.bit_count())
        return Value(f"({self.type}.popcnt {self.code})", self.type).narrow()

    def lowest(self) -> Value:
        """The number of the lowest bit set (as i32)."""
        return Value(f"({self.type}.ctz {self.code})", self.type).narrow()

    def rest(self) -> Value:
        """Without its lowest bit."""
        return self & (self - 1)

    def narrow(self) -> Value:
        if self.type == "i32":
            return self
        return const(self.known) if self.known is not None else Value(f"(i32.wrap_i64 {self.code})")

    def wide(self) -> Value:
        if self.type == "i64":
            return self
        return const(self.known, "i64") if self.known is not None else Value(f"(i64.extend_i32_u {self.code})", "i64")

    def to(self, type: str) -> Value:
        return self.wide() if type == "i64" else self.narrow()


def const(number: int, type: str = "i32") -> Value:
    number &= MASKS[type]
    return Value(f"({type}.const {signed(number, type)})", type, number)


def signed(number: int, type: str = "i32") -> int:
    number &= MASKS[type]
    return number - (1 << 32 if type == "i32" else 1 << 64) if number > MASKS[type] >> 1 else number


def select(condition: Value, yes: Value, no: Value) -> Value:
    """One value or the other; both are worked out."""
    if condition.known is not None:
        return yes if condition.known else no
    if yes.known is not None and yes.known == no.known:
        return yes
    return Value(f"(select {yes.code} {no.code} {condition.code})", yes.type)


def load(address: Value, offset: int = 0, kind: str = "i32") -> Value:
    """A number from memory: i32, i64, f64, u8, s8, u16, s16 (as i32)."""
    op = {
        "i32": "i32.load",
        "i64": "i64.load",
        "u8": "i32.load8_u",
        "s8": "i32.load8_s",
        "u16": "i32.load16_u",
        "s16": "i32.load16_s",
        "f64": "f64.load",
    }[kind]
    address, offset = _based(address, offset)
    return Value(f"({op} offset={offset} {address.code})", kind if kind in ("i64", "f64") else "i32")


def _based(address: Value, offset: int) -> tuple[Value, int]:
    """The same place with an offset that is not negative; a known address goes into it."""
    if address.known is not None:
        return const(0), address.known + offset
    return (address + offset, 0) if offset < 0 else (address, offset)


def real(number: float) -> Value:
    """A constant with a fraction. Of such values only +, - and * are operators; the rest is ``real_op``."""
    return Value(f"(f64.const {float(number)!r})", "f64")


def real_op(op: str, *values: Value) -> Value:
    """div, sqrt, gt, lt, convert_i32_s, …: of values with fractions (what is asked of two gives a truth)."""
    truth = op in ("eq", "ne", "gt", "lt", "ge", "le")
    return Value(f"(f64.{op} {' '.join(v.code for v in values)})", "i32" if truth else "f64")


def call(name: str, *arguments: Value, type: str = "i32") -> Value:
    return Value(f"(call ${name} {' '.join(a.code for a in arguments)})", type)


def global_(name: str, type: str = "i32") -> Value:
    return Value(f"(global.get ${name})", type)


class Function:
    """A function under way: ``param``, ``local``, statements, and ``text`` at the end."""

    def __init__(self, name: str, params: dict[str, str] | None = None, result: str = "", export: bool = False) -> None:
        self.name, self.result, self.export = name, result, export
        self.params = dict(params or {})
        self.locals: dict[str, str] = {}
        self.lines: list[str] = []
        self.first: list[str] = []  # statements that come before all others
        self.labels = 0
        self.known_when: bool | None = None

    def param(self, name: str) -> Value:
        return Value(f"(local.get ${name})", self.params[name])

    def local(self, name: str, value: Value | int, type: str = "") -> Value:
        """A new variable that begins with a value; its name is made unique."""
        value = const(value, type or "i32") if isinstance(value, int) else value
        made = self.variable(name, value.type)
        self.set(made, value)
        return made

    def variable(self, name: str, type: str) -> Value:
        unique, n = name, 1
        while unique in self.locals or unique in self.params:
            n += 1
            unique = f"{name}_{n}"
        self.locals[unique] = type
        return Value(f"(local.get ${unique})", type)

    def held(self, value: Value, name: str = "held") -> Value:
        """The value in a variable, unless it is one or a constant already."""
        if value.known is not None or value.code.startswith("(local.get "):
            return value
        return self.local(name, value)

    def set(self, variable: Value, value: Value | int) -> None:
        name = variable.code.removeprefix("(local.get ").removesuffix(")")
        self.lines.append(f"(local.set {name} {variable.like(value).code})")

    def set_global(self, name: str, value: Value | int, type: str = "i32") -> None:
        value = const(value, type) if isinstance(value, int) else value
        self.lines.append(f"(global.set ${name} {value.code})")

    def store(self, address: Value, offset: int, value: Value | int, kind: str = "i32") -> None:
        op, type = {
            "i32": ("i32.store", "i32"),
            "i64": ("i64.store", "i64"),
            "u8": ("i32.store8", "i32"),
            "s8": ("i32.store8", "i32"),
            "u16": ("i32.store16", "i32"),
            "s16": ("i32.store16", "i32"),
            "f64": ("f64.store", "f64"),
        }[kind]
        value = const(value, type) if isinstance(value, int) else value
        address, offset = _based(address, offset)
        self.lines.append(f"({op} offset={offset} {address.code} {value.code})")

    def do(self, name: str, *arguments: Value) -> None:
        """Call a function that gives nothing."""
        self.lines.append(f"(call ${name} {' '.join(a.code for a in arguments)})")

    def drop(self, value: Value) -> None:
        self.lines.append(f"(drop {value.code})")

    def give(self, value: Value | int | None = None) -> None:
        """Return."""
        if value is None:
            self.lines.append("(return)")
        else:
            value = const(value, self.result) if isinstance(value, int) else value
            self.lines.append(f"(return {value.code})")

    def raw(self, line: str) -> None:
        self.lines.append(line)

    @contextmanager
    def when(self, condition: Value) -> Iterator[None]:
        """Statements done if the condition is not 0. A known condition leaves no test."""
        if condition.known is not None:
            kept = self.lines
            self.lines = []
            yield
            if condition.known:
                kept += self.lines
            self.lines, self.known_when = kept, bool(condition.known)
            return
        self.lines.append(f"(if {condition.code} (then")
        yield
        self.lines.append("))")
        self.known_when = None

    @contextmanager
    def otherwise(self) -> Iterator[None]:
        """The other branch of the ``when`` just closed."""
        if self.known_when is not None:
            with self.when(const(int(not self.known_when))):
                yield
            return
        closed = self.lines.pop()
        assert closed == "))", "otherwise follows when"
        self.lines.append(") (else")
        yield
        self.lines.append("))")

    @contextmanager
    def loop(self) -> Iterator[tuple[str, str]]:
        """Statements done again and again; gives the labels to ``leave`` and to ``again``."""
        self.labels += 1
        out, head = f"out{self.labels}", f"top{self.labels}"
        self.lines.append(f"(block ${out} (loop ${head}")
        yield out, head
        self.lines.append(f"(br ${head})))")

    @contextmanager
    def block(self) -> Iterator[str]:
        self.labels += 1
        out = f"end{self.labels}"
        self.lines.append(f"(block ${out}")
        yield out
        self.lines.append(")")

    def branch(self, label: str, condition: Value | None = None) -> None:
        if condition is None:
            self.lines.append(f"(br ${label})")
        elif condition.known is None:
            self.lines.append(f"(br_if ${label} {condition.code})")
        elif condition.known:
            self.lines.append(f"(br ${label})")

    @contextmanager
    def each_bit(self, mask: Value, name: str = "bit") -> Iterator[Value]:
        """Statements for the number of every bit set, from the lowest."""
        left = self.local(f"{name}s", mask)
        with self.loop() as (out, _):
            self.branch(out, left.eq(0))
            number = self.local(name, left.lowest())
            self.set(left, left.rest())
            yield number

    @contextmanager
    def repeat(self) -> Iterator[str]:
        """Statements done once, and again wherever they branch to the label this gives."""
        self.labels += 1
        head = f"top{self.labels}"
        self.lines.append(f"(loop ${head}")
        yield head
        self.lines.append(")")

    @contextmanager
    def count_to(self, limit: Value | int, name: str = "i") -> Iterator[Value]:
        """Statements for 0, 1, … below the limit."""
        i = self.local(name, 0)
        with self.loop() as (out, _):
            self.branch(out, i.ge(limit))
            yield i
            self.set(i, i + 1)

    def captured(self) -> list[str]:
        """Begin to collect statements apart; ``release`` ends it."""
        kept, self.lines = self.lines, []
        return kept

    def release(self, kept: list[str]) -> list[str]:
        """The statements collected since ``captured`` gave ``kept``."""
        found, self.lines = self.lines, kept
        return found

    def text(self) -> str:
        head = f"(func ${self.name}" + (f' (export "{self.name}")' if self.export else "")
        head += "".join(f" (param ${name} {type})" for name, type in self.params.items())
        head += f" (result {self.result})" if self.result else ""
        variables = "".join(f"\n  (local ${name} {type})" for name, type in self.locals.items())
        depth, body = 1, []
        for line in [*self.first, *self.lines]:
            closes = line.startswith(")")
            body.append("  " * max(depth - closes, 1) + line)
            depth += line.count("(") - line.count(")")
        return head + variables + "\n" + "\n".join(body) + ("\n  (unreachable)" if self.result else "") + ")"
