"""Boards are worked through in blocks, on all threads at once and with progress after each block."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from typing import TYPE_CHECKING, TypeVar

from headsup.common.checks import cores
from headsup.common.progress import Progress, Watch

if TYPE_CHECKING:  # loaded with the first pool: everyday answers need none
    from concurrent.futures import Future, ThreadPoolExecutor

T = TypeVar("T")
Given = TypeVar("Given")


def map_blocks(work: Callable[[slice], T], total: int, size: int, progress: Watch | None = None) -> Iterator[T]:
    """work(block) for consecutive slices of range(total), at most `size` long, results in order."""
    blocks = [slice(start, min(start + size, total)) for start in range(0, total, size)]
    if len(blocks) == 1 or threads() == 1:
        results: Iterator[T] = map(work, blocks)
        yield from _told(results, blocks, total, progress)
        return
    jobs = [_pool(os.getpid()).submit(work, block) for block in blocks]
    try:
        yield from _told((job.result() for job in jobs), blocks, total, progress)
    finally:
        for job in jobs:
            job.cancel()


@cache
def _pool(process: int) -> ThreadPoolExecutor:
    """Threads kept for the next question, since starting them takes longer than many answers; one pool a process."""
    from concurrent.futures import ThreadPoolExecutor

    return ThreadPoolExecutor(threads())


def threads() -> int:
    """How many threads kernels use; asking for it brings the compiler, which is there by then."""
    from headsup.common.backend import threads

    return threads()


def _told(results: Iterator[T], blocks: list[slice], total: int, progress: Watch | None) -> Iterator[T]:
    for block, result in zip(blocks, results, strict=True):
        yield result
        if progress is not None:
            progress(Progress(block.stop, total))


def block_size(total: int, most: int) -> int:
    return max(1, min(most, -(-total // threads())))


def in_threads(work: Callable[[Given], T], given: Iterable[Given]) -> Iterator[T]:
    """work(item) for each, in order, one thread per core; few are started ahead, since each may hold much memory."""
    from concurrent.futures import ThreadPoolExecutor

    several = cores()
    with ThreadPoolExecutor(several) as pool:
        waiting: deque[Future[T]] = deque()
        try:
            for item in given:
                waiting.append(pool.submit(work, item))
                if len(waiting) > several:
                    yield waiting.popleft().result()
            while waiting:
                yield waiting.popleft().result()
        finally:
            for job in waiting:
                job.cancel()
