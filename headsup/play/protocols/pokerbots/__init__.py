"""The text protocol of MIT's Pokerbots of 2017, engine and player side: hold'em in which cards may be changed.

Words are separated by spaces, lines end with a newline, and the player connects to the engine.

    NEWGAME me opponent stack bb hands time
    NEWHAND id button c1 c2 myBank oppBank time                              button: true for the dealer
    GETACTION pot nBoard [board] nLast [last] nLegal [legal] time            answered by one action
    HANDOVER myBank oppBank nBoard [board] nLast [last] time
    REQUESTKEYVALUES bytes                                                   answered by FINISH

Last actions are everything since the player was last asked, its own too: `POST:1:me`, `CALL:me`, `CHECK:me`,
`BET:6:me`, `RAISE:12:me`, `FOLD:me`, `DEAL:FLOP`, `DISCARD:old:new:me` (of the other only `DISCARD:opponent`), and at
the end `REFUND:4:me`, `SHOW:c1:c2:me`, `WIN:20:me` or `TIE:10:me`. Legal ones are `CALL`, `CHECK`, `FOLD`,
`BET:least:most`, `RAISE:least:most`; totals are those of the street. Where a card may be changed they are `CHECK`,
which keeps both, and `DISCARD:c1`, `DISCARD:c2`.

The engine sends no `KEYVALUE`s and keeps none; time is a bank for the whole match, in seconds.
"""
