"""How the normal bot and the trustee (託管) play."""

from shared_rules import bot, cards, deal, hints, meld, rulesets, table

B = bot.Bot(hints.Hints())
OUT = bytearray(16)


def begin(lead, *hands):
    """A table with four hands, texts of ranks."""
    used = bytearray(14)
    codes = [[cards.place(cards.read(letter), used) for letter in hand] for hand in hands]
    t = table.Table(rulesets.get("wenzhou"))
    t.begin(codes, lead)
    return t


def answer(t, simple=False):
    """What the seat whose turn it is does: text of a meld, "" for a pass."""
    B.start(t, t.turn, simple)
    while not B.work():
        pass
    return meld.text(B.choose(OUT))


def put(t, text):
    """The seat whose turn it is plays a meld of natural cards."""
    m = meld.parse(text)
    raised = bytearray(16)
    for r in range(meld.top(m) - meld.ranks(m) + 1, meld.top(m) + 1):
        raised[r] = meld.smallest(m)
    raised[15] = meld.size(m)
    assert t.judge(t.turn, raised, m) == m, text
    t.play(t.turn, raised, m)


def test_it_goes_out_when_it_can():
    for hand, led, expected in (
        ("34567", "", "straight5:7"),
        ("5xxXX", "", "bomb5:5"),
        ("99", "pair:8", "pair:9"),
        ("9999", "pair:8", "bomb4:9"),
    ):
        for simple in (False, True):
            t = begin(0, hand, "44", "66", "88")
            if led:
                t = begin(3, hand, "44", "66", "88333")
                put(t, led)
            assert answer(t, simple) == expected, (hand, led)


def test_it_never_passes_a_lead():
    for hand in ("3456789", "xX3", "33335", "22xxXX3", "3579JKA"):
        for simple in (False, True):
            assert answer(begin(0, hand, "44", "66", "88"), simple), hand


def test_it_leaves_the_trick_to_the_partner():
    for simple in (False, True):
        t = begin(2, "5QQ2", "433", "K6677", "88A")
        put(t, "single:K")
        t.pass_(3)
        assert answer(t, simple) == ""
        t = begin(2, "4444QQ2", "433", "T6677", "88A")
        put(t, "single:T")
        t.pass_(3)
        assert answer(t, simple) == ""


def test_it_does_not_bomb_a_small_play_early():
    for simple in (False, True):
        t = begin(3, "3333469TQA5558", "433446688TJJQQKK", "66", "778899TTJJQQKKA")
        put(t, "pair:K")
        assert answer(t, simple) == "", simple


def test_it_bombs_a_hand_that_is_nearly_out():
    for simple in (False, True):
        t = begin(3, "3333469TQA5558", "433446688TJJQQKK", "66", "77KK")
        put(t, "pair:K")
        assert answer(t, simple)[:5] == "bomb4", simple


def test_it_keeps_singles_from_an_opponent_with_one_card():
    t = begin(0, "3779", "4", "66", "88TT")
    assert answer(t) == "pair:7"


def test_it_sees_only_its_own_hand():
    hands = deal.shuffle(bytes([3] * 32)).hands()
    others = sorted(list(hands[1]) + list(hands[2]) + list(hands[3]))
    t = begin(0, "3", "3", "3", "3")
    t.begin(hands, 0)
    first = answer(t)
    for step in (1, 4):
        # the others' cards dealt to them in another way
        t.begin([hands[0]] + [[others[(i * 27 + k) * step % 81] for k in range(27)] for i in range(3)], 0)
        assert answer(t) == first
