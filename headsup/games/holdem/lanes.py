"""Vectors of betting lines as the machine's own vectors, for the walk's kernels.

The compiler checks rows for overlap before it adds them with vectors, and never transposes with vectors, so these few
steps are given to it as they are to be done. Without compilation the same functions are NumPy's.
"""

from __future__ import annotations

from typing import Any

from headsup.common.backend import JIT_DISABLED

LINES = 32
"""How many lines are taken together: enough to pay for the steps around them, few enough for the nearest cache."""
TILE = 8  # rows are turned into columns in squares of this size
FEW = 16
"""How many lines are taken together for hands of four cards, whose sums of all sets of three must stay near."""
SETS = 15  # subsets of at most three of four cards a < b < c < d: none, four cards, six pairs, four triples
SIGNS = (1, *(-1,) * 4, *(1,) * 6, *(-1,) * 4)
"""How the weights of hands with all cards of such a subset add up to that of hands with none of the four cards, but
for hands with all four."""
WITH, WITHOUT = (1, 5, 6, 7, 11, 12, 13), (0, 2, 3, 4, 8, 9, 10, 14)
"""The subsets with card a and those without it: hands that differ in a alone have the latter in common."""

if JIT_DISABLED:

    def as_rows(flat: Any, at: int, rows: int, columns: int) -> Any:
        """flat[at : at + rows * columns], as [rows, columns]."""
        return flat[at : at + rows * columns].reshape(rows, columns)

    def add(to: Any, i: int, rows: Any, j: int) -> None:
        """to[i] += rows[j]."""
        to[i] += rows[j]

    def add_times(to: Any, i: int, rows: Any, j: int, factor: Any) -> None:
        """to[i] += factor * rows[j]."""
        to[i] += factor * rows[j]

    def put_rest(to: Any, i: int, sums: Any, x: int, y: int) -> None:
        """to[i] = sums[0] - sums[x] - sums[y]."""
        to[i] = sums[0] - sums[x] - sums[y]

    def add_rest(to: Any, i: int, sums: Any, x: int, y: int) -> None:
        """to[i] += sums[0] - sums[x] - sums[y]."""
        to[i] += sums[0] - sums[x] - sums[y]

    def turn_in(to: Any, h: int, line: int, rows: Any, at: Any) -> None:
        """A square of `to`, [hands, LINES], from TILE rows; `at[line]` is where the line's row begins in `rows`."""
        for k in range(TILE):
            low = int(at[line + k]) + h
            part = rows.reshape(-1)[low : low + TILE]
            to[h : h + len(part), line + k] = part

    def turn_out(to: Any, row: int, h: int, columns: Any, line: int, factor: Any) -> None:
        """A square of `to`, [rows, hands], from `columns`, [hands, LINES], times a factor."""
        to[row : row + TILE, h : h + TILE] = columns[h : h + TILE, line : line + TILE].T * factor

    turn_in_few, turn_out_few = turn_in, turn_out

    def count_with(to: Any, sets: Any, h: int, rows: Any, j: int) -> None:
        """to[s] += rows[j] for the subsets s of a hand with its lowest card."""
        for k in WITH:
            to[sets[h, k]] += rows[j]

    def count_without(to: Any, sets: Any, h: int, rows: Any, j: int) -> None:
        """The same for those without it."""
        for k in WITHOUT:
            to[sets[h, k]] += rows[j]

    def count_parts_with(to: Any, sets: Any, h: int, rows: Any, j: int, part: Any) -> None:
        """to[s] += part[s] * rows[j] for the subsets s of a hand with its lowest card."""
        for k in WITH:
            to[sets[h, k]] += to.dtype.type(part[sets[h, k]]) * rows[j]

    def count_parts_without(to: Any, sets: Any, h: int, rows: Any, j: int, part: Any) -> None:
        """The same for those without it."""
        for k in WITHOUT:
            to[sets[h, k]] += to.dtype.type(part[sets[h, k]]) * rows[j]

    def put_without(sums: Any, i: int, sets: Any, h: int) -> None:
        """sums[i] = the sum of sums[s] with its sign, over the subsets s of a hand without its lowest card."""
        sums[i] = sum(SIGNS[k] * sums[sets[h, k]] for k in WITHOUT)

    def mix_apart(to: Any, h: int, sums: Any, i: int, sets: Any, keep: Any, factor: Any) -> None:
        """to[h] = keep * to[h] + factor * the sum over all subsets of a hand; sums[i] has those of `put_without`."""
        to[h] = keep * to[h] + factor * (sums[i] + sum(SIGNS[k] * sums[sets[h, k]] for k in WITH))

    def add_few(to: Any, i: int, rows: Any, j: int, factor: Any) -> None:
        """to[i] += factor * rows[j]."""
        to[i] += factor * rows[j]

else:
    from llvmlite import ir
    from numba.core import types
    from numba.extending import intrinsic
    from numba.np.arrayobj import populate_array

    def _vector(builder: Any, context: Any, kind: Any, array: Any, at: Any, size: int) -> Any:
        """A pointer to `size` numbers of an array, from a place on."""
        data = context.make_array(kind)(context, builder, array).data
        vector = ir.VectorType(context.get_value_type(kind.dtype), size)
        return builder.bitcast(builder.gep(data, [at]), vector.as_pointer())

    def _row(builder: Any, context: Any, kind: Any, array: Any, row: Any, width: int = LINES) -> Any:
        return _vector(builder, context, kind, array, builder.mul(row, ir.Constant(row.type, width)), width)

    def _load(builder: Any, pointer: Any, kind: Any) -> Any:
        value = builder.load(pointer)
        value.align = kind.dtype.bitwidth // 8
        return value

    def _store(builder: Any, value: Any, pointer: Any, kind: Any) -> None:
        builder.store(value, pointer).align = kind.dtype.bitwidth // 8

    @intrinsic
    def as_rows(typing: Any, flat: Any, at: Any, rows: Any, columns: Any) -> Any:
        """flat[at : at + rows * columns], as [rows, columns]; a slice and a reshape take the compiler longer."""
        kind = types.Array(flat.dtype, 2, "C")

        def code(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            data = context.make_array(flat)(context, builder, args[0]).data
            size = context.get_constant(types.intp, context.get_abi_sizeof(context.get_data_type(flat.dtype)))
            out = context.make_array(kind)(context, builder)
            first, strides = builder.gep(data, [args[1]]), (builder.mul(args[3], size), size)
            populate_array(out, first, args[2:], strides, size, None)  # type: ignore[no-untyped-call]
            return out._getvalue()

        return kind(flat, types.intp, types.intp, types.intp), code

    @intrinsic
    def add(typing: Any, to: Any, i: Any, rows: Any, j: Any) -> Any:
        """to[i] += rows[j]."""

        def code(context: Any, builder: Any, signature: Any, args: Any) -> None:
            there = _row(builder, context, to, args[0], args[1])
            more = _load(builder, _row(builder, context, rows, args[2], args[3]), rows)
            _store(builder, builder.fadd(_load(builder, there, to), more), there, to)

        return types.void(to, types.intp, rows, types.intp), code

    def _spread(builder: Any, number: Any, size: int) -> Any:
        """A number as a vector of equal ones."""
        none = ir.Constant(ir.VectorType(number.type, size), ir.Undefined)
        zeros = ir.Constant(ir.VectorType(ir.IntType(32), size), [0] * size)
        first = builder.insert_element(none, number, ir.Constant(ir.IntType(32), 0))
        return builder.shuffle_vector(first, none, zeros)

    @intrinsic
    def add_times(typing: Any, to: Any, i: Any, rows: Any, j: Any, factor: Any) -> Any:
        """to[i] += factor * rows[j]."""

        def code(context: Any, builder: Any, signature: Any, args: Any) -> None:
            there = _row(builder, context, to, args[0], args[1])
            more = _load(builder, _row(builder, context, rows, args[2], args[3]), rows)
            more = builder.fmul(more, _spread(builder, args[4], LINES))
            _store(builder, builder.fadd(_load(builder, there, to), more), there, to)

        return types.void(to, types.intp, rows, types.intp, rows.dtype), code

    def _rest(context: Any, builder: Any, kind: Any, args: Any) -> Any:
        rows = (ir.Constant(args[1].type, 0), args[1], args[2])
        whole, x, y = (_load(builder, _row(builder, context, kind, args[0], row), kind) for row in rows)
        return builder.fsub(builder.fsub(whole, x), y)

    @intrinsic
    def put_rest(typing: Any, to: Any, i: Any, sums: Any, x: Any, y: Any) -> Any:
        """to[i] = sums[0] - sums[x] - sums[y]."""

        def code(context: Any, builder: Any, signature: Any, args: Any) -> None:
            there = _row(builder, context, to, args[0], args[1])
            _store(builder, _rest(context, builder, sums, args[2:]), there, to)

        return types.void(to, types.intp, sums, types.intp, types.intp), code

    @intrinsic
    def add_rest(typing: Any, to: Any, i: Any, sums: Any, x: Any, y: Any) -> Any:
        """to[i] += sums[0] - sums[x] - sums[y]."""

        def code(context: Any, builder: Any, signature: Any, args: Any) -> None:
            there = _row(builder, context, to, args[0], args[1])
            rest = _rest(context, builder, sums, args[2:])
            _store(builder, builder.fadd(_load(builder, there, to), rest), there, to)

        return types.void(to, types.intp, sums, types.intp, types.intp), code

    def _turned(builder: Any, rows: list[Any]) -> list[Any]:
        """Eight vectors of eight, rows for columns: pairs, then fours, then eights; never across more than it must."""

        def mixed(first: Any, second: Any, picks: tuple[int, ...]) -> Any:
            mask = ir.Constant(ir.VectorType(ir.IntType(32), TILE), list(picks))
            return builder.shuffle_vector(first, second, mask)

        ones = ((0, 8, 1, 9, 4, 12, 5, 13), (2, 10, 3, 11, 6, 14, 7, 15))
        twos = ((0, 1, 8, 9, 4, 5, 12, 13), (2, 3, 10, 11, 6, 7, 14, 15))
        fours = ((0, 1, 2, 3, 8, 9, 10, 11), (4, 5, 6, 7, 12, 13, 14, 15))
        pairs = [mixed(rows[k], rows[k + 1], picks) for k in (0, 2, 4, 6) for picks in ones]
        quads = [mixed(pairs[k], pairs[k + 2], picks) for k in (0, 1, 4, 5) for picks in twos]
        return [mixed(quads[k], quads[k + 4], picks) for picks in fours for k in range(4)]

    def _turn_in(lines: int) -> Any:
        @intrinsic
        def turn_in(typing: Any, to: Any, h: Any, line: Any, rows: Any, at: Any) -> Any:
            """A square of `to`, [hands, lines], from TILE rows; `at[line]` is where the line's row begins in `rows`."""

            def code(context: Any, builder: Any, signature: Any, args: Any) -> None:
                block, hand, first, source, place = args
                width = ir.Constant(hand.type, lines)
                steps = [ir.Constant(hand.type, k) for k in range(TILE)]
                starts = context.make_array(at)(context, builder, place).data
                vectors = []
                for step in steps:
                    low = builder.load(builder.gep(starts, [builder.add(first, step)]))
                    pointer = _vector(builder, context, rows, source, builder.add(low, hand), TILE)
                    vectors.append(_load(builder, pointer, rows))
                for step, value in zip(steps, _turned(builder, vectors), strict=True):
                    low = builder.add(builder.mul(builder.add(hand, step), width), first)
                    _store(builder, value, _vector(builder, context, to, block, low, TILE), to)

            return types.void(to, types.intp, types.intp, rows, at), code

        return turn_in

    def _turn_out(lines: int) -> Any:
        @intrinsic
        def turn_out(typing: Any, to: Any, row: Any, h: Any, columns: Any, line: Any, factor: Any) -> Any:
            """A square of `to`, [rows, hands], from `columns`, [hands, lines], times a factor."""

            def code(context: Any, builder: Any, signature: Any, args: Any) -> None:
                out, first, hand, source, lane, times = args
                width = ir.Constant(hand.type, lines)
                steps = [ir.Constant(hand.type, k) for k in range(TILE)]
                vectors = []
                for step in steps:
                    low = builder.add(builder.mul(builder.add(hand, step), width), lane)
                    vectors.append(_load(builder, _vector(builder, context, columns, source, low, TILE), columns))
                factors = _spread(builder, times, TILE)
                columns_out = builder.extract_value(context.make_array(to)(context, builder, out).shape, 1)
                for step, value in zip(steps, _turned(builder, vectors), strict=True):
                    low = builder.add(builder.mul(builder.add(first, step), columns_out), hand)
                    pointer = _vector(builder, context, to, out, low, TILE)
                    _store(builder, builder.fmul(value, factors), pointer, to)

            return types.void(to, types.intp, types.intp, columns, types.intp, columns.dtype), code

        return turn_out

    turn_in, turn_out = _turn_in(LINES), _turn_out(LINES)
    turn_in_few, turn_out_few = _turn_in(FEW), _turn_out(FEW)

    def _set_numbers(
        context: Any, builder: Any, kind: Any, sets: Any, hand: Any, columns: tuple[int, ...]
    ) -> list[Any]:
        """The numbers of some subsets of a hand."""
        data = context.make_array(kind)(context, builder, sets).data
        start = builder.mul(hand, ir.Constant(hand.type, SETS + 1))
        places = [builder.gep(data, [builder.add(start, ir.Constant(hand.type, k))]) for k in columns]
        return [builder.zext(builder.load(place), hand.type) for place in places]

    def _set_rows(
        context: Any, builder: Any, kind: Any, sums: Any, sets_kind: Any, sets: Any, hand: Any, columns: tuple[int, ...]
    ) -> list[Any]:
        """Pointers to the rows of some subsets of a hand."""
        numbers = _set_numbers(context, builder, sets_kind, sets, hand, columns)
        return [_row(builder, context, kind, sums, number, FEW) for number in numbers]

    def _signed(builder: Any, kind: Any, total: Any, rows: list[Any], columns: tuple[int, ...]) -> Any:
        """The rows of some subsets with their signs, added to a total (or None)."""
        for k, pointer in zip(columns, rows, strict=True):
            value = _load(builder, pointer, kind)
            if total is None:
                assert SIGNS[k] > 0
                total = value
            else:
                total = builder.fadd(total, value) if SIGNS[k] > 0 else builder.fsub(total, value)
        return total

    def _count(columns: tuple[int, ...]) -> Any:
        @intrinsic
        def count(typing: Any, to: Any, sets: Any, h: Any, rows: Any, j: Any) -> Any:
            """to[s] += rows[j] for some subsets s of a hand: `count_with`, `count_without`."""

            def code(context: Any, builder: Any, signature: Any, args: Any) -> None:
                more = _load(builder, _row(builder, context, rows, args[3], args[4], FEW), rows)
                for there in _set_rows(context, builder, to, args[0], sets, args[1], args[2], columns):
                    _store(builder, builder.fadd(_load(builder, there, to), more), there, to)

            return types.void(to, sets, types.intp, rows, types.intp), code

        return count

    count_with, count_without = _count(WITH), _count(WITHOUT)

    def _count_parts(columns: tuple[int, ...]) -> Any:
        @intrinsic
        def count(typing: Any, to: Any, sets: Any, h: Any, rows: Any, j: Any, part: Any) -> Any:
            """to[s] += part[s] * rows[j] for some subsets s of a hand: `count_parts_with`, `count_parts_without`."""

            def code(context: Any, builder: Any, signature: Any, args: Any) -> None:
                more = _load(builder, _row(builder, context, rows, args[3], args[4], FEW), rows)
                parts = context.make_array(part)(context, builder, args[5]).data
                for number in _set_numbers(context, builder, sets, args[1], args[2], columns):
                    there = _row(builder, context, to, args[0], number, FEW)
                    factor = builder.load(builder.gep(parts, [number]))
                    factor = context.cast(builder, factor, part.dtype, to.dtype)
                    product = builder.fmul(more, _spread(builder, factor, FEW))
                    _store(builder, builder.fadd(_load(builder, there, to), product), there, to)

            return types.void(to, sets, types.intp, rows, types.intp, part), code

        return count

    count_parts_with, count_parts_without = _count_parts(WITH), _count_parts(WITHOUT)

    @intrinsic
    def put_without(typing: Any, sums: Any, i: Any, sets: Any, h: Any) -> Any:
        """sums[i] = the sum of sums[s] with its sign, over the subsets s of a hand without its lowest card."""

        def code(context: Any, builder: Any, signature: Any, args: Any) -> None:
            rows = _set_rows(context, builder, sums, args[0], sets, args[2], args[3], WITHOUT)
            there = _row(builder, context, sums, args[0], args[1], FEW)
            _store(builder, _signed(builder, sums, None, rows, WITHOUT), there, sums)

        return types.void(sums, types.intp, sets, types.intp), code

    @intrinsic
    def mix_apart(typing: Any, to: Any, h: Any, sums: Any, i: Any, sets: Any, keep: Any, factor: Any) -> Any:
        """to[h] = keep * to[h] + factor * the sum over all subsets of a hand; sums[i] has those of `put_without`."""

        def code(context: Any, builder: Any, signature: Any, args: Any) -> None:
            there = _row(builder, context, to, args[0], args[1], FEW)
            common = _load(builder, _row(builder, context, sums, args[2], args[3], FEW), sums)
            rows = _set_rows(context, builder, sums, args[2], sets, args[4], args[1], WITH)
            more = builder.fmul(_signed(builder, sums, common, rows, WITH), _spread(builder, args[6], FEW))
            kept = builder.fmul(_load(builder, there, to), _spread(builder, args[5], FEW))
            _store(builder, builder.fadd(kept, more), there, to)

        return types.void(to, types.intp, sums, types.intp, sets, to.dtype, to.dtype), code

    @intrinsic
    def add_few(typing: Any, to: Any, i: Any, rows: Any, j: Any, factor: Any) -> Any:
        """to[i] += factor * rows[j]."""

        def code(context: Any, builder: Any, signature: Any, args: Any) -> None:
            there = _row(builder, context, to, args[0], args[1], FEW)
            more = _load(builder, _row(builder, context, rows, args[2], args[3], FEW), rows)
            more = builder.fmul(more, _spread(builder, args[4], FEW))
            _store(builder, builder.fadd(_load(builder, there, to), more), there, to)

        return types.void(to, types.intp, rows, types.intp, rows.dtype), code
