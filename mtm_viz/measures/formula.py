"""A typed expression as a function of arrays: parsed by simpleeval, which knows only the names and operators given here.

Nothing is ever passed to eval: simpleeval walks the syntax tree, and its attributes, subscripts, strings, loops and
assignments are switched off.
"""

from __future__ import annotations

import ast
import warnings
from collections.abc import Callable, Mapping
from functools import reduce
from typing import Any

import numpy as np
from simpleeval import SimpleEval

from mtm_viz.errors import InputError

LONGEST = 500
CONSTANTS = {"pi": np.pi, "e": np.e}
_OF_ONE = {
    "abs": np.abs, "sqrt": np.sqrt, "exp": np.exp, "log": np.log, "sin": np.sin, "cos": np.cos, "tan": np.tan,
    "arcsin": np.arcsin, "arccos": np.arccos, "arctan": np.arctan, "sinh": np.sinh, "cosh": np.cosh, "tanh": np.tanh,
    "floor": np.floor, "sign": np.sign,
}  # fmt: skip


def _one(f: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """numpy's functions take `out` and more after their argument; a formula must not reach those."""
    return lambda a: f(a)


FUNCTIONS: dict[str, Callable[..., Any]] = {
    **{name: _one(f) for name, f in _OF_ONE.items()},
    "arctan2": lambda a, b: np.arctan2(a, b),
    "min": lambda a, *more: reduce(np.minimum, more, a),
    "max": lambda a, *more: reduce(np.maximum, more, a),
    "where": lambda condition, a, b: np.where(_truth(condition), a, b),
}
_OPERATORS = {
    ast.Add: np.add, ast.Sub: np.subtract, ast.Mult: np.multiply, ast.Div: np.true_divide, ast.Pow: np.float_power,
    ast.Mod: np.mod, ast.USub: np.negative, ast.UAdd: np.positive, ast.Lt: np.less, ast.LtE: np.less_equal,
    ast.Gt: np.greater, ast.GtE: np.greater_equal, ast.Eq: np.equal, ast.NotEq: np.not_equal,
    ast.BitAnd: lambda a, b: _truth(a) & _truth(b), ast.BitOr: lambda a, b: _truth(a) | _truth(b),
    ast.Not: lambda a: ~_truth(a),
}  # fmt: skip


def _truth(a: Any) -> Any:
    if np.asarray(a).dtype != bool:
        raise InputError("joins a number where a comparison is needed: write (x > 0) & (y > 0), with brackets")
    return np.asarray(a)


_NODES = (ast.Expr, ast.BoolOp, ast.UnaryOp, ast.BinOp, ast.Compare, ast.Call, ast.Name, ast.Constant)


def evaluate(expression: str, names: Mapping[str, np.ndarray]) -> np.ndarray:
    """The expression at every row of `names`, float64. Raises InputError saying what is not understood.

    ^ is read as a power, as in mathematics.
    """
    if len(expression) > LONGEST:
        raise InputError(f"is longer than {LONGEST} characters: shorten it")
    parser = SimpleEval(operators=_OPERATORS, functions=FUNCTIONS, names={**CONSTANTS, **names})
    known: dict[Any, Any] = parser.nodes or {}
    parser.nodes = {kind: handler for kind, handler in known.items() if kind in _NODES}
    parser.nodes[ast.Constant] = _constant
    parser.nodes[ast.Compare] = lambda node: _compared(parser, node)
    parser.nodes[ast.BoolOp] = lambda node: reduce(
        _OPERATORS[ast.BitAnd if isinstance(node.op, ast.And) else ast.BitOr], map(parser._eval, node.values)
    )
    n = len(next(iter(names.values())))
    try:
        # Overflow and 0/0 are told below by what they leave; a person's formula is no defect of ours.
        with warnings.catch_warnings(), np.errstate(all="ignore"):
            warnings.simplefilter("error")
            value = np.asarray(parser.eval(expression.replace("^", "**").strip()))
            if value.dtype.kind not in "bif" or value.ndim > 1:
                raise InputError("is no real number at each point: correct it")
            return np.array(np.broadcast_to(value.astype(np.float64), (n,)))
    except InputError:
        raise
    except SyntaxError as problem:
        raise InputError(f"cannot be read at character {problem.offset or 1}: correct it there") from problem
    except RecursionError as problem:
        raise InputError("is nested too deeply: simplify it") from problem
    except Exception as problem:  # whatever a wrong call raises inside the library, a person typed it
        raise InputError(f"cannot be computed ({_said(problem)}): use {_vocabulary(names)}") from problem


def _constant(node: ast.Constant) -> float:
    if isinstance(node.value, bool) or not isinstance(node.value, int | float):
        raise InputError(f"holds {str(node.value)[:20]!r}, which is no number: remove it")
    return float(node.value)


def _compared(parser: SimpleEval, node: ast.Compare) -> Any:
    """a < b < c, elementwise: simpleeval's own stops at the first result as if it were one truth value."""
    left, result = parser._eval(node.left), True
    for operation, comparator in zip(node.ops, node.comparators, strict=True):
        right = parser._eval(comparator)
        if type(operation) not in _OPERATORS:
            raise InputError("compares with a word: use <, <=, >, >=, == or !=")
        result = np.logical_and(result, _OPERATORS[type(operation)](left, right))
        left = right
    return result


def _said(problem: Exception) -> str:
    return " ".join(str(problem).split())[:80].rstrip(".") or type(problem).__name__


def _vocabulary(names: Mapping[str, np.ndarray]) -> str:
    return ", ".join([*names, *CONSTANTS, *FUNCTIONS])
