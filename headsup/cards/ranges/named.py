"""Ranges that have a name: `random`, `none`, and the hold'em ranges of dalpasso-lancia-2015.

The paper's table 2 splits the 169 starting hands into Sklansky's nine groups and derives four ranges from them: RUS
(group 1), RS (1 and 2), RML (1 to 5) and ATC (all). Two things about the printed table:

- K9s stands in group 6 and again at the head of the kings of group 7. A hand has one group; the stronger one is kept,
  as in the book by Sklansky and Malmuth, where group 7 has the *remaining* suited kings.
- KJs (group 3 in the book), Q8s and T7s (group 7) are not in the table at all, so they fall under "all remaining
  hands", group 9. The names here follow the paper, so that its figures can be checked; write `RML,KJs` for the book's
  five groups.
"""

from __future__ import annotations

SKLANSKY_GROUPS = (
    "AA,KK,QQ,JJ,AKs",
    "TT,AQs,AJs,KQs,AKo",
    "99,JTs,QJs,ATs,AQo",
    "T9s,KQo,88,QTs,98s,J9s,AJo,KTs",
    "77,87s,Q9s,T8s,KJo,QJo,JTo,76s,97s,A9s-A2s,65s",
    "66,ATo,55,86s,KTo,QTo,54s,K9s,J8s,75s",
    "44,J9o,64s,T9o,53s,33,98o,43s,22,K8s-K2s",
    "87o,A9o,Q9o,76o,42s,32s,96s,85s,J8o,J7s,65o,54o,74s,K9o,T8o",
)

# Each name in lower case with the range text it stands for; the grammar knows `random` and `none` by itself.
HOLDEM_NAMES = {f"sklansky{i}": text for i, text in enumerate(SKLANSKY_GROUPS, start=1)}
HOLDEM_NAMES["sklansky9"] = f"random!({','.join(SKLANSKY_GROUPS)})"
HOLDEM_NAMES["rus"] = SKLANSKY_GROUPS[0]
HOLDEM_NAMES["rs"] = ",".join(SKLANSKY_GROUPS[:2])
HOLDEM_NAMES["rml"] = ",".join(SKLANSKY_GROUPS[:5])
HOLDEM_NAMES["atc"] = "random"
