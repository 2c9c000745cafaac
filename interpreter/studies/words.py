"""What the numbers of a study say, in plain words made by rule: what is shown, what is not, and what cannot be.

*Shown* is a difference whose test stands after all tests of the study are counted
(false discoveries at 5 %, Benjamini and Hochberg). Where none is shown the interval says
how large it could still be. *Small*, *middling* and *large* are Cohen's words for 0.2,
0.5 and 0.8 standard deviations of single games (J. Cohen, Statistical Power Analysis,
1988); what that means for a game is for a reader to judge.

One room: every sentence of a report that depends on its numbers.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from interpreter.studies.types import READING, RULESET

LEVEL = 0.05
SIZES = ((0.8, "large"), (0.5, "middling"), (0.2, "small"), (0.0, "very small"))
FEW = 30
"""Of fewer pairs no test is believed."""
NEVER_ASKED = "it was not watched"

MEASURED = {
    "first_side": ("first-side", "what the side that begins scores", " %-points", 100.0, 1),
    "decisiveness": ("decisiveness", "the share of games that somebody wins", " %-points", 100.0, 1),
    "length": ("length", "the length of a game", " turns", 1.0, 1),
    "branching": ("branching", "the number of choices", "", 1.0, 2),
    "points": ("points", "what a won game counts", " points", 1.0, 2),
}
"""By the name of a measure: its name in a study's file, what it is, its unit, a factor, decimals."""


def number(value: float | None, decimals: int = 1, signed: bool = False) -> str:
    """``1,234.5``, ``−0.3``, ``+2.0``; a dash for nothing."""
    if value is None:
        return "–"
    text = f"{abs(value):,.{decimals}f}"
    if not any(c in "123456789" for c in text):
        return text
    return ("−" if value < 0 else "+" if signed else "") + text


def span(interval: list[float | None] | None, factor: float = 1.0, decimals: int = 1, signed: bool = False) -> str:
    """``−1.2 to +0.4``; an end that is not known is left open."""
    if interval is None:
        return "not known"
    low, high = (None if end is None else end * factor for end in interval)
    return f"{number(low, decimals, signed)} to {number(high, decimals, signed) if high is not None else '…'}"


def percent(found: dict[str, Any], decimals: int = 1) -> str:
    """``98.5 % (97.9 to 99.0)`` of a share; a very rare thing, or a very common one, with more places."""
    if found["share"] is None:
        return "–"
    if 0 < min(found["share"], 1 - found["share"]) < 0.001:
        decimals += 2
    return f"{number(100 * found['share'], decimals)} % ({span(found['interval'], 100, decimals)})"


def is_shown(found: dict[str, Any]) -> bool:
    """Does a difference stand after all tests are counted?"""
    return found.get("q") is not None and found["q"] < LEVEL and found["n"] >= 3 and bool(found["difference"])


def told(summary: dict[str, Any]) -> list[str]:
    """The measures that this study tells of, as they are called in its numbers."""
    return [name for name, (asked, *_) in MEASURED.items() if asked in summary["measures"] and _varies(summary, name)]


def _varies(summary: dict[str, Any], name: str) -> bool:
    """Points that are the same in all games are no measure."""
    if name != "points":
        return True
    means = {f["points"]["mean"] for cell in summary["cells"] for f in cell["players"].values()}
    spread = any(f["points"]["deviation"] for cell in summary["cells"] for f in cell["players"].values())
    return spread or len(means - {None}) > 1


# ---- one dispute -------------------------------------------------------------------------------------


def dispute(summary: dict[str, Any], found: dict[str, Any]) -> Iterator[str]:
    """A paragraph for each value that is compared, and one that sums up."""
    for entry in found["comparisons"]:
        yield f"**{changed(found['axis'], entry)}**{_where(summary, entry)}"
        for name, players in entry["players"].items():
            yield f"- *{name}*: {' '.join(_sentences(summary, players))}"
    yield verdict(summary, found)


def changed(axis: str, entry: dict[str, Any]) -> str:
    """``one`` in place of ``other``."""
    if axis == RULESET:
        return f"`{entry['b']}` in place of `{entry['a']}`"
    if axis == READING and not entry["from"]:
        return f"`{entry['value']}` in place of the rules as shipped"
    return f"`{entry['value']}`" + (f" in place of `{entry['from']}`" if entry["from"] else "")


def _where(summary: dict[str, Any], entry: dict[str, Any]) -> str:
    """Where both cells stand along the other crossed axes, if there are any."""
    cell = next(cell for cell in summary["cells"] if cell["name"] == entry["a"])
    other = next(cell for cell in summary["cells"] if cell["name"] == entry["b"])
    rest = [f"`{k}={v}`" for k, v in cell["place"].items() if other["place"].get(k) == v]
    if len(summary["rulesets"]) > 1 and cell["ruleset"] == other["ruleset"]:
        rest = [f"`{cell['ruleset']}`", *rest]
    return f", with {' and '.join(rest)}" if rest else ""


def _sentences(summary: dict[str, Any], found: dict[str, Any]) -> Iterator[str]:
    if not found["pairs"]:
        yield "No game was played in both."
        return
    yield mattered(found["mattered"])
    unlike = found["unlike"]
    yield f"On the same seed {percent(unlike)} of {unlike['of']:,} games went otherwise."
    if not unlike["count"]:
        yield "So nothing else differs either."
        return
    shown = [name for name in told(summary) if is_shown(found["measures"][name])]
    for name in shown:
        yield difference(name, found["measures"][name]) + "."
    rest = [name for name in told(summary) if name not in shown and found["measures"][name]["interval"] is not None]
    if rest:
        yield "Not shown: " + "; ".join(not_shown(name, found["measures"][name]) for name in rest) + "."
    if found["pairs"] < FEW:
        yield f"Of {found['pairs']} games little can be said."


def mattered(found: dict[str, Any] | None) -> str:
    """In how many games, at how many decisions and when first a dispute mattered."""
    if found is None or not found["games"]["of"]:
        return f"How often it mattered is not known: {NEVER_ASKED}."
    games, of = found["games"]["count"], found["games"]["of"]
    if not games:
        high = number(100 * found["games"]["interval"][1])
        return f"It mattered in none of {of} games that were watched (so in no more than {high} % of all such games)."
    when = "" if found["first"] is None else f", first in turn {number(found['first'], 0)} (median)"
    at_once = " They part at once, so nothing later is seen." if found["decisions"] == of else ""
    share = span(found["games"]["interval"], 100)
    return f"It mattered in {games} of {of} games that were watched ({share} %){when}.{at_once}"


def difference(name: str, found: dict[str, Any]) -> str:
    """A difference that is shown, with its interval and its size."""
    _, what, unit, factor, decimals = MEASURED[name]
    value = factor * found["difference"]
    while decimals < 4 and not round(abs(value), decimals):
        decimals += 1
    # choices are compared by blocks of games, whose deviations say nothing of single games
    large = f"; {size(found)}" if name != "branching" else ""
    return (
        f"{what[0].upper()}{what[1:]} {'rises' if value > 0 else 'falls'} by {number(abs(value), decimals)}{unit} "
        f"({span(found['interval'], factor, decimals, signed=True)}{large})"
    )


def not_shown(name: str, found: dict[str, Any]) -> str:
    """How large a difference could still be that is not shown."""
    _, what, unit, factor, decimals = MEASURED[name]
    if found["interval"][0] == found["interval"][1] == 0:
        return f"{what} (the same in every pair)"
    least = 10.0**-decimals
    if max(abs(factor * end) for end in found["interval"]) < least:
        return f"{what} (less than {number(least, decimals)}{unit} either way)"
    return f"{what} ({span(found['interval'], factor, decimals, signed=True)}{unit})"


def size(found: dict[str, Any]) -> str:
    """Cohen's word for a difference."""
    if found["effect"] is None:
        return "a change where there was none before"
    return next(word for least, word in SIZES if abs(found["effect"]) >= least)


def largest(summary: dict[str, Any], found: dict[str, Any], players: str) -> tuple[float, str, str] | None:
    """The largest effect that is shown along a dispute: its size, the measure, the value."""
    effects = [
        (abs(measure["effect"]), name, entry["value"])
        for entry in found["comparisons"]
        for name in told(summary)
        if name != "branching"
        and (measure := entry["players"][players]["measures"][name])["effect"] is not None
        and is_shown(measure)
    ]
    return max(effects, default=None)


def verdict(summary: dict[str, Any], found: dict[str, Any]) -> str:
    """What the figures of one dispute can show, and what not."""
    said: list[str] = []
    best: dict[str, tuple[float, str, str] | None] = {}
    for group in summary["players"]:
        name = group["name"]
        best[name] = largest(summary, found, name)
        rows = [entry["players"][name]["mattered"] for entry in found["comparisons"]]
        seen = [row for row in rows if row is not None and row["games"]["of"]]
        if best[name] is None:
            words = f"between *{name}* players no difference in results or lengths is shown"
            if seen and not any(row["games"]["count"] for row in seen):
                unlike = [entry["players"][name]["unlike"] for entry in found["comparisons"]]
                most = max(unlike, key=lambda row: row["share"] or 0.0)
                if most["count"]:
                    words += f", and the dispute hardly came up ({percent(most)} of games went otherwise at most)"
                else:
                    words += ", and the dispute never came up"
            elif seen:
                words += ", though the dispute came up"
        else:
            effect, measure, value = best[name]  # type: ignore[misc]
            word = next(word for least, word in SIZES if effect >= least)
            words = f"between *{name}* players the largest effect is {word}: `{value}` on {MEASURED[measure][1]}"
        said.append(words)
    text = "In short: " + "; ".join(said) + "."
    if len(best) > 1:
        drawn = [best[g["name"]] for g in summary["players"] if g["random"]]
        searched = [best[g["name"]] for g in summary["players"] if g["searches"]]
        if drawn and searched and drawn[0] is not None and not any(searched):
            text += (
                " What random games show, the games of searching players do not confirm; they are far fewer, and that"
                " may be all."
            )
        elif drawn and searched and drawn[0] is None and any(searched):
            text += " It takes players who look ahead to make something of it."
    return text


# ---- the whole ---------------------------------------------------------------------------------------------


def limits(summary: dict[str, Any]) -> Iterator[str]:
    """What these figures can and cannot show, for this study."""
    groups = summary["players"]
    if any(group["random"] for group in groups):
        yield (
            "**Random players** want nothing. Their games show what the rules allow, and how often a rule comes up"
            " where nobody looks for it or avoids it: not how people play, and not what good play would come to."
        )
    for group in groups:
        if group["searches"]:
            halves = sorted(_halves(summary, group["name"]))
            reach = ""
            if halves:
                reach = " Half of the intervals for what the side that begins scores reach"
                reach += (
                    f" {number(halves[len(halves) // 2])} %-points or more to either side: smaller differences escape."
                )
            yield (
                f"**{group['name']}** sees further than chance, and far less than a practised player: what it makes of"
                f" a rule is a hint. It played {group['games']:,} games in each cell.{reach} The games it tries out are"
                " drawn as the machine draws them fastest under the rules of a cell, by decisions or by whole turns: a"
                " part of a difference between two cells may be the player's own."
            )
        if group["timed"]:
            yield f"**{group['name']}** thinks for so long by the clock: its games cannot be repeated exactly."
    tests = summary["tests"]
    if tests:
        stands = sum(
            is_shown(entry["players"][g["name"]]["measures"][name])
            for d in summary["disputes"]
            for entry in d["comparisons"]
            for g in groups
            for name in MEASURED
        )
        yield (
            f"**Many tests.** {tests} differences were tested; by chance alone some {number(LEVEL * tests, 0)} of them"
            f" would pass at 5 %. Those called shown ({stands}) are chosen so that about one in twenty of them at most"
            " is chance (Benjamini and Hochberg, over all tests of the study). Intervals are 95 % each, by itself."
        )
    gains = sorted(
        gain
        for d in summary["disputes"]
        for entry in d["comparisons"]
        for players in entry["players"].values()
        if players["unlike"]["count"] and (gain := players["measures"]["first_side"]["gain"]) is not None
    )
    if gains:
        middle = 100 * gains[len(gains) // 2]
        helped = f"by {number(middle)} % in the median" if middle >= 1 else "hardly at all in the median"
        yield (
            "**In pairs.** Game n of every cell has the same seed: the same dice, the same draws. Two games stay"
            f" together until the rules first differ; then they are as strangers. Pairing made intervals narrower"
            f" {helped} (at best by {number(100 * gains[-1])} %)."
        )
    capped = [
        (group["name"], cell["name"], found["capped"])
        for cell in summary["cells"]
        for group in groups
        if (found := cell["players"][group["name"]])["capped"]["count"]
    ]
    if capped:
        where = ", ".join(f"{group['name']}: {group['max_turns']:,}" for group in groups)
        worst = max(capped, key=lambda row: row[2]["share"])
        yield (
            f"**Games that were cut off** at the limit of turns ({where})"
            " have no result. They are not draws; they are in no share but their own, and in lengths they count as"
            f" games that last longer. The most were {percent(worst[2])}, of *{worst[0]}* in `{worst[1]}`."
        )
    if "clauses" in summary["measures"] and summary["disputes"]:
        yield (
            "**It mattered** is said of a clause where, at some decision of a game, the legal decisions or what follows"
            " from the decision made would not be the same without this clause alone. It is said of a dispute where the"
            " same decisions, made under the other rules, meet other legal decisions or lead elsewhere; this is"
            " followed until the two games part. That a rule mattered so does not say that it decided anything."
        )
        if any(group["random"] and group["by"] == "turn" for group in groups):
            yield "Random games that are watched are drawn decision by decision, the others by whole turns."
    if summary["left_out"] or summary["given_up"]:
        count = len(summary["left_out"]) + sum(row["count"] for row in summary["given_up"])
        yield f"**Left out:** {count:,} games that could not be played to their end are missing everywhere; see below."


def _halves(summary: dict[str, Any], players: str) -> list[float]:
    """Half the width of each interval of a difference in first side's score, in per cent."""
    found = []
    for d in summary["disputes"]:
        for entry in d["comparisons"]:
            interval = entry["players"][players]["measures"]["first_side"]["interval"]
            if interval is not None:
                found.append(50 * (interval[1] - interval[0]))
    return found


__all__ = [
    "LEVEL", "MEASURED", "changed", "difference", "dispute", "is_shown", "largest", "limits", "mattered", "number",
    "percent", "size", "span", "told", "verdict",
]  # fmt: skip
