"""From packets to the table: compute what is missing, lay it out block by block, check it, write the manifest.

Each block of rows is laid out from all packets, written in place and flushed; a journal records its checksums, so after
an interruption intact blocks stay. In the finished arrays each pair's equities add up to 1, each hand meets C(4m - 4,
4) others, and the mean equity is one half. A folder with a manifest is only checked: blocks that differ are laid out
again and must match the manifest.
"""

import hashlib
import os
from collections.abc import Callable, Iterable
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from headsup.cards.classes import omaha_class_sizes, omaha_class_starts, rank_counts, rank_multisets
from headsup.common import distribute, files
from headsup.common.checks import check_device
from headsup.common.errors import DataError, UserError
from headsup.common.progress import Progress, Watch
from headsup.common.shards.merge import seal
from headsup.common.shards.shard import Shard
from headsup.equity.blocks import in_threads
from headsup.equity.omaha.matchups import census, packets
from headsup.equity.omaha.matchups.packets import PacketData, Plan
from headsup.equity.omaha.matchups.store import (
    ArraySpec,
    Manifest,
    array_specs,
    block_digest,
    damaged_blocks,
    read_manifest,
    row_cuts,
    wrong_sizes,
)

PACKET_FUNCTION = "headsup.equity.omaha.matchups.packets:packet_bytes"
Say = Callable[[str], None]


class Build:
    def __init__(self, folder: Path, plan: Plan, say: Say | None = None, progress: Watch | None = None) -> None:
        self.folder, self.plan = folder, plan
        self.say: Say = say or (lambda text: None)
        self.progress: Watch = progress or (lambda step: None)
        self.packet_folder = folder / "packets"
        self.engine: dict[str, Any] = {}
        self.device = "cpu"
        self.function = PACKET_FUNCTION

    def run(
        self,
        engine: str = "local",
        jobs: int | None = None,
        address: str | None = None,
        device: str = "cpu",
        prune: bool = False,
        shard: Shard | None = None,
    ) -> Manifest:
        """Build the table, finish it, or check and repair it; the manifest of the whole table.

        With a shard, only its packets are computed, and `ShardDone` is raised.
        """
        check_device(device)
        distribute.check_jobs(jobs)
        self.engine, self.device = {"engine": engine, "jobs": jobs, "address": address}, device
        with distribute.locked(self.folder, shard):
            self.packet_folder.mkdir(exist_ok=True)
            distribute.clear_scratch(self.folder, shard)
            distribute.clear_scratch(self.packet_folder, shard)
            manifest = read_manifest(self.folder)
            if manifest is not None and manifest.ranks != self.plan.ranks:
                raise UserError(
                    f"{self.folder} has the table of a deck of {manifest.ranks} ranks, not {self.plan.ranks}: "
                    "choose another folder"
                )
            if shard is not None:
                mine = shard.pick(range(self.plan.packets))
                self._packets(mine)
                raise seal(self.folder, shard, [self._path(number) for number in mine])
            if manifest is not None and manifest.outcomes >= self.plan.outcomes:
                self._repair(manifest)
            else:
                manifest = self._build(manifest)
            if prune:
                self._prune(manifest.ranks)
        return manifest

    # --- packets ---

    @property
    def done(self) -> int:
        """How many packets there are."""
        return sum(self._path(number).exists() for number in range(self.plan.packets))

    def _path(self, number: int) -> Path:
        return self.packet_folder / self.plan.file_name(number)

    def _packets(self, numbers: Iterable[int]) -> dict[int, str]:
        """See that these packets are there and whole; the checksum of each."""
        digests: dict[int, str] = {}
        missing: list[int] = []
        numbers = list(numbers)
        for done, (number, digest) in enumerate(zip(numbers, in_threads(self._digest, numbers), strict=True)):
            path = self._path(number)
            if digest:
                digests[number] = digest
            else:
                missing.append(number)
                if path.exists():
                    self.say(f"packet {number} is damaged and is computed again")
                    path.unlink()
            self.progress(Progress(done + 1, len(numbers), "checking packets", unit="packets"))
        if missing:
            if digests:
                self.say(f"{len(digests)} of {len(numbers)} packets exist already")
            self._compute(missing, numbers)
        for number, digest in zip(missing, in_threads(self._digest, missing), strict=True):
            if digest is None:
                raise DataError(f"packet {number} was written but cannot be read back whole: check the disk")
            digests[number] = digest
        return digests

    def _digest(self, number: int) -> str | None:
        """The checksum of a packet that is there and whole."""
        path = self._path(number)
        return packets.check_file(self.plan, number, path) if path.exists() else None

    def _compute(self, missing: list[int], numbers: list[int]) -> None:
        total = sum(map(self.plan.work, numbers))
        done = total - sum(map(self.plan.work, missing))
        self.progress(Progress(done, total, "computing packets"))

        def report(packet: distribute.Packet) -> None:
            nonlocal done
            done += packet.work
            self.progress(Progress(done, total, "computing packets"))

        work = [
            distribute.Packet(
                self._path(number),
                {"ranks": self.plan.ranks, "outcomes": self.plan.outcomes, "number": number, "device": self.device},
                self.plan.work(number),
            )
            for number in missing
        ]
        if self.device == "gpu" and self.engine["engine"] == "local":
            made = packets.compute(
                self.plan, missing, "gpu", lambda n, content: files.write_bytes(self._path(n), content)
            )
            for packet, _ in zip(work, made, strict=True):
                report(packet)
        else:
            distribute.run(self.function, work, gpus=float(self.device == "gpu"), done=report, **self.engine)

    def _remove(self, numbers: Iterable[int]) -> None:
        for number in numbers:
            self._path(number).unlink(missing_ok=True)
        with suppress(OSError):
            self.packet_folder.rmdir()

    def _prune(self, ranks: int) -> None:
        """Remove the packets of both kinds: a table with outcomes may have grown from one without."""
        for plan in (Plan(ranks, False), Plan(ranks, True)):
            for number in range(plan.packets):
                (self.packet_folder / plan.file_name(number)).unlink(missing_ok=True)
        self._remove(())

    # --- the table ---

    def _build(self, old: Manifest | None) -> Manifest:
        """From packets to a sealed table; an older table of the same deck without outcomes must agree with it."""
        digests = self._packets(range(self.plan.packets))
        data = [packets.read(self._path(number)) for number in range(self.plan.packets)]
        patterns = census.by_pattern(np.concatenate([packet.census for packet in data]))
        census.check(patterns, self.plan.ranks)
        known = self._journal(digests)
        blocks = self._lay_all(data, known, old, digests)
        counts = self._check(patterns)
        plan = self.plan
        manifest = Manifest(
            plan.ranks, plan.classes, plan.boards, plan.outcomes, row_cuts(plan.ranks), blocks, counts, patterns
        )
        manifest.write(self.folder)
        (self.folder / "journal.json").unlink(missing_ok=True)
        return manifest

    def _journal(self, digests: dict[int, str]) -> dict[str, dict[str, str]]:
        """Blocks that an interrupted run of the same packets has finished: block number -> array -> SHA-256."""
        with suppress(UserError):
            path = self.folder / "journal.json"
            journal = files.read_json(path)
            return files.parsed(
                path,
                lambda: (
                    {number: dict(noted) for number, noted in journal["blocks"].items()}
                    if journal["packets"] == _digest_of(digests)
                    else {}
                ),
            )
        return {}

    def _lay_all(
        self, data: list[PacketData], known: dict[str, dict[str, str]], old: Manifest | None, digests: dict[int, str]
    ) -> dict[str, tuple[str, ...]]:
        """Write the blocks that are not there yet; the checksums of all."""
        specs, cuts = array_specs(self.plan), row_cuts(self.plan.ranks)
        self._reserve(specs)

        def laid(number: int) -> dict[str, str]:
            rows, noted = (cuts[number], cuts[number + 1]), known.get(str(number))
            if noted is None or any(block_digest(self.folder, spec, *rows) != noted.get(spec.name) for spec in specs):
                return self._lay(data, *rows)
            return noted

        for number, made in enumerate(in_threads(laid, range(len(cuts) - 1))):
            if known.get(str(number)) is not made:
                known[str(number)] = made
                journal = {"packets": _digest_of(digests), "blocks": known}
                files.write_json(self.folder / "journal.json", journal)
            self.progress(Progress(number + 1, len(cuts) - 1, "laying out the table"))
        blocks = {spec.name: tuple(known[str(i)][spec.name] for i in range(len(cuts) - 1)) for spec in specs}
        if old is not None and any(blocks[name] != shas for name, shas in old.blocks.items()):
            raise DataError(f"the table in {self.folder} does not agree with the new packets: this is a fault")
        return blocks

    def _reserve(self, specs: tuple[ArraySpec, ...]) -> None:
        """Give every file its size, so that a full disk shows before the work and not after it."""
        with files.telling_full_disk(self.folder):
            for spec in specs:
                handle = os.open(self.folder / spec.file, os.O_RDWR | os.O_CREAT, 0o644)
                try:
                    if os.fstat(handle).st_size != spec.size:
                        os.ftruncate(handle, spec.size)
                        if hasattr(os, "posix_fallocate"):
                            os.posix_fallocate(handle, 0, spec.size)
                finally:
                    os.close(handle)

    def _lay(self, data: Iterable[PacketData], row_from: int, row_to: int) -> dict[str, str]:
        """Lay out one block of rows of every array and write it; its checksums."""
        from headsup.equity.omaha.matchups import merge_kernels

        plan, rows = self.plan, row_to - row_from
        specs = array_specs(plan)
        block = {spec.name: np.zeros((rows, *spec.shape[1:]), dtype=spec.dtype) for spec in specs}
        nothing = np.zeros((0, 0, 0), dtype=np.uint32)
        table_rows = merge_kernels.TableRows(
            block["omaha8"],
            block["omaha"],
            block["number"],
            block.get("outcomes8", nothing),
            block.get("outcomes", nothing),
        )
        first, sizes = omaha_class_starts(), omaha_class_sizes()
        for packet in data:
            faults = merge_kernels.lay(packet, first, sizes, plan.boards, plan.outcomes, row_from, row_to, table_rows)
            if faults:
                raise DataError(
                    f"{faults} entries of rows {row_from} to {row_to} do not divide evenly: this is a fault"
                )
        digests = {}
        for spec in specs:
            content = block[spec.name].data.cast("B")
            digests[spec.name] = hashlib.sha256(content).hexdigest()
            with files.telling_full_disk(self.folder), open(self.folder / spec.file, "r+b") as file:
                file.seek(row_from * spec.row_bytes)
                file.write(content)
                file.flush()
                os.fsync(file.fileno())
        return digests

    def _check(self, patterns: dict[str, tuple[int, int]]) -> dict[str, int]:
        """The sums that must hold over the whole table; the counts for the manifest."""
        from headsup.equity.omaha.matchups.verify import check_sums

        return check_sums(self.folder, self.plan, patterns, self.progress)

    # --- a table that is there ---

    def _repair(self, manifest: Manifest) -> None:
        """Lay out blocks again that differ from the manifest."""
        self.plan = manifest.plan
        long = [spec for spec, size in wrong_sizes(self.folder, manifest).items() if size > spec.size]
        for spec in long:
            os.truncate(self.folder / spec.file, spec.size)
            self.say(f"{spec.file} was too long and is cut to its size")
        damaged = damaged_blocks(self.folder, manifest)
        if not damaged and not long:
            self.say("the table is finished and every byte is as it was: nothing is computed")
        if not damaged:
            return
        for number, names in sorted(damaged.items()):
            self.say(f"block {number} of {', '.join(names)} is damaged and is made again")
        cuts = manifest.rows
        there = {n for n in range(self.plan.packets) if self._path(n).exists()}
        needed = sorted(set().union(*(_touching(self.plan, cuts[n], cuts[n + 1]) for n in damaged)))
        self._packets(needed)
        data = [packets.read(self._path(number)) for number in needed]
        self._reserve(array_specs(self.plan))
        for number in damaged:
            made = self._lay(data, cuts[number], cuts[number + 1])
            if any(made[name] != shas[number] for name, shas in manifest.blocks.items()):
                raise DataError(f"block {number} differs from the manifest: this is a fault")
        del data
        self._remove(set(needed) - there)


def _touching(plan: Plan, row_from: int, row_to: int) -> set[int]:
    """The packets that have a rank set which contains a rank hand of these rows."""
    from headsup.equity.omaha.matchups.ranksets import rank_sets

    starts = omaha_class_starts()
    hands = rank_multisets(4, plan.ranks)
    ours = hands[(starts[: len(hands)] >= row_from) & (starts[: len(hands)] < row_to)]
    held = rank_counts(rank_sets(plan.ranks), plan.ranks)
    touched: npt.NDArray[np.bool_] = np.zeros(len(held), dtype=bool)
    for hand in rank_counts(ours, plan.ranks):
        touched |= (held >= hand).all(axis=1)
    return set((np.searchsorted(plan.cuts, np.flatnonzero(touched), side="right") - 1).tolist())


def _digest_of(digests: dict[int, str]) -> str:
    return hashlib.sha256("".join(digests[number] for number in sorted(digests)).encode()).hexdigest()
