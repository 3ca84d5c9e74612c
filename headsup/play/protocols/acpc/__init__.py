"""The protocol of the Annual Computer Poker Competition, version 2.0.0, for two players: dealer, client, match logs.

After every event the dealer sends each player a line with all that this player may know, and a player whose turn it
is answers with the same line and an action:

    VERSION:2.0.0                              the client, once
    MATCHSTATE:0:30:cc/:9s8h|/8c8d5c           the dealer: position, hand, betting so far, cards
    MATCHSTATE:0:30:cc/:9s8h|/8c8d5c:r250      the client: the same, and what it does

Position 0 is the first to act after the flop: heads-up the big blind, our seat 1. Without a limit `r250` is what the
player will have put in during the whole hand; with a limit a raise is a bare `r`. Where both are all-in, the streets
that nobody bets on still have their slashes. Lines end with a carriage return and a newline, and those that begin with
`#` or `;` are comments. (ACPC protocol specification 2.0.0, October 2010.)
"""
