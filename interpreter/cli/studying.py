"""The results of ``alfonso simulate`` as text, and its counts of clauses as plain values."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from interpreter.play.usage import Usage


def usage_answer(usage: Usage) -> dict[str, Any]:
    """How often each clause had a say, by list and id, and which never had."""
    return {
        "games": usage.games,
        "by": "decision",
        "capped": usage.capped,
        "counts": {name: dict(counts) for name, counts in usage.counts.items()},
        "never": [{"list": name, "clause": id} for name, id in usage.never],
    }


def table(answer: dict[str, Any]) -> str:
    """Everything for a reader: shares with their intervals, lengths, branching, clauses."""
    games = answer["games"]
    rows = [f"{games} games of {answer['ruleset']}, seed {answer['seed']}, by {answer['by']}"]
    if games:
        rows[0] += "; shares with 95 % intervals"
    width = max(map(len, [*answer["wins"], "capped"])) + 5
    rows.append("")
    for side, wins in answer["wins"].items():
        points = f"   {answer['points'][side]} points"
        rows.append(f"{side + ' wins':<{width}}{_share(wins, answer['shares']['wins'][side])}{points}")
    for name in ("draws", "capped"):
        rows.append(f"{name:<{width}}{_share(answer[name], answer['shares'][name])}")
    names = [f"{kind['winner'] or 'draw'} {kind['kind']}" for kind in answer["kinds"]]
    rows.append("")
    for name, kind in zip(names, answer["kinds"], strict=True):
        rows.append(f"{name:<{max(map(len, names))}}{_share(kind['games'], kind)}")
    if games:
        rows.append("" if names else "no game ended")
        rows += _distributions(answer)
    if "clauses" in answer:
        rows += ["", *_clauses(answer["clauses"])]
    return "\n".join(rows)


def _share(count: int, found: dict[str, Any]) -> str:
    if found["share"] is None:
        return f"{count:>8}"
    low, high = (100 * end for end in found["interval"])
    return f"{count:>8}  {100 * found['share']:5.1f} %  ({low:.1f} to {high:.1f})"


def _distributions(answer: dict[str, Any]) -> list[str]:
    first, rows = answer["first_side"], []
    if first["decided"]:
        low, high = (100 * end for end in first["interval"])
        rows.append(
            f"the side that began won {100 * first['share']:.1f} % of {first['decided']} decided games"
            f" ({low:.1f} to {high:.1f})"
        )
    rows.append(_distribution("turns a game", answer["turns"], "shortest", "longest"))
    if answer["branching"]["mean"] is not None:
        rows.append(_distribution(f"choices a {answer['by']}", answer["branching"], "least", "most"))
    return rows


def _distribution(what: str, found: dict[str, Any], least: str, most: str) -> str:
    deviation = "" if found["deviation"] is None else f", deviation {found['deviation']}"
    quantiles = ", ".join(f"{percent} %: {value}" for percent, value in found["quantiles"].items())
    return (
        f"{what}: mean {found['mean']}{deviation}, median {found['median']:g},"
        f" from {found[least]} to {found[most]}; {quantiles}"
    )


def _clauses(usage: dict[str, Any]) -> list[str]:
    """One line for each list of clauses, then those that never had a say."""
    rows = [f"clauses in {usage['games']} games by decision"]
    for name, counts in usage["counts"].items():
        if counts:
            said = ", ".join(f"{id} {often}" for id, often in counts.items() if often)
            rows.append(f"  {name:<8}  {said or 'none'}")
    never = ", ".join(f"{item['list']} {item['clause']}" for item in usage["never"])
    rows.append(f"never: {never}" if never else "every clause had a say")
    return rows


__all__ = ["table", "usage_answer"]
