"""States of a table that the screen tests show: name -> a game set by hand and the seat that looks.

Each is made in three languages and, where a deal is on, in both layouts: ``all_states`` gives (name, game, seat).
"""

from stage import DEALING, LAST_TRICK, LOBBY, SETTLED, Game, counts_of

import trick
from shared_rules import meld, rulesets, score

NAMES = (("小林", "老周", "美玲", "阿强"), ("小林", "老周", "美玲", "阿強"), ("Lin", "Zhou", "Meiling", "Qiang"))
LANGS = ("zh-Hans", "zh-Hant", "en")
LAYOUTS = ("large", "compact")

# Four whole hands
FULL = (
    "X x x 2h Ah Kc Kh Qd Qh Jd Jh Th 9d 9c 9c 9s 8d 7d 7h 7s 6d 6s 5c 5c 4h 3c 3h",
    "6d 6c 7c 7s 8c 8c 3s 4s 4c 5h Td Td Ts Js Js Qs Qc Ks Kd Ac As Ad 2c 2s 2d 9h 9h",
    "3d 3d 3s 4d 4d 5d 5d 6h 6h 7d 7h 8h 8h 8s 9s Tc Jc Qc Qd Kd Ks Ad Ah 2c 2d X 4c",
    "3c 5s 5s 6c 6s 7c 8d 8s 9d Tc Ts Th Jc Jd Jh Qh Qs Kc Kh Ac As 2s 2h 4h 4s 5h 3h",
)


def following():
    """My turn, three pairs to beat, a bomb of five raised and legal (with a joker)."""
    g = opened()
    g.seats[0].cursor = 8
    g.lift(0, "9 9 9 9 x")
    return g


def opened():
    """The next seat has led three pairs, two have passed, it is my turn."""
    g = Game()
    g.turn_ms, g.turn_left_ms = 30000, 21000
    g.deal(FULL, 1)
    g.play("6 6 7 7 8 8")
    g.play("pass")
    g.play("pass")
    g.seats[0].cursor = 9
    return g


def waiting():
    """Another's turn; the seats that wait have nothing or something raised."""
    g = Game()
    g.turn_ms, g.turn_left_ms = 30000, 5000
    g.deal(FULL, 1)
    g.play("6 6 7 7 8 8")
    g.seats[0].cursor = 14
    g.lift(0, "9 9 9 9")
    return g


def own_meld():
    """My own meld lies on the table."""
    g = opened()
    g.play("9 9 9 9 x")
    g.seats[0].cursor = 3
    return g


def leading():
    """I lead, nothing raised."""
    g = Game()
    g.turn_ms, g.turn_left_ms = 30000, 30000
    g.deal(FULL, 0)
    g.seats[0].cursor = 0
    return g


def no_meld():
    """Raised cards that make no meld."""
    g = opened()
    g.lift(0, "K Q")
    return g


def too_low():
    """Raised cards that make a meld which does not beat the table."""
    g = opened()
    g.lift(0, "7 7 6 6 5 5")
    return g


def refused():
    """The same, after the play key."""
    g = too_low()
    g.seats[0].cursor = 10
    g.seats[0].refusal = (-2, meld.parse("pairs3:7"), g.table.meld)
    return g


def refused_long():
    """The longest reason: a sequence of ten-high against another kind."""
    g = Game()
    g.turn_ms, g.turn_left_ms = 30000, 21000
    g.deal(("3d 4d", "8d 8c 8h 9d 9c 9h Td Tc Th 3h", "4h", "5h"), 1)
    g.play("8 8 8 9 9 9 T T T")
    g.play("pass")
    g.play("pass")
    g.seats[0].refusal = (-2, meld.parse("triples3:9"), g.table.meld)
    return g


def refused_kind():
    """A reason that names another kind."""
    g = refused()
    g.seats[0].refusal = (-2, meld.parse("straight5:9"), g.table.meld)
    return g


def refused_pass():
    """A pass on a lead."""
    g = leading()
    g.seats[0].refusal = (-4, 0, 0)
    return g


def big_play():
    """A seven-star chain bomb against me, shown big."""
    g = bombed()
    g.show_big()
    return g


def bombed():
    """The same when it is no longer shown big."""
    g = Game()
    g.turn_ms, g.turn_left_ms = 30000, 30000
    g.deal((
        "x 2h Ad Kc Kc Kh Ks Qd Qd Qc Qh Jd Th 9h 8s 8d 7d 7c 7h 7h 7s 6s 4d", "6d 6c 2d 2s",
        "4c 4d 5d 5c 6h 8h 8s 9s", "3h 3c 3d X 4s 4h 4c 4s 5s 5h 5c 5s 9d 9c 9d Td Ts Tc Qs Qc As Ac 2c 2s"), 2)
    g.play("4 4")
    g.play("3 3 3 X 4 4 4 4 5 5 5 5")
    g.seats[0].cursor = 9
    return g


def biggest():
    """The longest meld there is room for: a chain bomb of 20 cards, ten stars."""
    g = Game()
    g.turn_ms, g.turn_left_ms = 30000, 30000
    g.deal(("x 2h Ad", "Kd Kc Kh Ks Ad Ac Ah As Qd Qc Qh Qs Jd Jc Jh Js Td Tc Th Ts 3d", "4c", "3h"), 1)
    g.play("T T T T J J J J Q Q Q Q K K K K A A A A")
    g.show_big()
    return g


def biggest_still():
    """The same when it is no longer shown big."""
    g = biggest()
    g.big = None
    return g


def choices():
    """Leading with cards of two readings."""
    g = Game()
    g.turn_ms, g.turn_left_ms = 30000, 26000
    g.deal(("X x x 2d 2h Ad Ac As Js Th 9s 9d 9h 9c 9c 7s 6h 5s 3s", "3d", "4d", "4c"), 0)
    g.seats[0].cursor = 8
    g.lift(0, "X x x 7 6 5")
    g.seats[0].choices = [meld.parse("straight6:T"), meld.parse("pairs3:7")]
    return g


def peeking():
    """First out: the partner's hand is shown."""
    g = Game()
    g.turn_ms, g.turn_left_ms = 30000, 19000
    g.deal(("3d", "Ts Th Td 4d 4c 4h", "2h Ac As Qh Jd Js 8d 8d 8c 8h 8s 5h 4d", "6d 6d 6c"), 0)
    g.play("3")
    g.seats[0].peek = True
    for card in ("4", "5", "6", "pass"):
        g.play(card)
    return g


def trustee():
    """The trustee plays for me and for the partner."""
    g = opened()
    g.seats[0].trustee = g.seats[2].trustee = True
    return g


def hidden():
    """My hand is covered."""
    g = opened()
    g.seats[0].hidden = True
    return g


def limits():
    """15 ranks, eight of one raised."""
    g = Game()
    g.turn_ms, g.turn_left_ms = 30000, 21000
    g.deal(("X x 2c 2s Ac Kd Kd Kc Kc Kh Kh Ks Ks Qd Jd Jc Jh Js Td 9h 8s 7d 6c 5c 4s 3h 3c", "6d 6d 7c 7s 8c 8d",
            "4d", "4h"), 1)
    g.play("6 6 7 7 8 8")
    g.play("pass")
    g.play("pass")
    g.seats[0].cursor = 4
    g.lift(0, "K K K K K K K K")
    return g


def late():
    """Late in a deal: few cards, a trustee, nearly out."""
    g = Game()
    g.turn_ms, g.turn_left_ms = 30000, 12000
    g.deal(("X 2s Qh Js Jd Jc 7s 7d 7d 7c 4h", "3d 3h", "Kd Ks 5d 5c 6c", "6h 6d 5h 5s 8h 9h 9d 9s 9c"), 2)
    g.play("K K")
    g.play("pass")
    g.play("pass")
    g.seats[3].trustee = True
    g.seats[0].cursor = 3
    return g


def places():
    """Two are out; a third plays on."""
    g = Game()
    g.turn_ms, g.turn_left_ms = 0, 0
    g.deal(("3d", "4d", "6d 7d", "8h 9h"), 0)
    g.play("3")
    g.play("4")
    return g


def dealing():
    """The deal begins: its number, commitment, first lead."""
    g = Game()
    g.deal(FULL, 2)
    g.phase = DEALING
    g.deal_no = 128
    g.commit = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"
    return g


def dealing_wide():
    """The same with the widest digits there are."""
    g = dealing()
    g.commit = "bd" * 32
    return g


def last_trick():
    """The deal has ended on this trick."""
    g = Game()
    g.deal(("3d 3c", "4d", "6d", "8h"), 0)
    g.play("3 3")
    g.play("pass")
    g.play("pass")
    g.play("pass")
    g.play("6")
    g.phase = LAST_TRICK
    return g


def lobby(ready=False, kind=0, row=1, rules="wenzhou"):
    """The lobby, one seat the computer's."""
    g = Game(rules)
    g.phase = LOBBY
    for i, seat in enumerate(g.seats):
        seat.kind = 1 if i == 3 else 0
        seat.ready = i in (2, 3)
        seat.menu = row
    g.seats[0].ready, g.seats[0].kind = ready, kind
    return g


def settled(rules="wenzhou", hands=None, out=(0, 2), events=((0, 7), (3, 6)), totals=(412, 95, -57, 1208),
            before=None, leaver=-1):
    """A settlement. hands: four texts; events: (seat, star) of bombs played."""
    g = Game(rules)
    hands = hands or ("3d", "x 2c 2d As Kh Jh Jc Jd Jd 8h 6c 6d 5c 3s", "4d", "2h Ks Kd Qh Qc 9s 9c 9d 4d")
    g.deal(hands, 0)
    played = [bytearray(9) for _ in range(4)]
    for seat, star in events:
        played[seat][star - 4] += 1
    for s in out:
        g.table.counts[s][:] = bytes(16)
        g.table.cards[s][:] = bytes(14)
    left = [t[15] for t in g.table.counts]
    g.ledger.leaver = leaver
    g.table.out = bytearray(out)
    g.settlement = score.settle(g.rules, out, left, played, before, (), leaver, [4] * 4)
    for seat, total in zip(g.seats, totals):
        seat.total = total
    g.seats[1].ready = True
    g.phase = SETTLED
    g.deal_no = 12
    return g


def settled_lost():
    """The others have won."""
    hands = ("2h Ks Kd Qh Qc 9s 9c 9d 4d", "3d", "x 2c 2d As Kh Jh Jc Jd Jd 8h 6c 6d 5c 3s", "4d")
    return settled(hands=hands, out=(1, 3), events=((1, 5),))


def settled_stakes():
    """Stakes: base x multiplier x tier."""
    return settled("diexiang", before=[412, 600, 96000, -57], totals=(4120, 10950, 987654, -1208))


def settled_wide():
    """The widest numbers there are: star 12, x 256, highest stake, totals of many digits."""
    return settled("diexiang", before=[98000, 96000, 16000, 5000], events=((0, 12), (2, 12), (3, 9)),
                   totals=(128480, 96500, -12080, -1208))


def settled_star():
    """The same without stakes, at a round table of people with four-digit totals."""
    return settled(events=((0, 12), (2, 12), (3, 9), (1, 12)), totals=(1208, -1208, 9999, -9999))


def settled_long():
    """A double with two large hands left."""
    return settled(hands=("3h", FULL[1], "4h", FULL[2]), events=())


def settled_single():
    """First and third, nobody played a bomb."""
    return settled(out=(0, 1, 2), events=(), hands=("3d", "3c", "4d", "2h Ks Kd Qh Qc 9s 9c 9d 4d"))


def settled_broken():
    """A seat has left the deal: nobody's hand was played out."""
    return settled("jiangzhe", hands=(
        "X x x 2d 2h Ad Ac As Js Th 9s 9d 9h 9c 9c 7s 6h 5s 3s", "3d 4d 5d 6d 7d 8s Td Jd 2c 2s 2s Ks",
        "4d 4c 4s Kd Kd Ks", "4h 5c 5c 6c 6c 8d 8d 8c 8c 8h 8h 8s Qd Ac As"), out=(), leaver=1)


def settled_fined():
    """A seat has left a deal of baibian with the others' bombs played."""
    return settled("baibian", hands=(
        "X x 2d 2h Ad Ac As Js Th 9s", "3d 4d 5d 6d", "4d 4c 4s Kd Kd Ks", "4h 5c 5c 6c 6c 8d"), out=(), leaver=1,
        events=((0, 7), (3, 6)))


def menu(entry=0):
    """The menu over the table, on one of its entries; a trick is over."""
    g = tricked()
    g.seats[0].page = 1
    g.seats[0].menu = entry
    return g


def menu_first():
    """The menu before any trick, off a bot's seat: entries that do nothing now."""
    g = leading()
    g.seats[0].kind = 1
    g.seats[0].page = 1
    return g


def menu_asked():
    """The menu when another asks for a pause."""
    g = menu(6)
    g.pause = g.turn_no << 5 | 2
    return g


def menu_lobby():
    """The menu in the lobby."""
    g = lobby()
    g.seats[0].page = 1
    return g


def tricked(plays=("6 6 7 7 8 8", "pass", "pass", "9 9 9 9 x")):
    """A trick is over, its winner leads."""
    g = Game()
    g.turn_ms, g.turn_left_ms = 30000, 21000
    g.deal(FULL, 1)
    for cards in plays:
        g.play(cards)
    while g.table.meld:
        g.play("pass")
    return g


def last_trick_again():
    """The last trick again, over the table."""
    g = tricked()
    number = trick.last(g.table)
    g.seats[0].page, g.seats[0].menu = 2, number
    return g


def last_trick_long():
    """A trick of six plays: the last four of them, or one play further back."""
    g = tricked(("3", "4", "5", "6", "7", "8"))
    g.seats[0].page, g.seats[0].menu = 2, trick.last(g.table) | 1 << 18
    return g


def last_trick_none():
    """The same before any trick is over."""
    g = leading()
    g.seats[0].page = 2
    return g


def page(number, rules="wenzhou"):
    """A question or the pause, over the table."""
    g = opened()
    g.rules = rulesets.get(rules)
    g.seats[0].page = number
    return g


def left():
    """Somebody has left the deal: it is broken off."""
    g = opened()
    g.ledger.leaver = 1
    g.table.turn = -1
    g.phase = LAST_TRICK
    return g


def not_saved():
    """Another's turn, and the journal has failed."""
    g = waiting()
    g.seats[0].raised[:] = bytes(16)
    g.refresh()
    g.saving = False
    return g


def unplugged():
    """Two pads are away, the trustee plays for one of them and has the turn."""
    g = waiting()
    for s in (2, 3):
        g.seats[s].pad_present, g.seats[s].trustee = False, True
    return g


def notice(n):
    """A notice of seats.py."""
    g = opened()
    g.seats[0].notice = n
    return g


def notice_waiting(n):
    """A notice while another has the turn."""
    g = waiting()
    g.seats[0].notice = n
    return g


def notice_trustee():
    """The trustee has just been turned on, on my turn."""
    g = trustee()
    g.seats[0].notice = 4
    return g


def refused_waiting():
    """A refusal while another has the turn."""
    g = waiting()
    g.seats[0].refusal = (-6, 0, 0)
    return g


def trustee_out():
    """The trustee has played my last card."""
    g = Game()
    g.turn_ms, g.turn_left_ms = 30000, 19000
    g.deal(("3d", "4d", "6d 7d", "8h 9h"), 0)
    g.play("3")
    g.seats[0].trustee = True
    return g


def pad_away():
    """My pad is away and the trustee plays on."""
    g = trustee()
    g.seats[0].pad_present = False
    return g


def pad_grace():
    """My pad is away on my turn, and the trustee does not play yet."""
    g = opened()
    g.seats[0].pad_present = False
    return g


DEAL = {
    "pad grace": pad_grace,
    "following": following, "opened": opened, "waiting": waiting, "own meld": own_meld, "leading": leading,
    "no meld": no_meld, "too low": too_low, "refused": refused, "refused long": refused_long,
    "refused kind": refused_kind, "refused pass": refused_pass, "big play": big_play, "bombed": bombed,
    "biggest": biggest, "biggest still": biggest_still, "choices": choices, "peeking": peeking, "trustee": trustee,
    "hidden": hidden, "limits": limits, "late": late, "places": places, "dealing": dealing,
    "dealing wide": dealing_wide, "last trick": last_trick,
    "not saved": not_saved, "unplugged": unplugged,
    "refused waiting": refused_waiting, "notice trustee": notice_trustee, "trustee out": trustee_out,
    "pad away": pad_away,
    "menu": menu, "menu last": lambda: menu(7), "menu first": menu_first, "menu asked": menu_asked,
    "last trick again": last_trick_again, "last trick long": last_trick_long,
    "last trick none": last_trick_none, "left": left,
    "ask leave": lambda: page(3), "ask leave jiangzhe": lambda: page(3, "jiangzhe"),
    "ask leave baibian": lambda: page(3, "baibian"), "paused": lambda: page(4),
    **{f"notice {n}": (lambda n=n: notice(n)) for n in range(1, 16)},
    **{f"notice {n} waiting": (lambda n=n: notice_waiting(n)) for n in (1, 4)},
}
BETWEEN = {
    **{f"lobby {r}": (lambda r=r, i=i: lobby(rules=r, row=i % 4)) for i, r in enumerate(rulesets.RULE_SETS)},
    "lobby ready": lambda: lobby(ready=True), "lobby free": lambda: lobby(kind=1),
    "settled": settled, "settled lost": settled_lost, "settled stakes": settled_stakes, "settled long": settled_long,
    "settled wide": settled_wide, "settled star": settled_star,
    "settled single": settled_single, "settled broken": settled_broken, "settled fined": settled_fined,
    "menu lobby": menu_lobby,
}


def dress(game, lang, layout):
    """Give all seats a language and a layout."""
    for seat, name in zip(game.seats, NAMES[lang]):
        seat.lang, seat.layout, seat.name = lang, layout, name
    return game


def all_states():
    """(name, game, seat that looks) of every state in every language and layout."""
    for lang, code in enumerate(LANGS):
        for name, make in DEAL.items():
            for layout, word in enumerate(LAYOUTS):
                yield f"{name} · {code} · {word}", dress(make(), lang, layout), 0
        for name, make in BETWEEN.items():
            yield f"{name} · {code}", dress(make(), lang, 0), 0


__all__ = ["all_states", "counts_of"]
