"""The record of the table, kept for browsers that come later or reload."""

import json
from collections import deque

from . import words

# Lines of a long evening, some 60 deals; a browser that connects gets this deal's and the last one's.
KEEP = 20_000


class Record:
    """Events in the order in which the table told them, each with its sentences under ``words``."""

    def __init__(self):
        self._events = deque(maxlen=KEEP)

    def add(self, event):
        """Keep an event; returns it with its words."""
        told = dict(event)
        said = words.say(event)
        if said:
            told["words"] = said
        self._events.append(told)
        return told

    def recent(self):
        """The events since the deal before this one began, oldest first."""
        events = list(self._events)
        deals = [k for k, e in enumerate(events) if e.get("ev") == "deal"]
        return events[deals[-2] :] if len(deals) > 1 else events

    def lines(self):
        """What everybody may read, a line of JSON for each event as the table told it."""
        for event in self._public():
            yield json.dumps({k: v for k, v in event.items() if k != "words"}, ensure_ascii=False) + "\n"

    def text(self, lang, names):
        """The same in words: a line for each event, with the table's time. ``lang``: 0-2; ``names``: of the seats."""
        for event in self._public():
            if "words" not in event:
                continue
            said = words.SEAT.sub(lambda m: names[int(m[1])], event["words"][lang])
            if event["ev"] == "deal":
                yield "\n"
            if event.get("seat") in range(len(names)):
                said = f"{names[event['seat']]}: {said}"
            seconds = event.get("t", 0) // 1000
            yield f"{seconds // 60:3}:{seconds % 60:02}  {said}\n"
            if event["ev"] == "end" and event.get("seed"):
                yield f"        {words.NUMBER[lang]}: {event['seed']}\n"

    def _public(self):
        return (e for e in list(self._events) if e.get("ev") != "refused")

    def latest(self, *names):
        """The last event of these names, or None."""
        return next((e for e in reversed(self._events) if e.get("ev") in names), None)
