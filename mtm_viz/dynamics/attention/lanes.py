"""The innermost loops of a harmonic series, over degrees l, written as vector instructions.

Their sums stay in registers: left to the compiler's own vectoriser every sum would go through memory once a degree, in
vectors of half the width, which costs three times the arithmetic.
"""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

from mtm_viz.dynamics.attention.harmonic import NEGLIGIBLE

#: Numbers of a vector: one register of 8 float64 where there are such, else two or four.
WIDTH = 8
#: Points side by side in a sum over points, and in one at the queries: so many that one chain of products hides the
#: latency of another, and so few that all stay in registers.
POINTS, QUERIES = 4 * WIDTH, 2 * WIDTH
#: Sums a query: den and three numerators, real and imaginary parts.
SUMS = 8

_CONTRACT = ("contract",)


class _Vectors:
    """Arithmetic on groups of `lanes` float64 in the code being built."""

    def __init__(self, context: Any, builder: Any, lanes: int) -> None:
        self.context, self.builder, self.lanes = context, builder, lanes
        self.type = ir.VectorType(ir.DoubleType(), lanes)

    def array(self, kind: Any, value: Any) -> Any:
        return self.context.make_array(kind)(self.context, self.builder, value)

    def filled(self, number: float) -> ir.Constant:
        return ir.Constant(self.type, [number] * self.lanes)

    def _place(self, base: Any, index: Any) -> Any:
        return self.builder.bitcast(self.builder.gep(base, [index]), self.type.as_pointer())

    def load(self, base: Any, index: Any) -> Any:
        return self.builder.load(self._place(base, index), align=8)

    def store(self, value: Any, base: Any, index: Any) -> None:
        self.builder.store(value, self._place(base, index), align=8)

    def spread(self, base: Any, index: Any) -> Any:
        """One number of memory in every lane."""
        undefined = ir.Constant(self.type, ir.Undefined)
        number = self.builder.load(self.builder.gep(base, [index]))
        one = self.builder.insert_element(undefined, number, ir.Constant(ir.IntType(32), 0))
        zeros = ir.Constant(ir.VectorType(ir.IntType(32), self.lanes), [0] * self.lanes)
        return self.builder.shuffle_vector(one, undefined, zeros)

    def times(self, a: Any, b: Any) -> Any:
        return self.builder.fmul(a, b, flags=_CONTRACT)  # pyright: ignore[reportCallIssue]

    def plus(self, a: Any, b: Any) -> Any:
        return self.builder.fadd(a, b, flags=_CONTRACT)  # pyright: ignore[reportCallIssue]

    def minus(self, a: Any, b: Any) -> Any:
        return self.builder.fsub(a, b, flags=_CONTRACT)  # pyright: ignore[reportCallIssue]

    def flushed(self, a: Any) -> Any:
        """a, or zero where it is so small that its products would be slow denormal numbers."""
        absolute = ir.FunctionType(self.type, [self.type])
        size = cgutils.get_or_insert_function(self.builder.module, absolute, f"llvm.fabs.v{self.lanes}f64")
        large = self.builder.fcmp_ordered(">", self.builder.call(size, [a]), self.filled(NEGLIGIBLE))
        return self.builder.select(large, a, self.filled(0.0))


@intrinsic
def add_degrees(_: Any, sums: Any, z: Any, c: Any, s: Any, at: Any, g: Any, m: Any, top: Any) -> Any:
    """For the POINTS points from `at` on, each added to lane k mod WIDTH of a sum over points:

        sums[l - m, 0] += q_lm(z_k) c_k,   sums[l - m, 1] += q_lm(z_k) s_k,   m <= l <= top,
        q_mm = 1,   q_{l+1,m} = z q_lm - g[m, l+1] q_{l-1,m}.

    Contiguous float64 arrays: sums (at least top - m + 1, 2, WIDTH), z, c, s; g (m, l) with at least top + 2 columns.
    """

    def generate(context: Any, builder: ir.IRBuilder, signature: Any, arguments: Any) -> Any:
        v = _Vectors(context, builder, WIDTH)
        sums_at, z_at, c_at, s_at = (v.array(signature.args[k], arguments[k]).data for k in range(4))
        start, g_array, order, last = arguments[4], v.array(signature.args[5], arguments[5]), *arguments[6:]
        whole = order.type
        columns = cgutils.unpack_tuple(builder, g_array.shape, 2)[1]
        row = builder.add(builder.mul(order, columns), ir.Constant(whole, 1))
        groups = range(POINTS // WIDTH)

        def here(base: Any) -> list[Any]:
            return [v.load(base, builder.add(start, ir.Constant(whole, k * WIDTH))) for k in groups]

        height, real, imaginary = here(z_at), here(c_at), here(s_at)
        entry = builder.block
        degrees, done = (builder.append_basic_block(name) for name in ("degrees", "done"))
        builder.branch(degrees)

        builder.position_at_end(degrees)
        l = builder.phi(whole)
        q, before = [builder.phi(v.type) for _ in groups], [builder.phi(v.type) for _ in groups]
        place = builder.mul(builder.sub(l, order), ir.Constant(whole, 2 * WIDTH))
        for offset, factors in ((0, real), (WIDTH, imaginary)):
            index = builder.add(place, ir.Constant(whole, offset))
            total = v.times(q[0], factors[0])
            for k in groups[1:]:
                total = v.plus(total, v.times(q[k], factors[k]))
            v.store(v.plus(v.load(sums_at, index), total), sums_at, index)
        less = v.spread(g_array.data, builder.add(row, l))
        grown = [v.minus(v.times(height[k], q[k]), v.times(less, before[k])) for k in groups]
        next_l = builder.add(l, ir.Constant(whole, 1))
        pairs = [(l, order, next_l)]
        pairs += [(q[k], v.filled(1.0), grown[k]) for k in groups]
        pairs += [(before[k], v.filled(0.0), q[k]) for k in groups]
        for phi, begin, value in pairs:
            phi.add_incoming(begin, entry)
            phi.add_incoming(value, degrees)
        builder.cbranch(builder.icmp_signed("<=", next_l, last), degrees, done)
        builder.position_at_end(done)
        return context.get_dummy_value()

    return types.void(sums, z, c, s, at, g, m, top), generate


@intrinsic
def add_terms(_: Any, total: Any, x: Any, y: Any, z: Any, term: Any, rho: Any, g: Any, rows: Any, most: Any) -> Any:
    """For every lane, and k < 4, with S_mk = sum_{l=m}^{most} Q_lm rows[m, l, k] and c_m + i s_m = (x + iy)^m:

        total[k] = sum_{m=0}^{most} c_m S_mk + s_m S_m,k+4,
        Q_mm = term rho[1] .. rho[m],   Q_{l+1,m} = rho[l+1] (z Q_lm - g[m, l+1] rho[l] Q_{l-1,m}).

    With None for term and rho they are 1, and cost nothing. Flat, contiguous float64 arrays: total (4 QUERIES,), x, y,
    z, term (QUERIES,), rho ((most + 2) QUERIES,); g (m, l) with at least most + 2 columns, rows (m, l, 8).
    """
    weighed = isinstance(rho, types.Array)

    def generate(context: Any, builder: ir.IRBuilder, signature: Any, arguments: Any) -> Any:
        v = _Vectors(context, builder, QUERIES)
        kinds = signature.args
        total_at, x_at, y_at, z_at = (v.array(kinds[k], arguments[k]).data for k in range(4))
        g_array, rows_array, last = v.array(kinds[6], arguments[6]), v.array(kinds[7], arguments[7]), arguments[8]
        whole = last.type
        columns = cgutils.unpack_tuple(builder, g_array.shape, 2)[1]
        row_length = builder.mul(cgutils.unpack_tuple(builder, rows_array.shape, 3)[1], ir.Constant(whole, SUMS))

        def constant(n: int) -> ir.Constant:
            return ir.Constant(whole, n)

        x_lanes, y_lanes, z_lanes = (v.load(base, constant(0)) for base in (x_at, y_at, z_at))
        first, ratio = v.filled(1.0), lambda _: v.filled(1.0)
        if weighed:
            first = v.load(v.array(kinds[4], arguments[4]).data, constant(0))
            rho_at = v.array(kinds[5], arguments[5]).data
            ratio = lambda index: v.load(rho_at, builder.mul(index, constant(QUERIES)))  # noqa: E731
        start = builder.block
        orders, degrees, joined, done = (builder.append_basic_block(name) for name in ("m", "l", "joined", "done"))
        builder.branch(orders)

        builder.position_at_end(orders)
        m, q_first, c, s = builder.phi(whole), builder.phi(v.type), builder.phi(v.type), builder.phi(v.type)
        totals = [builder.phi(v.type) for _ in range(4)]
        row, g_row = builder.mul(m, row_length), builder.mul(m, columns)
        builder.branch(degrees)

        builder.position_at_end(degrees)
        l, q, q_before = builder.phi(whole), builder.phi(v.type), builder.phi(v.type)
        sums = [builder.phi(v.type) for _ in range(SUMS)]
        at = builder.add(row, builder.mul(l, constant(SUMS)))
        added = [
            v.plus(one, v.times(q, v.spread(rows_array.data, builder.add(at, constant(k)))))
            for k, one in enumerate(sums)
        ]
        next_l = builder.add(l, constant(1))
        less = v.spread(g_array.data, builder.add(g_row, next_l))
        less = v.times(v.times(less, ratio(l)) if weighed else less, q_before)
        q_next = v.minus(v.times(z_lanes, q), less)
        q_next = v.times(ratio(next_l), q_next) if weighed else q_next
        pairs = [(l, m, next_l), (q, q_first, q_next), (q_before, v.filled(0.0), q)]
        pairs += [(one, v.filled(0.0), value) for one, value in zip(sums, added, strict=True)]
        for phi, begin, value in pairs:
            phi.add_incoming(begin, orders)
            phi.add_incoming(value, degrees)
        builder.cbranch(builder.icmp_signed("<=", next_l, last), degrees, joined)

        builder.position_at_end(joined)
        next_m = builder.add(m, constant(1))
        grown = [v.plus(v.plus(old, v.times(c, added[k])), v.times(s, added[k + 4])) for k, old in enumerate(totals)]
        real = v.flushed(v.minus(v.times(c, x_lanes), v.times(s, y_lanes)))
        imaginary = v.flushed(v.plus(v.times(c, y_lanes), v.times(s, x_lanes)))
        pairs = [
            (m, constant(0), next_m),
            (q_first, first, v.times(q_first, ratio(next_m)) if weighed else q_first),
            (c, v.filled(1.0), real),
            (s, v.filled(0.0), imaginary),
        ]
        pairs += [(old, v.filled(0.0), value) for old, value in zip(totals, grown, strict=True)]
        for phi, begin, value in pairs:
            phi.add_incoming(begin, start)
            phi.add_incoming(value, joined)
        builder.cbranch(builder.icmp_signed("<=", next_m, last), orders, done)

        builder.position_at_end(done)
        for k, value in enumerate(grown):
            v.store(value, total_at, constant(k * QUERIES))
        return context.get_dummy_value()

    return types.void(total, x, y, z, term, rho, g, rows, most), generate
