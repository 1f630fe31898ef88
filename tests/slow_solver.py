"""The obvious solver: straight from the rules, exact fractions, nothing reduced; slow, and right."""

from collections.abc import Iterable
from fractions import Fraction

from botq.fares import Fare
from botq.rules import Queue, form_queue, legal_jumps, play

Value = tuple[Fraction, ...]


def positions_from(queue: Queue, most: int = 10**9) -> list[Queue]:
    """Every position that can follow this one, itself first, those with fewer spaces gone before
    others; stops early after more than `most`."""
    layers: dict[int, dict[Queue, None]] = {spaces(queue): {queue: None}}
    found = []
    for layer in range(spaces(queue), 12 * len(queue) + 1):
        if len(found) > most:
            break
        for position in layers.get(layer, {}):
            found.append(position)
            for jump in legal_jumps(position):
                layers.setdefault(layer + jump, {})[play(position, jump)] = None
    return found


def spaces(queue: Queue) -> int:
    return sum(pawn.space for pawn in queue)


def links(positions: Iterable[Queue]) -> list[list[int]]:
    """By position, where its jumps lead."""
    numbers = {position: number for number, position in enumerate(positions)}
    return [[numbers[play(position, jump)] for jump in legal_jumps(position)] for position in numbers]


def slow_values(
    positions: list[Queue],
    linked: list[list[int]],
    fare: Fare,
    objective: str = "share",
    stamp: int = 1,
    start: tuple[int, ...] = (0,) * 6,
) -> list[Value]:
    """The values by seat of every position, which `linked` says how to go on from."""
    values: list[Value] = [()] * len(positions)
    for number in range(len(positions) - 1, -1, -1):
        queue, after = positions[number], [values[n] for n in linked[number]]
        if not after:
            pays = {p.seat: fare.pays(p.tickets).points + stamp * p.stamps + start[p.seat] for p in queue}
            values[number] = final([pays[seat] for seat in range(len(queue))], objective)
            continue
        head = queue[0].seat
        best = max(value[head] for value in after)
        equals = [value for value in after if value[head] == best]
        values[number] = equals[0] if len(set(equals)) == 1 else average(equals)
    return values


def average(values: list[Value]) -> Value:
    return tuple(sum(column, Fraction()) / len(values) for column in zip(*values, strict=True))


def final(scores: list[int], objective: str) -> Value:
    if objective == "margin":
        return Fraction(scores[0] - scores[1]), Fraction(scores[1] - scores[0])
    return tuple(Fraction(score == max(scores), scores.count(max(scores))) for score in scores)


TWO_SEATS = positions_from(form_queue(2))
