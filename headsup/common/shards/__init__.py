"""Shards: the packets of a job, shared out among runs that know nothing of each other, and merged again.

`--shard i/n` computes every nth packet from the ith on. A finished shard leaves a record of its files with their
SHA-256 in `shards/` of the work folder. Shards may work in one folder at once, or each in its own. `merge` gathers
the folders and checks that no shard, no file and no byte is missing; the job's command without a shard then finishes.
"""
