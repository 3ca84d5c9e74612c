"""One bet size to remember for each texture: what single sizes cost on many flops, with bounds.

On every flop the dense menu is solved, and then once for each size of the player's first bet on the flop, which becomes
the only one there (`headsup.spots.sizes.size_prices`). Costs are averaged over the flops of a texture, weighted as in
`headsup.spots.report`; the mean of lower bounds and the mean of upper bounds then hold the mean cost over these flops.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from headsup.common import contents, distribute
from headsup.common.checks import as_call, as_path, as_text, check_device, door, of_kind, whole
from headsup.common.files import json_text, telling_full_disk, write_text
from headsup.common.progress import Watch
from headsup.games.holdem.spot import Spot
from headsup.spots.report import FlopList, each_flop, flop_list
from headsup.spots.sizes import size_prices
from headsup.spots.view import seat_of

FUNCTION = "headsup.spots.size_report:price_flop"
TARGET = 0.001  # of each solve, as a fraction of the pot


def price_flop(job: str, spot: str, player: str, target: float, device: str, threads: int) -> bytes:
    """One packet: the bounds of each size's cost on a flop."""
    prices = size_prices(Spot.parse(spot), player, target=target, threads=threads, device=device)
    return json_text({"job": job, "prices": {size: list(bounds) for size, bounds in prices.items()}}).encode()


def _check(row: dict[str, Any]) -> None:
    for size, bounds in row["prices"].items():
        low, high = (
            contents.number(bound, f"a bound of {size}", 0.0) for bound in contents.items(bounds, "the bounds")
        )
        if low > high:
            raise ValueError("a lower bound is above its upper bound")


@dataclass(frozen=True, eq=False)
class SizeReport:
    """What each single size costs on each flop."""

    spot: Spot
    player: str
    flops: FlopList
    prices: list[dict[str, tuple[float, float]]]  # by flop
    left: int = 0  # flops that are missing after Ctrl-C

    @property
    def stopped(self) -> bool:
        """Whether Ctrl-C ended it early."""
        return self.left > 0

    @property
    def sizes(self) -> list[str]:
        return list(self.prices[0])

    def textures(self) -> list[dict[str, Any]]:
        """All flops first, then those of each texture: `group`, `texture`, `flops`, `share`, the `size` whose upper
        bound is least, its `cost_pot` (`low`, `high`), and `costs`, the same for every size.
        """
        return [self._average(*place) for place in self.flops.by_texture()]

    def _average(self, group: str, texture: str, here: Any) -> dict[str, Any]:
        shares = self.flops.shares * here
        weight = shares / shares.sum()
        costs = {}
        for size in self.sizes:
            low, high = (float(weight @ [flop[size][end] for flop in self.prices]) for end in (0, 1))
            costs[size] = {"low": low, "high": high}
        best = min(costs, key=lambda size: costs[size]["high"])
        head = {"group": group, "texture": texture, "flops": int(here.sum()), "share": float(shares.sum())}
        return {**head, "size": best, "cost_pot": costs[best], "costs": costs}

    def as_dict(self) -> dict[str, Any]:
        head = {"player": self.player, "flops": len(self.prices), "exact": self.flops.all, "stopped": self.stopped}
        return {**head, "sizes": self.sizes, "textures": self.textures()}


@door(
    spot=of_kind(Spot),
    folder=as_path,
    flops=of_kind(str, int),
    player=as_text,
    device=check_device,
    engine=as_text,
    jobs=whole,
    address=as_text,
    progress=as_call,
)
def make_size_report(
    spot: Spot,
    folder: str | Path,
    flops: str | int = 25,
    *,
    player: str = "ip",
    target: float = TARGET,
    device: str = "cpu",
    engine: str = "local",
    jobs: int | None = None,
    address: str | None = None,
    progress: Watch | None = None,
) -> SizeReport:
    """Price single bet sizes on many flops; `flops` and Ctrl-C as in `make_report`. Call it again to resume.

    The spot's menu is the dense one, on all streets; its board is ignored.
    """
    seat_of(player)
    listed, place = flop_list(spot.oop, spot.ip, spot.dead, flops), Path(folder)
    how = {"player": player, "target": target, "device": device}
    work: dict[str, Any] = {"engine": engine, "jobs": jobs, "address": address, "progress": progress}
    with distribute.locked(place), telling_full_disk(place):
        rows = each_flop(FUNCTION, spot, listed, place, "prices of sizes with another", how, _check, **work)
        prices = [{size: (b[0], b[1]) for size, b in row["prices"].items()} for row in rows.values()]
        report = SizeReport(spot, player, listed.only(rows.keys()), prices, len(listed.names) - len(rows))
        if not report.stopped:
            write_text(place / "sizes.json", json_text(report.as_dict()))
        return report
