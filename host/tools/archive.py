"""The archive: a hub's record in an SQLite file, a row a line, keyed by the line's id.

Deal numbers begin anew when a hub's journal does, so lines belong to a journal: its number, drawn when it was begun,
and a part that is counted up when a hub has been set back by a backup and plays other deals under the same numbers.
``mark`` of a journal is the id up to which nothing is missing that the hub could repeat.
"""

import datetime
import json
import sqlite3
from pathlib import Path

APPLICATION = 0x534B4152  # "SKAR"
VERSION = 1

_TABLES = """
CREATE TABLE journal (id INTEGER PRIMARY KEY, hub TEXT NOT NULL, number TEXT NOT NULL, part INTEGER NOT NULL,
  mark_deal INTEGER NOT NULL DEFAULT -1, mark_k INTEGER NOT NULL DEFAULT -1, UNIQUE (number, part));
CREATE TABLE line (journal INTEGER NOT NULL REFERENCES journal, deal INTEGER NOT NULL, k INTEGER NOT NULL,
  ev TEXT NOT NULL, text TEXT NOT NULL, heard TEXT, PRIMARY KEY (journal, deal, k)) WITHOUT ROWID;
CREATE INDEX line_ev ON line (journal, ev);
CREATE TABLE player (journal INTEGER NOT NULL REFERENCES journal, player INTEGER NOT NULL, name TEXT NOT NULL,
  totals TEXT NOT NULL, PRIMARY KEY (journal, player)) WITHOUT ROWID;
"""


class ArchiveError(Exception):
    """The file cannot be used; the text is one sentence."""


def _id(event):
    """(deal, k) of a line, or None."""
    place = event.get("id")
    if isinstance(place, list) and len(place) == 2 and all(type(n) is int and n >= 0 for n in place):
        return tuple(place)
    return None


class Archive:
    """An open archive; a context manager. ``create``: make the file if there is none."""

    def __init__(self, path, create=False):
        self.path = Path(path)
        if self.path.is_dir():
            raise ArchiveError(f"{path} is a folder, not an archive: name a file in it.")
        if not create and not self.path.is_file():
            raise ArchiveError(f"There is no archive {path}: 'record --db {path}' makes one.")
        try:
            self.db = sqlite3.connect(self.path, timeout=10)
            version = self.db.execute("PRAGMA user_version").fetchone()[0]
            application = self.db.execute("PRAGMA application_id").fetchone()[0]
            empty = not self.db.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]
            if create and empty and not version:
                with self.db:
                    self.db.executescript(
                        f"BEGIN; {_TABLES} PRAGMA application_id={APPLICATION}; PRAGMA user_version={VERSION}; COMMIT;"
                    )
                application, version = APPLICATION, VERSION
            if create:
                self.db.execute("PRAGMA journal_mode=WAL")
                self.db.execute("PRAGMA synchronous=FULL")
        except sqlite3.Error as error:
            raise ArchiveError(f"{path} is no archive, or cannot be opened ({error}).") from None
        if application != APPLICATION:
            raise ArchiveError(f"{path} is another program's database; it is left as it is.")
        if version > VERSION:
            raise ArchiveError(f"{path} was written by a newer version of these tools: update them.")

    def __enter__(self):
        return self

    def __exit__(self, *exc):
        self.close()

    def close(self):
        """Save and let go of the file."""
        self.db.commit()
        self.db.close()

    def journal(self, hub, number, anew=False):
        """The row id of the newest part of a hub's journal; ``anew`` begins another part."""
        if number == "00000000":  # a journal of before journals had numbers
            number = hub
        found = self.db.execute(
            "SELECT id, part FROM journal WHERE number = ? ORDER BY part DESC LIMIT 1", (number,)
        ).fetchone()
        if found and not anew:
            return found[0]
        part = found[1] + 1 if found else 0
        with self.db:
            row = self.db.execute("INSERT INTO journal (hub, number, part) VALUES (?, ?, ?)", (hub, number, part))
        return row.lastrowid

    def mark(self, journal):
        """(deal, k) up to which nothing is missing; (-1, -1) at first."""
        return self.db.execute("SELECT mark_deal, mark_k FROM journal WHERE id = ?", (journal,)).fetchone()

    def set_mark(self, journal, place):
        """Nothing is missing up to here."""
        self.db.execute("UPDATE journal SET mark_deal = ?, mark_k = ? WHERE id = ?", (*place, journal))

    def newest(self, journal):
        """The highest id that is kept, or None."""
        return self.db.execute(
            "SELECT deal, k FROM line WHERE journal = ? ORDER BY deal DESC, k DESC LIMIT 1", (journal,)
        ).fetchone()

    def add(self, journal, text, event, live=True):
        """Keep a line. "new", "known", "other" (another line has that id; nothing is changed) or "bad"."""
        place = _id(event)
        if place is None or not isinstance(event.get("ev"), str):
            return "bad"
        heard = datetime.datetime.now(datetime.timezone.utc).isoformat(timespec="seconds") if live else None
        done = self.db.execute(
            "INSERT OR IGNORE INTO line VALUES (?, ?, ?, ?, ?, ?)", (journal, *place, event["ev"], text, heard)
        )
        if done.rowcount:
            return "new"
        kept = self.db.execute(
            "SELECT text FROM line WHERE journal = ? AND deal = ? AND k = ?", (journal, *place)
        ).fetchone()
        return "known" if kept[0] == text else "other"

    def name(self, journal, player, name, totals):
        """Keep a player's name and totals by rule set."""
        self.db.execute(
            "INSERT OR REPLACE INTO player VALUES (?, ?, ?, ?)", (journal, player, name, json.dumps(totals))
        )

    def names(self, journal):
        """{player: name} of a journal."""
        return dict(self.db.execute("SELECT player, name FROM player WHERE journal = ?", (journal,)))

    def journals(self):
        """(id, hub, number, part) of each journal, oldest first."""
        return self.db.execute("SELECT id, hub, number, part FROM journal ORDER BY id").fetchall()

    def deals(self, journal):
        """Yield (deal number, [events with "heard"]) of a journal in order; a line that is no JSON becomes None."""
        number, events = None, []
        rows = self.db.execute("SELECT deal, k, text, heard FROM line WHERE journal = ? ORDER BY deal, k", (journal,))
        for deal, k, text, heard in rows:
            if deal != number and events:
                yield number, events
                events = []
            number = deal
            try:
                event = json.loads(text)
                event = event if isinstance(event, dict) and event.get("id") == [deal, k] else None
            except (ValueError, RecursionError):
                event = None
            if event is not None:
                event["heard"] = heard
            events.append(event)
        if events:
            yield number, events

    def count(self):
        """How many lines are kept."""
        return self.db.execute("SELECT count(*) FROM line").fetchone()[0]
