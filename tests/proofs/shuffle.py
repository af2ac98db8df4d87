"""The shuffle deals every card everywhere equally often: chi-squared over many deals; and seeds are drawn as they must.

``python tests/proofs/shuffle.py --deals 20000``; exit status 0, or 1 if a statistic is beyond its threshold.

Deals of seeds in a row (SHA-256 of a counter, as a generator without pattern would draw them) are counted:

  big jokers, small jokers   how many of the two each seat holds: cells (seat, 0-2), expected hypergeometrically
  seat of a joker            at which seat each of the four jokers lies
  twins                      whether the two cards of a rank and suit lie at one seat, all 54 pairs
  suits by seat              how many of a suit each seat holds, summed: 16 cells
  card by seat               each of 108 cards at each of 4 seats
  place in the deck          each card at each place, by thirds of the deck
  face-up card, random seat  as drawn

The threshold is the value of chi-squared that a fair shuffle exceeds once in ``--odds`` times for each statistic
(Wilson and Hilferty's approximation, good to 2 % from 3 degrees of freedom on; exact below). Cards of one deal are
drawn without putting back, which makes sums over a whole deal vary less than independent draws would: those
statistics are scaled by (n - 1) / n, as is exact for a table of a permutation.
"""

import argparse
import hashlib
import math
import statistics
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))

from shared_rules import deal

SEATS, CARDS, EACH = 4, 108, 27


def threshold(df, odds):
    """The value of chi-squared with df degrees of freedom that is exceeded once in ``odds`` times."""
    if df == 1:
        return statistics.NormalDist().inv_cdf(1 - 1 / (2 * odds)) ** 2
    if df == 2:
        return 2 * math.log(odds)
    z = statistics.NormalDist().inv_cdf(1 - 1 / odds)
    return df * (1 - 2 / (9 * df) + z * math.sqrt(2 / (9 * df))) ** 3


def p_value(x, df):
    """The probability that chi-squared with df degrees of freedom is at least x (the same approximation)."""
    if df == 1:
        return 2 * statistics.NormalDist().cdf(-math.sqrt(x))
    if df == 2:
        return math.exp(-x / 2)
    z = ((x / df) ** (1 / 3) - (1 - 2 / (9 * df))) / math.sqrt(2 / (9 * df))
    return 1 - statistics.NormalDist().cdf(z)


def chi(seen, expected):
    """Sum of (seen - expected)**2 / expected over the cells of two lists."""
    return sum((s - e) ** 2 / e for s, e in zip(seen, expected, strict=True))


def of_two(n):
    """Probabilities that a seat of 27 of 108 cards holds 0, 1, 2 of two given cards; of so many deals."""
    all_ = math.comb(CARDS, EACH)
    return [n * math.comb(2, k) * math.comb(CARDS - 2, EACH - k) / all_ for k in range(3)]


class Counts:
    """What is counted of the deals. ``one(shuffled)``: a shared_rules.deal.Deal."""

    def __init__(self):
        self.deals = 0
        self.pair = {name: [[0] * 3 for _ in range(SEATS)] for name in ("big jokers", "small jokers")}
        self.joker = [[0] * SEATS for _ in range(4)]
        self.twins = [0, 0]
        self.suit = [[0] * 4 for _ in range(SEATS)]
        self.card = [[0] * SEATS for _ in range(CARDS)]
        self.third = [[0] * 3 for _ in range(CARDS)]
        self.up = [0] * CARDS
        self.random = [0] * SEATS

    def one(self, d):
        self.deals += 1
        seat = [0] * CARDS
        for i, code in enumerate(d.deck):
            s = seat[code] = i % SEATS
            self.card[code][s] += 1
            self.third[code][i // 36] += 1
            if code % 54 < 52:
                self.suit[s][code % 54 % 4] += 1
        for i in range(54):
            self.twins[seat[i] == seat[i + 54]] += 1
        for name, code in (("small jokers", 52), ("big jokers", 53)):
            at = (seat[code], seat[code + 54])
            for s in range(SEATS):
                self.pair[name][s][at.count(s)] += 1
        for k, code in enumerate((52, 53, 106, 107)):
            self.joker[k][seat[code]] += 1
        self.up[d.face_up] += 1
        self.random[d.random_seat] += 1

    def rows(self):
        """(name, chi-squared, degrees of freedom) of each statistic."""
        n = self.deals
        rows = []
        for name, cells in self.pair.items():
            for s in range(SEATS):
                rows.append((f"{name}, seat {s}", chi(cells[s], of_two(n)), 2))
        for k, name in enumerate(("small", "big", "small twin", "big twin")):
            rows.append((f"seat of the {name} joker", chi(self.joker[k], [n / 4] * 4), 3))
        # Pairs of one deal hang together a little: the variance is that of the permutation itself.
        mean, var = 54 * 26 / 107, _twins_variance()
        rows.append(("twins at one seat", (self.twins[1] - n * mean) ** 2 / (n * var), 1))
        suits = [c for row in self.suit for c in row]
        # 26 cards of each suit, and the four jokers, which have none.
        table = [*suits, *(EACH * n - sum(row) for row in self.suit)]
        expected = [6.5 * n] * 16 + [1.0 * n] * 4
        rows.append(("suits by seat", chi(table, expected) * (CARDS - 1) / CARDS, 12))
        cells = [c for row in self.card for c in row]
        rows.append(("card by seat", chi(cells, [n / 4] * len(cells)) * (CARDS - 1) / CARDS, 107 * 3))
        cells = [c for row in self.third for c in row]
        rows.append(("third of the deck", chi(cells, [n / 3] * len(cells)) * (CARDS - 1) / CARDS, 107 * 2))
        rows.append(("face-up card", chi(self.up, [n / CARDS] * CARDS), CARDS - 1))
        rows.append(("random seat", chi(self.random, [n / 4] * 4), 3))
        return rows


def _twins_variance():
    """Variance of the number of the 54 pairs of twins that lie at one seat, exactly."""
    p = 26 / 107
    # Two pairs: both at the same seat (four of its 27), or at two different ones.
    same = SEATS * EACH * (EACH - 1) * (EACH - 2) * (EACH - 3)
    other = SEATS * (SEATS - 1) * (EACH * (EACH - 1)) ** 2
    both = (same + other) / (CARDS * (CARDS - 1) * (CARDS - 2) * (CARDS - 3))
    return 54 * p * (1 - p) + 54 * 53 * (both - p * p)


def measure(deals, first=0, shuffle=deal.shuffle, told=None):
    """Count so many deals. ``shuffle``: what is examined."""
    counts = Counts()
    for i in range(first, first + deals):
        counts.one(shuffle(hashlib.sha256(b"%d" % i).digest()))
        if told and counts.deals % 1000 == 0:
            told(counts.deals)
    return counts


def main(argv=None):
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--deals", type=int, default=20_000, metavar="N")
    parser.add_argument("--first", type=int, default=0, metavar="N", help="number of the first seed")
    parser.add_argument("--odds", type=int, default=10_000, metavar="N", help="of a false alarm (%(default)s)")
    args = parser.parse_args(argv)
    began = time.monotonic()
    counts = measure(args.deals, args.first)
    beyond = 0
    for name, x, df in counts.rows():
        limit = threshold(df, args.odds)
        beyond += x > limit
        print(f"{name:<26} chi2 {x:8.2f}  df {df:>3}  p {p_value(x, df):.4f}  limit {limit:8.2f}" + "  !" * (x > limit))
    print(f"{counts.deals} deals: {beyond} of {len(counts.rows())} beyond; {time.monotonic() - began:.0f} s")
    return 1 if beyond or not counts.deals else 0


if __name__ == "__main__":
    sys.exit(main())
