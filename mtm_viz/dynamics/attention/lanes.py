"""The innermost loop of a harmonic series at the queries, written as vector instructions.

A loop over orders m and degrees l whose eight sums stay in registers: left to the compiler's own vectoriser every sum
would go through memory once a degree, which costs three times the arithmetic.
"""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

from mtm_viz.dynamics.attention.harmonic import NEGLIGIBLE

#: Queries side by side: two registers of 8 float64, so that one chain of products hides the other's latency.
LANES = 16
#: Sums a query: den and three numerators, real and imaginary parts.
SUMS = 8

_CONTRACT = ("contract",)


@intrinsic
def add_terms(_: Any, total: Any, x: Any, y: Any, z: Any, term: Any, rho: Any, g: Any, rows: Any, most: Any) -> Any:
    """For every lane, and k < 4, with S_mk = sum_{l=m}^{most} Q_lm rows[m, l, k] and c_m + i s_m = (x + iy)^m:

        total[k] = sum_{m=0}^{most} c_m S_mk + s_m S_m,k+4,
        Q_mm = term rho[1] .. rho[m],   Q_{l+1,m} = rho[l+1] (z Q_lm - g[l+1, m] rho[l] Q_{l-1,m}).

    Flat, contiguous float64 arrays: total (4 LANES,), x, y, z, term (LANES,), rho ((most + 2) LANES,); g (l, m) with at
    least most + 2 rows, rows (m, l, 8).
    """
    vector = ir.VectorType(ir.DoubleType(), LANES)
    undefined = ir.Constant(vector, ir.Undefined)
    absolute = ir.FunctionType(vector, [vector])

    def generate(context: Any, builder: ir.IRBuilder, signature: Any, arguments: Any) -> Any:
        arrays = [
            context.make_array(kind)(context, builder, value)
            for kind, value in zip(signature.args[:8], arguments[:8], strict=True)
        ]
        total_at, x_at, y_at, z_at, term_at, rho_at, g_at, rows_at = (array.data for array in arrays)
        last = arguments[8]
        whole = last.type
        columns = cgutils.unpack_tuple(builder, arrays[6].shape, 2)[1]
        row_length = builder.mul(cgutils.unpack_tuple(builder, arrays[7].shape, 3)[1], ir.Constant(whole, SUMS))
        size = cgutils.get_or_insert_function(builder.module, absolute, f"llvm.fabs.v{LANES}f64")

        def constant(n: int) -> ir.Constant:
            return ir.Constant(whole, n)

        def filled(number: float) -> ir.Constant:
            return ir.Constant(vector, [number] * LANES)

        def load(base: Any, index: Any) -> Any:
            return builder.load(builder.bitcast(builder.gep(base, [index]), vector.as_pointer()), align=8)

        def spread(base: Any, index: Any) -> Any:
            number = builder.load(builder.gep(base, [index]))
            one = builder.insert_element(undefined, number, ir.Constant(ir.IntType(32), 0))
            return builder.shuffle_vector(
                one, undefined, ir.Constant(ir.VectorType(ir.IntType(32), LANES), [0] * LANES)
            )

        def times(a: Any, b: Any) -> Any:
            return builder.fmul(a, b, flags=_CONTRACT)  # pyright: ignore[reportCallIssue]

        def plus(a: Any, b: Any) -> Any:
            return builder.fadd(a, b, flags=_CONTRACT)  # pyright: ignore[reportCallIssue]

        def minus(a: Any, b: Any) -> Any:
            return builder.fsub(a, b, flags=_CONTRACT)  # pyright: ignore[reportCallIssue]

        def flushed(a: Any) -> Any:
            return builder.select(
                builder.fcmp_ordered(">", builder.call(size, [a]), filled(NEGLIGIBLE)), a, filled(0.0)
            )

        x_lanes, y_lanes, z_lanes, first = (load(base, constant(0)) for base in (x_at, y_at, z_at, term_at))
        start = builder.block
        orders, degrees, joined, done = (builder.append_basic_block(name) for name in ("m", "l", "joined", "done"))
        builder.branch(orders)

        builder.position_at_end(orders)
        m, q_first, c, s = builder.phi(whole), builder.phi(vector), builder.phi(vector), builder.phi(vector)
        totals = [builder.phi(vector) for _ in range(4)]
        row = builder.mul(m, row_length)
        builder.branch(degrees)

        builder.position_at_end(degrees)
        l, q, q_before = builder.phi(whole), builder.phi(vector), builder.phi(vector)
        sums = [builder.phi(vector) for _ in range(SUMS)]
        at = builder.add(row, builder.mul(l, constant(SUMS)))
        added = [plus(one, times(q, spread(rows_at, builder.add(at, constant(k))))) for k, one in enumerate(sums)]
        next_l = builder.add(l, constant(1))
        here, there = (load(rho_at, builder.mul(index, constant(LANES))) for index in (l, next_l))
        less = times(times(spread(g_at, builder.add(builder.mul(next_l, columns), m)), here), q_before)
        q_next = times(there, minus(times(z_lanes, q), less))
        pairs = [(l, m, next_l), (q, q_first, q_next), (q_before, filled(0.0), q)]
        pairs += [(one, filled(0.0), value) for one, value in zip(sums, added, strict=True)]
        for phi, begin, value in pairs:
            phi.add_incoming(begin, orders)
            phi.add_incoming(value, degrees)
        builder.cbranch(builder.icmp_signed("<=", next_l, last), degrees, joined)

        builder.position_at_end(joined)
        next_m = builder.add(m, constant(1))
        grown = [plus(old, plus(times(c, added[k]), times(s, added[k + 4]))) for k, old in enumerate(totals)]
        real = flushed(minus(times(c, x_lanes), times(s, y_lanes)))
        imaginary = flushed(plus(times(c, y_lanes), times(s, x_lanes)))
        q_diagonal = times(q_first, load(rho_at, builder.mul(next_m, constant(LANES))))
        pairs = [
            (m, constant(0), next_m),
            (q_first, first, q_diagonal),
            (c, filled(1.0), real),
            (s, filled(0.0), imaginary),
        ]
        pairs += [(old, filled(0.0), value) for old, value in zip(totals, grown, strict=True)]
        for phi, begin, value in pairs:
            phi.add_incoming(begin, start)
            phi.add_incoming(value, joined)
        builder.cbranch(builder.icmp_signed("<=", next_m, last), orders, done)

        builder.position_at_end(done)
        for k, value in enumerate(grown):
            place = builder.bitcast(builder.gep(total_at, [constant(k * LANES)]), vector.as_pointer())
            builder.store(value, place, align=8)
        return context.get_dummy_value()

    return types.void(total, x, y, z, term, rho, g, rows, most), generate
