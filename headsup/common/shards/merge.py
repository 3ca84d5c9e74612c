"""Records of finished shards, and the merge that checks them."""

from __future__ import annotations

import hashlib
import shutil
from collections.abc import Iterable, Sequence
from pathlib import Path, PurePosixPath
from typing import NamedTuple

from headsup.common.errors import DataError
from headsup.common.files import read_bytes, read_json, replacing, write_bytes, write_json
from headsup.common.shards.shard import Shard, ShardDone

FOLDER, SETTINGS = "shards", "settings.json"


def seal(folder: Path, shard: Shard, paths: Iterable[Path]) -> ShardDone:
    """Record the files of a finished shard."""
    files = {path.relative_to(folder).as_posix(): _sha256(path) for path in paths}
    (folder / FOLDER).mkdir(exist_ok=True)
    write_json(folder / FOLDER / shard.file_name, {"shard": shard.number, "of": shard.of, "files": files})
    return ShardDone(shard, len(files))


def _sha256(path: Path) -> str:
    digest = hashlib.sha256()
    with open(path, "rb") as file:
        while block := file.read(1 << 20):
            digest.update(block)
    return digest.hexdigest()


class MergedShards(NamedTuple):
    shards: int
    files: int
    copied: int


def merge(folder: str | Path, sources: Sequence[str | Path] = ()) -> MergedShards:
    """Gather the shards of other folders in one, and check that all are complete and undamaged."""
    home = Path(folder)
    copied = 0
    for source in sources:
        if Path(source).resolve() != home.resolve():
            copied += _gather(home, Path(source))
    records = _records(home)
    if not records:
        raise DataError(f"{folder} has no finished shard: run the job with --shard 1/N to N/N first")
    counts = sorted({of for _, of in records})
    if len(counts) > 1:
        raise DataError(f"{folder} has shards of {' and '.join(map(str, counts))}: share out a job in one way only")
    missing = [number for number in range(1, counts[0] + 1) if (number, counts[0]) not in records]
    if missing:
        listed = ", ".join(map(str, missing[:10])) + (", ..." if len(missing) > 10 else "")
        raise DataError(f"{folder} lacks {len(missing)} of {counts[0]} shards ({listed}): run them, then merge again")
    files = 0
    for (number, of), names in records.items():
        for name, digest in names.items():
            _check(home / name, digest, f"{number}/{of}")
            files += 1
    return MergedShards(counts[0], files, copied)


def _gather(home: Path, source: Path) -> int:
    """Copy the finished shards of another folder, byte by byte as recorded."""
    records = _records(source)
    if not records:
        raise DataError(f"{source} has no finished shard: name the folders that were given to --work")
    home.mkdir(parents=True, exist_ok=True)
    settings = source / SETTINGS
    if settings.exists():
        mine = home / SETTINGS
        if mine.exists() and read_json(mine) != read_json(settings):
            raise DataError(f"{source} is of another job than {home}: their {SETTINGS} differ")
        write_bytes(mine, read_bytes(settings))
    copied = 0
    for (number, of), names in records.items():
        for name, digest in names.items():
            _check(source / name, digest, f"{number}/{of}")
            (home / name).parent.mkdir(parents=True, exist_ok=True)
            with replacing(home / name) as file, open(source / name, "rb") as content:
                shutil.copyfileobj(content, file)
            copied += 1
        record = Path(FOLDER) / Shard(number, of).file_name
        (home / FOLDER).mkdir(exist_ok=True)
        write_bytes(home / record, read_bytes(source / record))
    return copied


def _records(folder: Path) -> dict[tuple[int, int], dict[str, str]]:
    """The files of each finished shard with their checksums."""
    records: dict[tuple[int, int], dict[str, str]] = {}
    for path in sorted((folder / FOLDER).glob("*-of-*.json")):
        content = read_json(path)
        try:
            shard, files = Shard(int(content["shard"]), int(content["of"])), dict(content["files"])
            fits = path.name == shard.file_name and all(_is_inside(name) for name in files)
        except (KeyError, TypeError, ValueError):
            fits = False
        if not fits:
            raise DataError(f"{path} is not the record of a shard: run that shard again")
        records[shard] = {str(name): str(digest) for name, digest in files.items()}
    return records


def _is_inside(name: object) -> bool:
    """Whether a name of a record stays within its folder."""
    path = PurePosixPath(str(name))
    return isinstance(name, str) and not path.is_absolute() and ".." not in path.parts and "\\" not in name


def _check(path: Path, digest: str, shard: str) -> None:
    if not path.is_file():
        raise DataError(f"{path} of shard {shard} is missing: run that shard again")
    if _sha256(path) != digest:
        raise DataError(f"{path} of shard {shard} is damaged: delete it and run that shard again")
