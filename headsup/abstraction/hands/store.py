"""Tables of buckets, made in packets so that a stopped run resumes.

Partitions are small and saved by `headsup.abstraction.hands.named`; tables follow from them. `tabulate` makes tables
that take long (histograms of all turns on a CPU): each packet of a street's sets is a file, and intact files are not
made again.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

from headsup.abstraction.hands.buckets import FeatureBuckets
from headsup.abstraction.hands.named import bucket_checksum
from headsup.abstraction.hands.partitions import Partition
from headsup.common.archives import read_arrays, write_arrays
from headsup.common.arrays import AnyArray
from headsup.common.distribute import clear_scratch, locked
from headsup.common.files import telling_full_disk
from headsup.common.progress import Progress, Watch

VERSION = 1
PACKET = 1024
"""Sets of cards in a file of `tabulate`."""


def tabulate(buckets: FeatureBuckets, folder: str | Path, progress: Watch | None = None) -> None:
    """Make all tables of buckets, packet by packet in a folder, or resume where it stopped."""
    place = Path(folder)
    mark = bucket_checksum(buckets.game, buckets)
    with locked(place), telling_full_disk(place):
        clear_scratch(place)
        for street, many in enumerate(buckets.partitions):
            for kind, partition in enumerate(many):
                start, job = place / f"{mark[:12]}-{street}-{kind}", f"{mark}-{street}-{kind}"
                buckets.give_table(street, kind, _table(buckets, street, partition, start, job, progress))


def _table(
    buckets: FeatureBuckets, street: int, partition: Partition, start: Path, job: str, progress: Watch | None
) -> AnyArray:
    features = buckets.features
    boards = features.sets(street)
    out = np.zeros((len(boards), len(features.hands)), dtype=np.min_scalar_type(max(0, partition.size - 1)))
    for low in range(0, len(boards), PACKET):
        high = min(len(boards), low + PACKET)
        path = start.with_name(f"{start.name}-{low:06d}.npz")
        arrays = read_arrays(path, VERSION, f"{job}-{low}")
        if arrays is None:
            arrays = {"buckets": buckets.sorted_in(street, partition, low, high)}
            write_arrays(path, VERSION, arrays, f"{job}-{low}")
        out[low:high] = arrays["buckets"]
        if progress is not None:
            progress(Progress(high, len(boards), features.name(street), unit="boards"))
    return out
