"""A player's evening by pad keys alone (``presses.py``; its command plays five deals)."""

from presses import MOST, evening


def test_a_deal_with_hints_takes_few_presses_a_card():
    player = evening(1)
    assert player.cards == 27 or player.plays
    assert player.presses / player.cards <= MOST


def test_a_deal_without_hints_every_meld_is_raised_with_arrows():
    player = evening(1, seed="7" * 64, lang="en", by_hand=True)
    assert player.plays > 5 and player.passes > 2
