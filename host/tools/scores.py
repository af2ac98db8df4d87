"""``python -m host scores``: players, titles and history, from an archive."""

from shared_rules import rulesets, titles

from .. import statuses
from ..page import words
from . import common
from .archive import Archive, ArchiveError

COMPUTER = 16  # players from here on are the computers of the four seats


def name_of(player, names, lang=2):
    """A player's name for a person; who was never named is a guest."""
    if player >= COMPUTER:
        return (f"电脑 {player - COMPUTER}", f"電腦 {player - COMPUTER}", f"computer {player - COMPUTER}")[lang]
    return names.get(player) or (f"客人 {player}", f"客人 {player}", f"guest {player}")[lang]


def history(archive, tests=False):
    """The deals that have ended, oldest first: dicts of ``journal``, ``deal``, ``rules``, ``result``, ``heard``,
    ``players``, ``points``, ``totals``, ``stars``, ``test``."""
    out = []
    for journal, _hub, _number, _part in archive.journals():
        for deal, events in archive.deals(journal):
            begun = next((e for e in events if e and e["ev"] == "deal"), None)
            end = next((e for e in events if e and e["ev"] == "end"), None)
            if begun is None or end is None or begun.get("test") and not tests:
                continue
            out.append(
                {
                    "journal": journal,
                    "deal": deal,
                    "rules": begun["rules"],
                    "result": end["result"],
                    "heard": end["heard"],
                    "players": begun.get("players") or [0, 1, 2, 3],
                    "points": end["points"],
                    "totals": end["totals"],
                    "stars": end["stars"],
                    "test": bool(begun.get("test")),
                }
            )
    return out


def table(archive, deals, lang=2):
    """One dict for each player and rule set: deals, won, points, best, total, title; the best total first."""
    rows = {}
    names = {journal[0]: archive.names(journal[0]) for journal in archive.journals()}
    for row in deals:
        for seat, player in enumerate(row["players"]):
            key = (row["rules"], row["journal"], player)
            name = name_of(player, names[row["journal"]], lang)
            one = rows.setdefault(
                key, {"rules": row["rules"], "player": name, "deals": 0, "won": 0, "points": 0, "best": 0, "total": 0}
            )
            one["deals"] += 1
            one["won"] += row["points"][seat] > 0
            one["points"] += row["points"][seat]
            one["best"] = max(one["best"], row["points"][seat])
            one["total"] = row["totals"][seat]
    order = {rules: i for i, rules in enumerate(rulesets.RULE_SETS)}
    out = sorted(rows.values(), key=lambda one: (order.get(one["rules"], 9), -one["total"], one["player"]))
    for one in out:
        ladder = titles.BY_RULE_SET[order[one["rules"]]]
        one["title"] = titles.title(ladder, one["total"])[lang]
    return out


def main(argv):
    """Run the command. Returns its exit status (see ``--help``)."""
    p = common.parser(
        "scores",
        "Players with their titles, and the history of deals, from an archive. Test deals are left out.",
        ("python -m host scores --db table.db", "python -m host scores --db table.db --history 20 --json"),
        port=False,
    )
    p.add_argument("--db", metavar="FILE", required=True, help="the archive")
    p.add_argument("--rules", choices=rulesets.RULE_SETS, help="one rule set only")
    p.add_argument(
        "--history", metavar="N", type=int, default=10, help="deals to list, the newest (default %(default)s)"
    )
    p.add_argument("--tests", action="store_true", help="test deals, too")
    p.add_argument("--lang", choices=words.LANGS, default="en", help="language (default %(default)s)")
    p.add_argument("--json", action="store_true", help="one JSON object")
    args = p.parse_args(argv)
    try:
        archive = Archive(args.db)
    except ArchiveError as error:
        return statuses.fail(statuses.UNUSABLE, error)
    with archive:
        return common.guarded(lambda args: _show(archive, args), args)


def _show(archive, args):
    lang = words.LANGS.index(args.lang)
    deals = [row for row in history(archive, args.tests) if args.rules in (None, row["rules"])]
    rows = table(archive, deals, lang)
    shown = deals[-args.history :] if args.history > 0 else []
    names = {journal[0]: archive.names(journal[0]) for journal in archive.journals()}
    for row in shown:
        row["names"] = [name_of(player, names[row["journal"]], lang) for player in row["players"]]
    if args.json:
        common.show({"players": rows, "deals": len(deals), "history": shown})
        return statuses.OK
    if not deals:
        print("No deal has ended in this archive yet.")
        return statuses.OK
    rules = None
    for one in rows:
        if one["rules"] != rules:
            rules = one["rules"]
            print(("" if one is rows[0] else "\n") + words.RULES[rules][lang])
            print(f"  {'total':>8} {'deals':>6} {'won':>5} {'best':>6}  player, title")
        print(
            f"  {one['total']:>8} {one['deals']:>6} {one['won']:>5} {one['best']:>6}  {one['player']}, {one['title']}"
        )
    if shown:
        print()
    for row in shown:
        points = "  ".join(f"{name} {words.signed(n)}" for name, n in zip(row["names"], row["points"]))
        result = words.RESULTS.get(row["result"], (row["result"],) * 3)[lang]
        when = (row["heard"] or "").replace("T", " ")[:16]
        print(f"  {row['deal']:>6}  {when:<16}  {result:<12}  {points}")
    return statuses.OK
