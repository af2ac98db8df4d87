"""The record of play in words: what an event of the table (SIMULATOR.md) says, in the three languages.

A sentence leaves its subject out: the page puts the seat's name, or "you", in front of it. ``{0}`` to ``{3}``
inside a sentence stand for seats and are filled in by the page as well, because only it knows who is "you".
"""

import re
from itertools import groupby

from shared_rules import meld as melds
from shared_rules import why

LANGS = ("zh-Hans", "zh-Hant", "en")

# What the seed of a deal is called: it is all that one needs to deal it again.
NUMBER = ("牌号", "牌號", "deal number")

# A seat inside a sentence.
SEAT = re.compile(r"\{([0-3])\}")

RULES = {
    "wenzhou": ("千变双扣 · 温州", "千變雙扣 · 溫州", "Wenzhou"),
    "jiangzhe": ("千变双扣 · 江浙", "千變雙扣 · 江浙", "Jiangzhe"),
    "jiangzhe3": ("千变双扣 · 江浙三分", "千變雙扣 · 江浙三分", "Jiangzhe, 3-2-1"),
    "diexiang": ("千变双扣 · 叠相", "千變雙扣 · 疊相", "Diexiang"),
    "baibian": ("百变双扣", "百變雙扣", "Baibian"),
}

RESULTS = {
    "double": ("双扣", "雙扣", "double win"),
    "single": ("单扣", "單扣", "single win"),
    "level": ("平扣", "平扣", "level"),
    "broken": ("中断", "中斷", "broken off"),
}

CODES = {
    "no-meld": ("不成牌型", "不成牌型", "these cards make no meld"),
    "does-not-beat": ("压不过", "壓不過", "does not beat the table"),
    "not-held": ("没有这些牌", "沒有這些牌", "cards not held"),
    "must-lead": ("必须出牌", "必須出牌", "the leader must play"),
    "not-offered": ("没有这种牌型", "沒有這種牌型", "no such reading"),
    "ended": ("本局已结束", "本局已結束", "the deal has ended"),
}

CAUSES = {
    "bot": ("", "", ""),
    "key": ("", "", ""),
    "trustee": ("（托管）", "（託管）", " (trustee)"),
    "timeout": ("（超时）", "（逾時）", " (time-out)"),
}

PLACES = (
    ("头游", "頭游", "first out"),
    ("二游", "二游", "second out"),
    ("三游", "三游", "third out"),
    ("末游", "末游", "last"),
)

JOKERS = {"x": ("小王", "小王", "small joker"), "X": ("大王", "大王", "big joker")}
SUITS = {"d": "♦", "c": "♣", "h": "♥", "s": "♠", "": ""}


def card(text, lang):
    """One card of RULES.md's text form as a player reads it: ``Ts`` is 10♠."""
    if text[0] in JOKERS:
        return JOKERS[text[0]][lang]
    return ("10" if text[0] == "T" else text[0]) + SUITS[text[1:2]]


def cards(text, lang):
    """A list of cards, spaced; the same joker several times is counted."""
    said = []
    for word, same in groupby(text.split()):
        name, n = card(word, lang), len(list(same))
        said += [f"{name} ×{n}"] if word in JOKERS and n > 1 else [name] * n
    return " ".join(said)


def meld(text, lang):
    """The name of a meld given as text (``pairs3:8``), in a language (0-2)."""
    return why.meld_name(lang, melds.parse(text))


def signed(points):
    """A number of points with its sign; zero has none."""
    return f"{points:+d}".replace("-", "−") if points else "0"


def _deal(e, lang):
    name = RULES.get(e.get("rules"), (e.get("rules", ""),) * 3)[lang]
    lead = f"{{{e['lead']}}}" if isinstance(e.get("lead"), int) else ""
    said = (f"第 {e['n']} 局，{name}", f"第 {e['n']} 局，{name}", f"Deal {e['n']}, {name}")[lang]
    if lead:
        said += (f"，{lead} 先出", f"，{lead} 先出", f". {lead} to lead")[lang]
    if e.get("swap"):
        a, b = (f"{{{seat}}}" for seat in e["swap"][:2])
        said += (f"，{a} 与 {b} 换位", f"，{a} 與 {b} 換位", f"; {a} and {b} change places")[lang]
    return said


def _play(e, lang):
    cause = CAUSES.get(e.get("cause"), CAUSES["key"])[lang]
    left = (f"剩 {e['left']} 张", f"剩 {e['left']} 張", f"{e['left']} left")[lang]
    if not e["left"]:
        left = ("出完", "出完", "none left")[lang]
    return f"{meld(e['meld'], lang)}{cause} · {cards(e['cards'], lang)} · {left}"


def _pass(e, lang):
    return ("不要", "不要", "passed")[lang] + CAUSES.get(e.get("cause"), CAUSES["key"])[lang]


def _end(e, lang):
    result = RESULTS.get(e["result"], (e["result"],) * 3)[lang]
    points = ("，", "，", ", ")[lang].join(f"{{{seat}}} {signed(n)}" for seat, n in enumerate(e["points"]))
    return ("本局结束：", "本局結束：", "The deal ends: ")[lang] + f"{result} · {points}"


def _trustee(e, lang):
    if e["on"]:
        return ("开始托管", "開始託管", "trustee on")[lang]
    return ("取消托管", "取消託管", "trustee off")[lang]


def _warning(e, lang):
    n = e["count"]
    return (f"第 {n} 次超时", f"第 {n} 次逾時", f"time-out number {n}")[lang]


def _present(part):
    def say(e, lang):
        if e["present"]:
            return tuple(f"{part[k]}{('已接上', '已接上', ' plugged in')[k]}" for k in range(3))[lang]
        return tuple(f"{part[k]}{('已断开', '已斷開', ' unplugged')[k]}" for k in range(3))[lang]

    return say


# event: a function of (event, language 0-2). Events that are not here (turns) are shown on the table, not
# told.
SAY = {
    "boot": lambda e, lang: ("主机启动", "主機啟動", "The hub starts")[lang],
    "ready": lambda e, lang: ("就绪", "就緒", "ready")[lang],
    "deal": _deal,
    "play": _play,
    "pass": _pass,
    "refused": lambda e, lang: CODES.get(e["why"], (e["why"],) * 3)[lang],
    "trick": lambda e, lang: ("本轮最大", "本輪最大", "took the trick")[lang],
    "out": lambda e, lang: PLACES[e["place"] - 1][lang],
    "trustee": _trustee,
    "warning": _warning,
    "pad": _present(("按键板", "按鍵板", "pad")),
    "display": _present(("屏幕", "螢幕", "display")),
    "fault": lambda e, lang: ("故障", "故障", "Fault")[lang] + f": {e['what']}",
    "undo": lambda e, lang: ("收回上一手", "收回上一手", "took the last play back")[lang],
    "leave": lambda e, lang: ("离开本局", "離開本局", "left the deal")[lang],
    "end": _end,
    "resumed": lambda e, lang: (f"第 {e['n']} 局继续", f"第 {e['n']} 局繼續", f"Deal {e['n']} goes on")[lang],
}


def say(event):
    """What an event says: three sentences, or None for one that is not told or lacks what its sentence
    needs."""
    speak = SAY.get(event.get("ev"))
    if speak is None:
        return None
    try:
        return [speak(event, lang) for lang in range(len(LANGS))]
    except (KeyError, IndexError, TypeError, ValueError):
        # A newer firmware may word an event otherwise: the page then shows it without a sentence.
        return None
