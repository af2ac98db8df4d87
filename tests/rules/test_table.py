"""The trick machine: turns, tricks, going out, refusals, history (RULES.md section 6, CONFORMANCE.md)."""

from array import array

from shared_rules import cards, deal, hints, meld, rulesets, table


def counts(text):
    """bytearray(16) of a text of ranks without spaces."""
    found = bytearray(16)
    for letter in text:
        found[cards.RANKS.find(letter)] += 1
        found[15] += 1
    return found


def begin(rules, lead, *hands):
    """A table with four hands, texts of ranks; suits from the lowest on."""
    used = bytearray(14)
    codes = [[cards.place(cards.read(letter), used) for letter in hand] for hand in hands]
    t = table.Table(rulesets.get(rules))
    t.begin(codes, lead)
    return t


def play(t, text, reading=""):
    """The seat whose turn it is plays a text of ranks, "" for a pass. Returns the text of the meld or of the fault."""
    if not text:
        code = t.judge_pass()
        if code == 0:
            t.pass_(t.turn)
        return table.CODES[-code]
    m = t.judge(t.turn, counts(text), meld.parse(reading) if reading else 0)
    if m < 0:
        return table.CODES[-m]
    t.play(t.turn, counts(text), m)
    return meld.text(m)


def test_turns_go_round_and_the_winner_of_a_trick_leads():
    t = begin("wenzhou", 1, "37", "48", "59", "6T")
    assert play(t, "4") == "single:4"
    assert (t.turn, t.owner, meld.text(t.meld)) == (2, 1, "single:4")
    assert play(t, "5") == "single:5"
    for _ in range(3):
        assert play(t, "") == ""
    assert (t.turn, t.meld, t.owner) == (2, 0, -1)


def test_a_pass_binds_nobody():
    t = begin("wenzhou", 0, "38", "49", "57", "6T")
    for text in ("3", "", "5", "6"):
        play(t, text)
    play(t, "8")
    assert play(t, "9") == "single:9"  # passed before


def test_a_lead_cannot_be_passed():
    t = begin("wenzhou", 0, "38", "49", "57", "6T")
    assert play(t, "") == "must-lead"
    assert t.judge_pass() == table.MUST_LEAD


def test_the_partner_leads_when_the_winner_has_gone_out():
    t = begin("wenzhou", 0, "A", "44", "55", "66")
    play(t, "A")
    assert list(t.out) == [0]
    for seat in (1, 2, 3):
        assert t.turn == seat
        play(t, "")
    assert (t.turn, t.meld) == (2, 0)


def test_a_play_on_the_last_card_of_one_who_went_out_takes_the_trick():
    t = begin("wenzhou", 0, "7", "48", "55", "66")
    play(t, "7")
    play(t, "8")
    play(t, "")
    play(t, "")
    assert (t.turn, t.meld) == (1, 0)


def test_the_deal_ends_at_once_when_a_team_is_out():
    t = begin("wenzhou", 0, "3", "48", "9", "66")
    play(t, "3")
    play(t, "4")
    play(t, "9")
    assert t.ended
    assert (t.turn, list(t.out)) == (-1, [0, 2])
    assert meld.text(t.meld) == "single:9"
    assert t.judge(1, counts("8")) == table.ENDED
    assert t.judge_pass() == table.ENDED


def test_the_first_fault_of_a_play_is_told():
    t = begin("wenzhou", 0, "344xx", "66", "77", "88")
    for text, reading, answer in (
        ("9", "", "not-held"),
        ("34", "", "no-meld"),
        ("44", "triple:4", "not-offered"),
        ("344xx", "", "no-meld"),
        ("44xx", "bomb4:4", "bomb4:4"),
    ):
        assert play(t, text, reading) == answer, text
    assert play(t, "66") == "does-not-beat"
    assert play(t, "6", "pair:6") == "not-offered"


def test_following_takes_the_last_reading_that_beats_and_leading_the_first():
    for lead, first, then in (("4", "bomb5:5", ""), ("45678", "", "straight5:9")):
        t = begin("wenzhou", 0, "45678", "5xxXX3", "33", "44")
        play(t, lead)
        if first:
            for _ in range(3):
                play(t, "")
            play(t, "5")
            t = begin("wenzhou", 1, "45678", "5xxXX3", "33", "44")
            assert play(t, "5xxXX") == first
        else:
            assert play(t, "5xxXX") == then


def test_a_chosen_reading_is_kept():
    t = begin("wenzhou", 0, "567xxX3", "33", "44", "55")
    out = array("i", [0] * 8)
    assert [meld.text(out[i]) for i in range(t.readings(counts("567xxX"), out))] == ["straight6:T", "pairs3:7"]
    assert play(t, "567xxX", "pairs3:7") == "pairs3:7"
    assert t.reading == 1


def test_the_lowest_suits_go_first_and_the_last_play_is_shown_from_high_to_low():
    t = table.Table(rulesets.get("wenzhou"))
    hand = [52, 3, 2, 54 + 2, 4, 8, 12, 16, 20]  # small joker, 3s 3h 3h, 4d-8d
    t.begin([hand, [40], [41], [42]], 0)
    mask = t.mask_for(0, counts("33"))
    assert mask == 1 << 0 | 1 << 8  # 3h of both decks: the codes 2 and 56 of 2 3 4 8 12 16 20 52 56
    assert t.play(0, counts("33"), meld.parse("pair:3")) == mask
    assert [cards.text(t.shown[i]) for i in range(t.n_shown)] == ["3h", "3h"]
    for _ in range(3):
        t.pass_(t.turn)
    t.play(0, counts("45678x"), meld.parse("straight6:9"))
    assert [cards.text(t.shown[i]) for i in range(t.n_shown)] == ["x", "8d", "7d", "6d", "5d", "4d"]


def test_what_seats_did_since_the_trick_began():
    t = begin("wenzhou", 0, "38", "49", "57", "6T")
    play(t, "3")
    play(t, "")
    play(t, "5")
    assert list(t.last) == [meld.parse("single:3"), table.PASSED, meld.parse("single:5"), 0]
    for _ in range(3):
        play(t, "")
    assert list(t.last) == [0, 0, 0, 0]
    assert list(t.turns) == [2, 2, 1, 1]


def test_a_history_of_four_bytes_a_play_gives_the_same_deal_again():
    think = hints.Hints()
    out = bytearray(16)
    for n, id in enumerate(rulesets.RULE_SETS):
        rules = rulesets.get(id)
        hands = deal.shuffle(bytes([n] * 32)).hands()
        t = table.Table(rules)
        t.begin(hands, n % 4)
        turns = 0
        while not t.ended:
            turns += 1
            think.start(rules, t.counts[t.turn], t.meld)
            while not think.work():
                pass
            m = think.next(out)
            for _ in range(turns % 5):  # not the first hint only: jokers and bombs too
                m = think.next(out) or m
            if m:
                t.play(t.turn, out, m)
            else:
                t.pass_(t.turn)
        again = table.Table(rules)
        again.begin(hands, n % 4)
        assert again.replay(t.history, t.n_plays) == t.n_plays, id
        for name in ("meld", "owner", "turn", "ended", "out", "shown", "n_plays", "reading"):
            assert getattr(again, name) == getattr(t, name), (id, name)
        for name in ("counts", "cards", "events"):
            for s in range(4):
                assert getattr(again, name)[s] == getattr(t, name)[s], (id, name, s)


def test_a_broken_history_is_played_as_far_as_it_is_legal():
    t = begin("wenzhou", 0, "38", "49", "57", "6T")
    for text in ("3", "4", "5"):
        play(t, text)
    for byte, value in ((4, 0), (4, 255), (7, 3 << 6), (0, 0), (3, 1 << 3)):
        history = bytearray(t.history)
        history[byte] = value
        again = begin("wenzhou", 0, "38", "49", "57", "6T")
        assert again.replay(history, 3) == byte // 4, (byte, value)
    assert t.read_mask(3, 0, 0) == table.NO_MELD
    assert t.read_mask(3, 4, 0) == table.NOT_HELD
