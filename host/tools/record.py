"""``python -m host record``: a hub's record into an archive, without a gap and without a line twice.

On connecting the hub is asked who it is and what lies behind the archive's mark; lines that come live meanwhile are
kept too, but the mark moves over them only when all before them is there. A gap, a garbled line, a cable that was out
or a hub that has started anew has the hub asked again.
"""

import sys
import time

from .. import statuses
from . import common, link
from .archive import Archive, ArchiveError, _id

_COMMIT = 200  # lines
_AGAIN_S = 2.0
_SILENT_S = 5.0


class SetBack(Exception):
    """The hub plays other deals under ids that the archive has: a backup has been put back onto it."""


class Recorder:
    """Feeds an archive from a link. ``catch_up()``, then ``live(seconds)``. ``added``: new lines so far."""

    def __init__(self, archive, hub, say=lambda text: None):
        self.archive = archive
        self.link = hub
        self.journal = None
        self.added = 0
        self._say = say
        self._sure = False
        self._live_from = (0, 0)
        self._pending = 0

    def _keep(self, text, event, live):
        place = _id(event)
        done = self.archive.add(self.journal, text, event, live)
        if done == "other":
            raise SetBack
        if done == "new":
            self.added += 1
            self._pending += 1
        if place is not None:
            mark = self.archive.mark(self.journal)
            if place[0] == mark[0] and place[1] == mark[1] + 1 or place[0] == mark[0] + 1 and place[1] == 0:
                if self._sure or place < self._live_from:
                    self.archive.set_mark(self.journal, place)
            elif self._sure and place > mark:
                self._sure = False  # a gap: asked for at the next look
        if self._pending >= _COMMIT or self._sure:
            self.archive.db.commit()
            self._pending = 0

    def catch_up(self, progress=None):
        """Ask the hub who it is and for what is missing."""
        for anew in (False, True):
            try:
                self._catch_up(anew, progress)
                return
            except SetBack:
                self.archive.db.rollback()
                if anew:
                    raise link.Refused("The hub repeats its record with other lines under the same ids.") from None
                self._say("The hub has been set back, by a backup: what it plays now is kept apart from before.")

    def _catch_up(self, anew, progress):
        self._sure = False
        early = []
        who = self.link.ask({"cmd": "hub"}, heard=lambda text, said: early.append((text, said)) or True)
        self.journal = self.archive.journal(who["hub"], who["journal"], anew)
        self._live_from = tuple(who["next"])
        mark = self.archive.mark(self.journal)
        newest = self.archive.newest(self.journal)
        if newest and tuple(newest) >= self._live_from:
            raise SetBack
        for text, said in early:
            self._heard(text, said, True)
        n = 0

        def heard(text, said):
            nonlocal n
            n += 1
            if progress:
                progress.to(n)
            self._heard(text, said, said is None or (_id(said) or (0, 0)) >= self._live_from)
            return True

        # From the line at the mark on, so that a hub that was set back shows it.
        self.link.garbled = 0
        self.link.ask({"cmd": "since", "id": [mark[0], mark[1] - 1] if mark[1] >= 0 else [0, -1]}, 20, heard)
        if not self.link.garbled:
            newest = self.archive.newest(self.journal)
            if newest:
                self.archive.set_mark(self.journal, newest)
            self._sure = True
        self.archive.db.commit()
        self._names(who)

    def _names(self, who):
        """Names and totals, between deals only: a deal's memory is its own."""
        if who.get("running") is None:
            said = self.link.ask({"cmd": "totals"}, heard=lambda text, event: self._heard(text, event, True) or True)
            for i, row in enumerate(said["players"]):
                self.archive.name(self.journal, row.get("player", i), row["name"], row["totals"])
            self.archive.db.commit()

    def _heard(self, text, said, live):
        if said is not None and "ev" in said:
            self._keep(text, said, live)
        elif '"ev"' in text:
            self.link.garbled += 1

    def live(self, seconds):
        """Keep what comes within so long. True if the hub must be asked again."""
        text, said = self.link.line(seconds)
        if text is None:
            return not self._sure
        try:
            self._heard(text, said, True)
        except SetBack:
            return True
        if said is not None and said.get("ev") == "end":
            self._names({"running": None})
        # A hub that has started anew may have another journal.
        return said is not None and said.get("ev") == "boot" or bool(self.link.garbled) or not self._sure


def main(argv):
    """Run the command. Returns its exit status (see ``--help``)."""
    p = common.parser(
        "record",
        "Append the record of a hub to an archive. Started late, or again, it asks the hub for what it missed: the "
        "hub keeps its last 200 deals.",
        (
            "python -m host record --db table.db",
            "python -m host record --db table.db --once --port rfc2217://cafe:4000",
        ),
    )
    p.add_argument("--db", metavar="FILE", required=True, help="the archive; made if there is none")
    p.add_argument("--once", action="store_true", help="end when the archive has everything up to now")
    p.add_argument("--json", action="store_true", help="at the end, what was done as one JSON object")
    return common.guarded(_run, p.parse_args(argv))


def _run(args):
    try:
        archive = Archive(args.db, create=True)
    except ArchiveError as error:
        return statuses.fail(statuses.UNUSABLE, error)
    with archive, link.Link(args.port) as hub:
        recorder = Recorder(archive, hub, lambda text: print(text, file=sys.stderr))
        try:
            progress = common.Progress("repeating", 0)
            recorder.catch_up(progress)
            progress.end()
            if not args.once:
                print(
                    f"{args.db}: {recorder.added} lines caught up; recording until Ctrl-C.", file=sys.stderr, flush=True
                )
                _record(recorder, hub)
        finally:
            archive.db.commit()
            if args.json:
                common.show({"added": recorder.added, "lines": archive.count()})
            else:
                print(f"{args.db}: {recorder.added} lines added, {archive.count()} in all.", file=sys.stderr)
    return statuses.OK


def _record(recorder, hub):
    """For ever: through cables, resets and power cuts."""
    told = False
    again = False
    while True:
        try:
            if again:
                recorder.catch_up()
                if told:
                    print("The hub is back.", file=sys.stderr, flush=True)
                told = again = False
            again = recorder.live(_SILENT_S)
        except link.Lost as error:
            if not told:
                print(f"{error} What is missed meanwhile is asked for then.", file=sys.stderr, flush=True)
                told = True
            again = True
            while not hub.reopen(_AGAIN_S):
                pass
        except (link.Silent, link.Refused) as error:
            if not told:
                print(f"{error} It is asked again until it does.", file=sys.stderr, flush=True)
                told = True
            again = True
            time.sleep(_AGAIN_S)
