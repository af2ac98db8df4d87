"""The journal: whatever moment the power goes, the table goes on where it was, and its record is whole."""

from rig import LOBBY, PLAY, SETTLED, Chip, PowerCut, Rig, hands

import journal
import sectors
from shared_rules.hints import Hints

# Deals that end after few plays.
SHORT = hands(
    "3 3 3 3 4 4 4 4 5 5 5 5 6 6 6 6 7 7 7 7 8 8 8 8 9 9 9",
    "T T T T T T T T J J J J J J J J Q Q Q Q Q Q Q Q K K K",
    "3 3 3 3 4 4 4 4 5 5 5 5 6 6 6 6 7 7 7 7 8 8 8 8 9 9 9",
    "2 2 2 2 2 2 2 2 A A A A A A A A X X x x 9 9 K K K K K",
)
HINTS = Hints()


def game_lines(lines):
    """The record without what tells of the hub rather than of the deal, in the order of ids, each once."""
    seen = {}
    for line in lines:
        if line["ev"] not in ("boot", "resumed", "ready"):
            key = (line["id"][0], line["ev"], line.get("seat"), str(sorted(line.items())[1:]))
            plain = dict(line)
            plain.pop("id")
            seen.setdefault(line["id"][0], []).append((tuple(line["id"]), plain, key))
    out = []
    for deal in sorted(seen):
        ids = set()
        for place, plain, _ in seen[deal]:
            if place not in ids:
                ids.add(place)
                out.append(plain)
    return out


def uncut():
    rig = Rig(hints=HINTS).boot().deal("bbbb", hands=SHORT, lead=3)
    rig.until("end")
    rig.until("deal")
    rig.until("play")
    return rig


def play_on(rig):
    """Until the second deal's first play."""
    while not [line for line in rig.lines if line["ev"] == "play" and line["id"][0] == 2]:
        rig.run(20)


def cut_at(op, torn):
    """The record of the deal with the power cut in that flash operation, resumed on the same flash."""
    chip = Chip()
    lines = []
    rig = Rig(chip, HINTS)
    chip.cut = op
    chip.torn = torn
    try:
        rig.boot().deal("bbbb", hands=SHORT, lead=3)
        play_on(rig)
    except PowerCut:
        pass
    assert chip.cut == 0, "the cut came too late"
    chip.cut = -1
    lines += rig.lines
    rig = Rig(chip, HINTS).boot()
    assert rig.game.phase != LOBBY or not [line for line in lines if line["ev"] == "deal"]
    if rig.game.phase == LOBBY:  # the cut came before the first deal was in the journal
        rig.test("bbbb", hands=SHORT, lead=3)
    play_on(rig)
    return lines + rig.lines


def test_a_power_cut_in_any_flash_operation_loses_nothing():
    whole = uncut()
    expected = game_lines(whole.lines)
    ops = whole.chip.ops
    assert ops > 60
    # Operations and lengths by turns: nothing done, one byte, some, all.
    for op in range(0, ops - 4, 3):
        torn = (0, 1, 4, 4096)[op // 3 % 4]
        got = game_lines(cut_at(op, torn))
        n = min(len(got), len(expected))
        assert got[:n] == expected[:n], (op, torn)
        assert n > len(expected) - 6


def test_every_length_of_a_torn_play_is_either_whole_or_as_if_it_had_not_been():
    whole = uncut()
    expected = game_lines(whole.lines)
    for op in (18, 19):
        for torn in range(9):
            got = game_lines(cut_at(op, torn))
            n = min(len(got), len(expected))
            assert got[:n] == expected[:n], (op, torn)


def test_the_table_resumes_at_the_same_turn_with_hands_trustees_and_totals():
    chip = Chip()
    rig = Rig(chip).boot().deal("hbbb", lead=1)
    rig.until("warning", 400000)
    rig.until("turn", seat=2)
    rig.press(0, "trustee")
    rig.until("turn", seat=0)
    again = Rig(chip).boot()
    assert again.lines[0]["ev"] == "boot"
    assert again.lines[1] == {"ev": "resumed", "id": again.lines[1]["id"], "n": 1, "turn": rig.game.table.turn}
    a, b = rig.game, again.game
    assert again.game.phase == PLAY
    assert a.table.turn == b.table.turn and a.table.meld == b.table.meld and a.table.owner == b.table.owner
    for s in range(4):
        assert bytes(a.table.cards[s]) == bytes(b.table.cards[s])
        assert bytes(a.table.events[s]) == bytes(b.table.events[s])
        assert a.table.last[s] == b.table.last[s]
        x, y = a.seats[s], b.seats[s]
        assert (x.trustee, x.warnings, x.kind, x.total, x.lang, x.name) == (
            y.trustee,
            y.warnings,
            y.kind,
            y.total,
            y.lang,
            y.name,
        )
    assert again.game.test


def test_ids_go_on_after_a_power_cut():
    chip = Chip()
    rig = Rig(chip).boot().deal("bbbb")
    rig.run(5000)
    last = rig.lines[-1]["id"]
    again = Rig(chip).boot()
    assert again.lines[0]["id"] == [last[0], last[1] + 1]


def test_a_settlement_is_still_there_after_a_power_cut_and_its_totals_too():
    chip = Chip()
    rig = Rig(chip).boot()
    rig.press(0, "play")
    end = rig.until("end", 4000000)
    again = Rig(chip).boot()
    assert again.game.phase == SETTLED
    assert [seat.total for seat in again.game.seats] == end["totals"]
    again.run(40000)  # nobody is there any more
    assert again.game.phase == LOBBY
    third = Rig(chip).boot()
    third.run(40000)
    third.press(0, "down")  # the person's seat is the computer's in the lobby
    assert [seat.total for seat in third.game.seats] == end["totals"]


def test_a_test_that_goes_on_with_its_next_seed_after_a_cut_is_the_same_test():
    import hashlib

    chip = Chip()
    whole = Rig(chip).boot().deal("bbbb")
    first = whole.until("end")
    whole.until("end")
    chip = Chip()
    rig = Rig(chip).boot().deal("bbbb")
    rig.until("end")
    again = Rig(chip).boot()
    seed = bytes([int(first["seed"][i : i + 2], 16) for i in range(0, 64, 2)])
    again.test("bbbb", seed=hashlib.sha256(seed).digest())
    again.until("end")
    assert game_lines(rig.lines + again.lines) == game_lines(whole.lines)


def test_a_deal_needs_no_erase_after_it_has_begun():
    rig = Rig().boot().deal("bbbb")
    before = len(rig.chip.erased)
    while rig.game.phase == PLAY:
        rig.run(20)
    assert len(rig.chip.erased) == before
    rig.until("deal")
    assert len(rig.chip.erased) == before + 1


def test_the_ring_uses_its_sectors_in_turn_and_never_the_slots():
    chip = Chip(6)
    rig = Rig(chip).boot().deal("bbbb", hands=SHORT, lead=3)
    for _ in range(7):
        rig.until("end")
    assert set(chip.erased) == {0, 1, 2, 3}
    erased = chip.erased
    for i in range(len(erased) - 1):
        assert erased[i + 1] == (erased[i] + 1) % 4
    again = Rig(chip).boot()
    assert again.game.deal_no == rig.game.deal_no


def test_without_a_journal_the_deal_is_played_all_the_same_and_the_fault_is_told_once():
    rig = Rig(Chip(0)).boot().deal("bbbb")
    rig.until("end")
    assert [line["what"] for line in rig.events("fault")] == ["journal"]
    assert not rig.game.saving


def test_a_flash_that_fails_in_a_deal_is_told_and_the_deal_goes_on():
    rig = Rig().boot().deal("bbbb")
    rig.run(3000)
    rig.chip.broken = True
    assert rig.until("end")
    assert [line["what"] for line in rig.events("fault")] == ["journal"]
    assert rig.until("end", 400000)


def test_refusals_without_end_leave_room_for_the_deal():
    rig = Rig().boot().deal("hbbb", lead=0, turn_seconds=0)
    for _ in range(1200):
        rig.game.key(0, 6, rig.game.turn_no, rig.now)
        rig.run(20)
    told = len(rig.events("refused"))
    assert 300 < told < 1200
    assert [line["what"] for line in rig.events("fault")] == ["journal-full"]
    rig.press(0, "trustee")
    end = rig.until("end")
    again = Rig(rig.chip).boot()
    assert again.game.phase == SETTLED
    assert [seat.total for seat in again.game.seats] == end["totals"]


def test_an_entry_that_is_damaged_is_skipped():
    chip = Chip()
    rig = Rig(chip).boot().deal("bbbb")
    rig.run(3000)
    book = rig.game.journal
    reader = sectors.Reader(chip, book.sector)
    kinds = []
    offsets = []
    kind = reader.next()
    while kind:
        kinds.append(kind)
        offsets.append(reader.offset)
        kind = reader.next()
    assert kinds[0] == journal.START
    assert journal.PLAY in kinds
    chip.memory[book.sector][offsets[-1]] = 0x2F  # a tag, and nothing behind it
    reader = sectors.Reader(chip, book.sector)
    again = []
    kind = reader.next()
    while kind:
        again.append(kind)
        kind = reader.next()
    assert again == kinds
    assert reader.offset == offsets[-1] + 4


def test_a_torn_header_counts_as_no_deal():
    chip = Chip()
    rig = Rig(chip).boot().deal("bbbb", hands=SHORT, lead=3)
    rig.until("deal")
    sector = rig.game.journal.sector
    for i in range(100, 256):
        chip.memory[sector][i] = 255
    again = Rig(chip).boot()
    assert again.game.deal_no == 1
    assert again.game.phase == SETTLED


def repeated(rig, deal, k):
    """Lines that the hub repeats behind an id, and its answer."""
    import json

    from repeat import Repeat

    out = []
    repeat = Repeat(rig.game.journal, out.append, deal, k)
    while not repeat.step():
        pass
    return out[:-1], json.loads(out[-1])


def test_the_record_is_repeated_to_the_byte():
    rig = Rig().boot().deal("hbbb", turn_seconds=30)
    rig.press(0, "play", "pass")
    rig.game.pad(2, False, rig.now)
    rig.until("end", 4000000)
    rig.until("play", 4000000)
    lines, answer = repeated(rig, 0, -1)
    assert lines == rig.texts
    assert answer == {"re": "since", "ok": True, "lines": len(rig.texts)}
    k = rig.lines[40]["id"]
    lines, _ = repeated(rig, k[0], k[1])
    assert lines == rig.texts[41:]


def test_a_journal_that_has_gone_round_repeats_what_it_still_holds():
    rig = Rig(Chip(6)).boot().deal("bbbb", hands=SHORT, lead=3)
    for _ in range(6):
        rig.until("end")
    lines, _ = repeated(rig, 0, -1)
    assert lines == rig.texts[-len(lines) :]
    assert '"id":[4,0]' in lines[0]


def test_many_boots_in_the_lobby_go_on_in_fresh_sectors():
    chip = Chip()
    rig = Rig(chip, HINTS).boot()
    for i in range(880):
        rig.game.say(journal.PAD, i & 3, i >> 2 & 1)
    for _ in range(60):
        rig = Rig(chip, HINTS).boot()
    assert rig.game.phase == LOBBY
    assert chip.erased == [0, 1]
    assert rig.lines[-1]["id"] == [0, 880 + 60]


def test_settings_survive_a_cut_in_every_operation_of_their_saving():
    import players
    import settings as layout

    for op in range(8):
        for torn in (0, 1, 100, 4096):
            chip = Chip()
            kept = players.load(chip)
            kept.put(layout.BRIGHTNESS, 33)
            assert players.save(kept, 5)
            kept.put(layout.BRIGHTNESS, 44)
            chip.cut = op
            chip.torn = torn
            try:
                players.save(kept, 6)
            except PowerCut:
                pass
            chip.cut = -1
            again = players.load(chip)
            assert again.get(layout.BRIGHTNESS) in (33, 44)
            assert again.get(layout.VOLUME) == 60


def test_a_damaged_slot_is_told_and_the_other_one_used():
    import players
    import settings as layout

    chip = Chip()
    kept = players.load(chip)
    kept.put(layout.BRIGHTNESS, 33)
    players.save(kept, 1)
    kept.put(layout.BRIGHTNESS, 44)
    players.save(kept, 2)
    chip.memory[chip.sectors - 2 + 1][60] ^= 4
    again = players.load(chip)
    other = players.load(chip)
    assert {again.get(layout.BRIGHTNESS), other.get(layout.BRIGHTNESS)} <= {33, 44}
    assert again.damaged or chip.memory[chip.sectors - 1][60] == 255
