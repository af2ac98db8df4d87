"""Who sits where: a person sits down, leaves the seat to the computer, or is another of the sixteen players.

In memory only while it is used (``shelf.py``). Every function takes the game, ``g``, as its first argument and is for
the time between deals. A name and a total belong to a player: a seat shows those of whoever has it. Who was never named
is a guest: the unnamed player of the seat. The computer at a seat is a player of its own, so that it plays for nobody's
total.
"""

import players
from seats import BOT, HUMAN
from settings import SITTERS


def refresh(g, seat):
    """Name and total of the player at a seat; in a test totals are those of its deals."""
    seat.name = players.name(g.settings, seat.player, seat.lang)
    if not g.test:
        seat.total = players.total(g.settings, seat.player, g.rules_index)
    else:
        import evening

        seat.total = evening.score(g, seat.player)


def keep(g):
    """Save what was chosen in the lobby."""
    players.save(g.settings, g.deal_no)


def free(g, player, seat):
    """Whether no other person than the one at this seat is that player."""
    for other in g.seats:
        if other is not seat and other.kind == HUMAN and other.player == player:
            return False
    return True


def guest(g, seat):
    """The player that an unnamed person at this seat is: one without name, the seat's own before others."""
    for player in range(seat.index, players.MOST, 4):
        if not players.named(g.settings, player) and free(g, player, seat):
            return player
    return players.MOST + seat.index  # sixteen names are taken: as the seat's computer


def sit(g, seat):
    """A person sits down: who sat here last, or a guest."""
    player = g.settings.get(SITTERS + seat.index) - 1
    if not 0 <= player < players.MOST or not players.named(g.settings, player) or not free(g, player, seat):
        player = guest(g, seat)
    seat.kind = HUMAN
    seat.ready = False
    seat.player = player
    refresh(g, seat)


def leave(g, seat):
    """The computer plays on at this seat."""
    seat.kind = BOT
    seat.ready = True
    seat.player = players.MOST + seat.index
    refresh(g, seat)


def become(g, seat, player):
    """The person at this seat is that player from now on."""
    seat.player = player
    if not g.test:
        g.settings.put(SITTERS + seat.index, player + 1)
        players.save(g.settings, g.deal_no)
    refresh(g, seat)
