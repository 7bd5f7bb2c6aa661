"""2^x for Numba, float64 and float32. Numba has no vector mathematics library: its np.exp is a call for each number.

x = n + f with n whole and |f| <= 1/2; 2^f is a polynomial that interpolates it at Chebyshev points (relative error 4e-18,
or 3e-9 in float32), and n is added to the bits of the exponent. The sum x + 1.5 2^52 leaves n in its last bits; it must be
compiled without reassociation, which would cancel it.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.extending import intrinsic, overload

_POLYNOMIAL = (
    1.0,
    0.6931471805599453,
    0.24022650695910158,
    0.055504108664821604,
    0.009618129107587314,
    0.0013333558146410788,
    0.00015403530463679096,
    1.5252733837988064e-05,
    1.3215432551928214e-06,
    1.0178058390428893e-07,
    7.074192209639015e-09,
    4.4556433403988256e-10,
)
_POLYNOMIAL_32 = (
    1.0,
    0.6931472067028326,
    0.24022650922288757,
    0.05550327226670303,
    0.009618056678524656,
    0.0013400428177615747,
    0.00015461444698564738,
)
_ROUND, _ROUND_32 = 6755399441055744.0, 12582912.0


@intrinsic
def _add_exponent(_: Any, p: Any, shifted: Any) -> Any:
    """p 2^n, with n in the last bits of `shifted`: added to p's exponent, whole numbers as wide as the floats.

    Numba itself would widen 32-bit sums to 64 bits, and halve the lanes of every vector.
    """
    bits, mantissa = (64, 52) if p == types.float64 else (32, 23)

    def generate(context: Any, builder: ir.IRBuilder, signature: Any, arguments: Any) -> Any:
        whole = ir.IntType(bits)
        left, right = (builder.bitcast(argument, whole) for argument in arguments)
        total = builder.add(left, builder.shl(right, ir.Constant(whole, mantissa)))
        return builder.bitcast(total, context.get_value_type(signature.return_type))

    return p(p, shifted), generate


def exp2(x: float) -> float:
    """2^x for x <= 127 (float32) or 1023; what would be smaller than the least normal number is that number."""
    raise NotImplementedError("exp2 is for compiled code")


@overload(exp2, jit_options={"error_model": "numpy", "fastmath": {"contract"}})
def _exp2(x):  # pragma: no cover - compiled
    if x == types.float32:
        return _exp2_32
    return _exp2_64


def _exp2_64(x):  # pragma: no cover - compiled
    x = max(x, -1022.0)
    shifted = x + _ROUND
    f = x - (shifted - _ROUND)
    p = _POLYNOMIAL[11]
    p = p * f + _POLYNOMIAL[10]
    p = p * f + _POLYNOMIAL[9]
    p = p * f + _POLYNOMIAL[8]
    p = p * f + _POLYNOMIAL[7]
    p = p * f + _POLYNOMIAL[6]
    p = p * f + _POLYNOMIAL[5]
    p = p * f + _POLYNOMIAL[4]
    p = p * f + _POLYNOMIAL[3]
    p = p * f + _POLYNOMIAL[2]
    p = p * f + _POLYNOMIAL[1]
    p = p * f + _POLYNOMIAL[0]
    return _add_exponent(p, shifted)  # pyright: ignore[reportCallIssue]


def _exp2_32(x):  # pragma: no cover - compiled
    x = max(x, np.float32(-126.0))
    shifted = x + np.float32(_ROUND_32)
    f = x - (shifted - np.float32(_ROUND_32))
    p = np.float32(_POLYNOMIAL_32[6])
    p = p * f + np.float32(_POLYNOMIAL_32[5])
    p = p * f + np.float32(_POLYNOMIAL_32[4])
    p = p * f + np.float32(_POLYNOMIAL_32[3])
    p = p * f + np.float32(_POLYNOMIAL_32[2])
    p = p * f + np.float32(_POLYNOMIAL_32[1])
    p = p * f + np.float32(_POLYNOMIAL_32[0])
    return _add_exponent(p, shifted)  # pyright: ignore[reportCallIssue]
