"""Plays with pad keys alone, as a person at the seat would."""


def play(table, seat, cards, reading):
    """Not there yet."""
    return {"ok": False, "why": "Playing by keys is not there yet."}
