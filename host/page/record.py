"""The record of the table, kept for browsers that come later or reload."""

from collections import deque

from . import words

# Lines of about three deals with many passes; a browser that connects gets this deal's and the last one's.
KEEP = 1500


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

    def latest(self, name):
        """The last event of a name, or None."""
        return next((e for e in reversed(self._events) if e.get("ev") == name), None)
