"""`headsup merge FOLDER [FROM ...]`: gather the shards of a job, and check that they are complete."""

from __future__ import annotations

import argparse

from headsup.cli.options import add_json, print_answer

HELP = """Check that all shards of a job are complete and undamaged, and gather them from other folders.

Jobs with a work folder can be shared out: run `headsup tabulate`, `report` or `measure` with --shard 1/N to N/N, in one
folder or in several. Then name the folder to finish in, and the others. When every shard, file and checksum is right,
run the job's command with --work FOLDER and without --shard."""


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("folder", metavar="FOLDER", help="the folder of --work to finish in")
    parser.add_argument("sources", nargs="*", metavar="FROM", help="other folders whose shards are copied into it")
    add_json(parser)


def run(args: argparse.Namespace) -> int:
    from headsup.common.shards.merge import merge

    merged = merge(args.folder, args.sources)
    sentence = f"{merged.shards:,} shards with {merged.files:,} files are complete in {args.folder}"
    copied = f", {merged.copied:,} of them copied" if merged.copied else ""
    return print_answer(
        args,
        lambda: {"folder": args.folder, **merged._asdict()},
        lambda console: console.print(f"{sentence}{copied}", soft_wrap=True),
    )
