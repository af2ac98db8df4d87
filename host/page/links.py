"""Who may see and press what: every seat has a private link, the operator has one more.

A link ends in ``#k=TOKEN``. The token stands behind the ``#`` so that it reaches neither a log nor a
Referer line; the page sends it as the first message of its WebSocket. Without a token nobody sees a hand
and nobody presses a key.
"""

import contextlib
import hmac
import json
import os
import secrets
from dataclasses import dataclass

SEATS = (0, 1, 2, 3)


@dataclass(frozen=True)
class Grant:
    """What one browser may do. ``seats``: the seats whose screens it may see and whose keys it may press,
    its own seat first; ``operator``: it may also switch the power, pull any plug, set the speed and pass on
    the links."""

    seats: tuple = ()
    operator: bool = False

    @property
    def own(self):
        """The seat that the page opens with, or None for an onlooker."""
        return self.seats[0] if self.seats else None


NOBODY = Grant()


class Links:
    """The tokens of one run of the server.

    ``humans``: seats played by persons. ``open_hands``: the operator may see all four hands (teaching);
    meant for a table that only this machine can reach. A seat's token belongs to its player: when
    ``baibian`` changes two seats, the tokens move with the players (``swap``).

    ``keep``: a file that holds the tokens from one run to the next, so that a page that is open finds its seat again
    after a restart of the server; None: the tokens end with the run. Only this user may read it. OSError if it cannot
    be written.
    """

    def __init__(self, humans, open_hands, keep=None):
        self.operator = secrets.token_urlsafe(16)
        self.seat_tokens = [secrets.token_urlsafe(16) for _ in SEATS]
        self._keep = keep
        if keep is not None:
            self._take()
            self._write()
        self.humans = list(humans)
        self.open_hands = open_hands or not self.humans
        self.own = self.humans[0] if self.humans else 0
        self._moves = []

    def _take(self):
        """The tokens of the run before; a file that is none of ours is replaced."""
        with contextlib.suppress(OSError, ValueError, TypeError, KeyError):
            kept = json.loads(self._keep.read_text(encoding="utf-8"))
            operator, *seats = tokens = [kept["operator"], *kept["seats"]]
            if len(set(tokens)) == 1 + len(SEATS) and all(isinstance(t, str) and len(t) >= 22 for t in tokens):
                self.operator, self.seat_tokens = operator, seats

    def _write(self):
        new = self._keep.with_name(f"{self._keep.name}.new-{os.getpid()}")
        with open(os.open(new, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w", encoding="utf-8") as file:
            json.dump({"operator": self.operator, "seats": self.seat_tokens}, file)
        new.replace(self._keep)

    def grant(self, token):
        """The grant of a token (text); NOBODY for one that was not given out."""
        token = str(token or "").encode()
        if hmac.compare_digest(token, self.operator.encode()):
            return self.grant_operator()
        for seat, known in enumerate(self.seat_tokens):
            if hmac.compare_digest(token, known.encode()):
                return Grant((seat,))
        return NOBODY

    def grant_operator(self):
        """The operator's grant: the own seat first, then the others if hands are open."""
        others = tuple(s for s in SEATS if s != self.own) if self.open_hands else ()
        return Grant((self.own, *others), True)

    def swap(self, a, b):
        """The players of seats ``a`` and ``b`` have changed places: their links follow them."""
        self._moves.append((a, b))
        tokens = self.seat_tokens
        tokens[a], tokens[b] = tokens[b], tokens[a]
        moved = {a: b, b: a}
        self.own = moved.get(self.own, self.own)
        self.humans = sorted(moved.get(s, s) for s in self.humans)
        if self._keep is not None:
            with contextlib.suppress(OSError):  # a full disk shall not stop the deal
                self._write()

    def restore(self):
        """A new evening: everybody is back where this run has begun."""
        for a, b in reversed(self._moves[:]):
            self.swap(a, b)
        self._moves.clear()
