"""What is painted bit by bit is what a screen painted from nothing shows, whatever happens and in whatever order."""

import random

import pytest
from stage import DEALING, LAST_TRICK, PLAY, ROOT, SETTLED, Game, Panel, counts_of
from states import dress

from screen.canvas import Canvas
from screen.seat import SeatScreen
from shared_rules import cards, deal, meld

CANVAS = Canvas(str(ROOT / "firmware" / "screen" / "type.bin"))


def fresh(game, seat):
    """The pixels of a screen painted from nothing."""
    panel = Panel()
    screen = SeatScreen(panel, game, game.seats[seat], CANVAS)
    screen.mark()
    while screen.paint():
        pass
    return bytes(panel.pixels)


def difference(a, b):
    """Box of the pixels that differ, for the message."""
    wrong = [i // 2 for i in range(0, len(a), 2) if a[i : i + 2] != b[i : i + 2]]
    if not wrong:
        return None
    xs, ys = [w % 320 for w in wrong], [w // 320 for w in wrong]
    return min(xs), min(ys), max(xs), max(ys), len(wrong)


def a_game(rng):
    game = Game()
    game.turn_ms, game.turn_left_ms = 30000, 30000
    d = deal.shuffle(rng.randbytes(32))
    hands = [" ".join(cards.text(d.deck[4 * i + s]) for i in range(27)) for s in range(4)]
    game.deal(hands, rng.randrange(4))
    return dress(game, rng.randrange(3), rng.randrange(2))


def play_on(game, rng):
    """The seat whose turn it is plays something, or passes."""
    table = game.table
    s = table.turn
    if table.meld and rng.random() < 0.6:
        table.pass_(s)
    else:
        raised = counts_of("")
        ranks = [r for r in range(15) if table.counts[s][r]]
        for _ in range(20):
            r = rng.choice(ranks)
            raised = bytearray(16)
            raised[r] = raised[15] = rng.randint(1, table.counts[s][r])
            m = table.judge(s, raised)
            if m > 0:
                table.play(s, raised, m)
                break
        else:
            if not table.meld:
                return
            table.pass_(s)
    game.big = None
    if table.meld >= 7 << 17 and rng.random() < 0.7:
        game.show_big()
    for seat in game.seats:
        seat.raised[:] = bytes(16)
        seat.choices, seat.refusal = [], None
    if table.ended:
        game.phase = LAST_TRICK
    game.refresh()


def happen(game, rng):
    """Something happens at the table."""
    seat = game.seats[rng.randrange(4)]
    what = rng.randrange(14)
    table = game.table
    if what < 3 and not table.ended:
        play_on(game, rng)
    elif what < 6 and seat.n_order:
        seat.cursor = (seat.cursor + rng.choice((-1, 1))) % seat.n_order
    elif what < 9 and seat.n_order and not seat.choices:
        r = seat.order[max(seat.cursor, 0)]
        seat.raised[r] = rng.randint(0, table.counts[seat.index][r])
        seat.raised[15] = sum(seat.raised[:15])
        seat.refusal = None
        game.refresh()
    elif what == 9:
        seat.refusal = rng.choice((None, (-2, meld.parse("single:4"), meld.parse("single:9")), (-1, 0, 0)))
    elif what == 10:
        game.turn_left_ms = max(0, game.turn_left_ms - 1000 * rng.randrange(9)) or 30000
    elif what == 11:
        seat.trustee = not seat.trustee
        seat.pad_present = rng.random() < 0.7
    elif what == 12:
        seat.notice = rng.randrange(14)
    elif rng.random() < 0.3:
        seat.layout ^= 1
    elif rng.random() < 0.3:
        seat.hidden = not seat.hidden
    elif rng.random() < 0.2:
        seat.lang = rng.randrange(3)


@pytest.mark.parametrize("seed", range(4))
def test_painting_bit_by_bit_ends_like_painting_from_nothing(seed):
    rng = random.Random(seed)
    game = a_game(rng)
    panels = [Panel() for _ in range(4)]
    screens = [SeatScreen(p, game, s, CANVAS) for p, s in zip(panels, game.seats)]
    for step in range(84):
        happen(game, rng)
        for screen in screens:
            screen.mark()
            for _ in range(rng.randrange(6)):  # the next thing happens before all is painted
                screen.paint()
        if step % 6 == 5:
            for i, screen in enumerate(screens):
                screen.mark()
                while screen.paint():
                    pass
                wrong = difference(bytes(panels[i].pixels), fresh(game, i))
                assert wrong is None, f"step {step}, seat {i}"
        if game.table.ended and rng.random() < 0.2:
            break


def test_a_deal_and_its_settlement_take_turns_with_the_lobby():
    rng = random.Random(1)
    game = a_game(rng)
    panel = Panel()
    screen = SeatScreen(panel, game, game.seats[0], CANVAS)
    from states import settled

    end = settled()
    playing = game.table
    for phase in (DEALING, PLAY, SETTLED, 0, DEALING, PLAY):
        game.phase = phase
        game.table = end.table if phase == SETTLED else playing
        game.settlement = end.settlement
        screen.mark()
        while screen.paint():
            pass
        wrong = difference(bytes(panel.pixels), fresh(game, 0))
        assert wrong is None, f"phase {phase}"


def test_a_pad_that_goes_while_the_trustee_plays_is_told_at_once():
    game = a_game(random.Random(2))
    seat = game.seats[(game.table.turn + 1) & 3]
    seat.trustee = True
    panel = Panel()
    screen = SeatScreen(panel, game, seat, CANVAS)
    for present in (True, False, True):
        seat.pad_present = present
        screen.mark()
        while screen.paint():
            pass
        assert difference(bytes(panel.pixels), fresh(game, seat.index)) is None
