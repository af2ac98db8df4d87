"""The rules engine: pure, compact, the same on CPython and MicroPython.

What each module holds, in the order in which they build on each other:

* ``cards``: ranks, card codes 0-107, a hand as 16 bytes of counts and 14 bytes of identity.
* ``meld``: a meld (牌型) as one small integer, its text form and back.
* ``rulesets``: the five rule sets as one table of data.
* ``compare``: stars (星/相), the strength of a bomb, what beats what.
* ``classify``: every reading of exactly these cards.
* ``generate``: every meld that a hand makes and that beats the table; the cards for a meld.
* ``deal``: shuffle, commitment, first lead, change of seats.
* ``table``: the trick machine with its history.
* ``score``: a player's stars and the settlement.
* ``plan``: a hand split into few plays.
* ``hints``: the hint key's order. ``bot``: the normal bot and the trustee (託管).
* ``titles``: the two ladders of titles by total.
* ``why``: refusals and melds in three languages.

``dialect`` holds what MicroPython has and CPython lacks.

Every function that runs in a turn writes into buffers of its caller and allocates nothing.
"""
