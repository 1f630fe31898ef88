"""The game in a terminal: the page that shows a match, and the conversation that plays it."""

import unicodedata
from collections.abc import Iterator
from itertools import groupby
from typing import NamedTuple

from rich.cells import cell_len, set_cell_size
from rich.console import Console, Group, RenderableType
from rich.style import Style
from rich.table import Table
from rich.text import Text

from botq.board import marks
from botq.bots import check_bots, moved_by_bot, taken_back
from botq.heat import Choice, Heat, Jump
from botq.notation import Match
from botq.review import SIGNS, ReviewedHeat
from botq.rules import FINISH, LETTERS, STAMPED, Refused
from botq.words import listed, shown

SHAPES = "●■▲◆✚⬢"  # by player, as on the page: pawns differ by more than their colour
COLOURS = ("bright_blue", "yellow", "green", "magenta", "cyan", "red")
ROOMY = 78  # columns; with fewer the track is drawn tighter and receipts move below the table

RULES = (
    "Everybody's pawn waits in one queue along the spaces 0 to 12. Whoever is furthest behind acts; where several "
    "stand on that space, the one at its front does.",
    "A turn: jump 1, 2 or 3 spaces. You get ticket A for a 1, B for a 2, C for a 3, and join the back of whoever "
    "stands where you land. You have to jump, never past 12. You may well be furthest behind again, and go on.",
    "The first to land on a space from 1 to 11 gets its stamp (○ on the track), worth one point. Jumping over a space "
    "does not count, and space 12 has no stamp.",
    "On 12 a pawn is finished; being early earns nothing. When all are, tickets are turned into the sets on the fare "
    "card, as often as they go round, each ticket once; the receipt beside your name always shows the best way. "
    "Tickets left over score nothing. Sets and stamps together are your score. The highest wins, equal scores share.",
    "A second heat starts with the queue the other way round and keeps scores of its own. Talk about your choices as "
    "much as you like; tickets cannot be traded.",
)
KEYS = "1, 2 or 3 jumps, u undoes, ? tells the rules, q leaves"
FIRST_STRONG, END = "\u2068", "\u2069"  # around a name that runs right to left, so that its line does not


def screen() -> Console:
    """The terminal, or where its output goes, that shows text as it is: no markup, no emoji codes, no guessing."""
    return Console(markup=False, emoji=False, highlight=False)


def play(match: Match, console: Console) -> Match:
    """The match as it stood when the players left; asks for jumps until then."""
    check_bots(match)
    note = ""
    try:
        while True:
            match, jumped = with_bots(match, console)
            note = note or jumped
            console.clear()
            console.print(page(match, console.width))
            console.print(Text(note, "bold"), end="\n" if note else "")
            answer = console.input(question(match)).strip().lower()
            if answer == "q":
                break
            if answer == "?":
                console.clear()
                console.print(*map(Text, RULES), sep="\n\n", end="\n\n")
                console.input("Enter goes back to the game. ")
            try:
                match, note = answered(match, answer), ""
            except Refused as refused:
                note = str(refused)
    except (EOFError, KeyboardInterrupt):
        console.print()
    return match


def answered(match: Match, answer: str) -> Match:
    """The match after what somebody typed; raises `Refused`."""
    match answer:
        case "1" | "2" | "3":
            return match.jump(int(answer))
        case "u":
            if back := taken_back(match):
                return back
            raise Refused("there is no jump to undo")
        case "s":
            return match.second_heat()
        case "" | "?":
            return match
    raise Refused(f"{shown(answer)} is none of the keys: {KEYS}")


def with_bots(match: Match, console: Console) -> tuple[Match, str]:
    """The match once a person has to jump or the heat is over, and the jumps that led there but the last."""
    before = len(match.heat.jumps)
    while match.heat.head and match.heat.head.bot:
        console.print(Text(f"{fitting(match.heat.head.name)} is thinking."))
        match = moved_by_bot(match)
    made = [f"{fitting(jump.name)} {jump.length}" for jump in match.heat.story[max(before - 1, 0) : -1]]
    return match, f"The jumps before the last: {listed(made)}." if made and len(match.heat.jumps) > before else ""


def question(match: Match) -> str:
    """What is asked below the page."""
    if match.over:
        return "The match is over: u undoes, q leaves. "
    if match.heat.over:
        return "s plays the second heat, u undoes, q leaves. "
    return "1, 2 or 3 (u undo, ? rules, q leave): "


class Look(NamedTuple):
    """How a player is told apart, the same in both heats."""

    shape: str
    mark: str  # short letters, plain left to right; empty where the name has none such
    style: Style


def looks(match: Match) -> dict[str, Look]:
    """By name, everybody's look."""
    names = [player.name for player in match.players]
    return {
        name: Look(shape, mark if _runs_right(mark) else "", Style(color=colour, bold=True))
        for name, shape, mark, colour in zip(names, SHAPES, marks(names), COLOURS, strict=False)
    }


def page(match: Match, width: int) -> RenderableType:
    """The match on one screen: 80 by 24 for six players; `width` in columns."""
    return Group(*_page(match, width >= ROOMY))


def _page(match: Match, roomy: bool) -> Iterator[RenderableType]:
    heat = match.heat
    yield _header(match)
    if heat.over:
        yield Text("Scores", "bold")
    else:
        yield track(match, roomy)
        if len(heat.players) <= 4:  # with more, every line of a small screen is needed
            yield Text()
    yield standings(match, roomy)
    if not roomy:
        yield from _receipts(match)
    if heat.jumps:
        yield Text(str(_renamed(heat.story[-1])), "italic")
    if heat.over:
        yield Text(result(heat), "bold")
        if len(match.heats) == 2:
            yield both_heats(match)
    else:
        yield from map(_choice, heat.choices)


def _header(match: Match) -> Text:
    fare = match.fare
    sets = ", ".join(f"{one.letters} {one.points}" for one in fare.sets)
    header = Text(f"{fare.title if fare.name else 'Fare card'}: {sets}", "bold")
    over = "over" if match.heat.over else f"jump {len(match.heat.jumps) + 1}"
    header.append(f"  (heat {len(match.heats)}, {over})", "not bold")
    return header


def track(match: Match, roomy: bool) -> Text:
    """The queue on its spaces, front pawns lowest, and the stamps still to be had below."""
    heat, look = match.heat, looks(match)
    column, label = (5, "{:<8}") if roomy else (3, "")
    stands = {space: list(pawns) for space, pawns in groupby(heat.queue, key=lambda pawn: pawn.space)}
    drawn = Text()
    for level in reversed(range(max(map(len, stands.values())))):
        drawn.append(label.format("" if level else "front"))
        for space in range(FINISH + 1):
            pawn = stands[space][level] if level < len(stands.get(space, ())) else None
            if not pawn:
                drawn.append(" " * column)
                continue
            it = look[heat.names[pawn.seat]]
            acts = pawn == heat.queue[0] and not heat.over
            token = f"{'▸' if acts else ' '}{it.shape}{it.mark if roomy else it.mark[-1:]}"
            drawn.append(set_cell_size(token, column), it.style + Style(reverse=acts))
        drawn.append("\n")
    drawn.append(label.format("space"))
    drawn.append("".join(f"{space:>2}".ljust(column) for space in range(FINISH + 1)) + "\n")
    drawn.append(label.format("stamp"))
    circles = {space: "○" if space in heat.open_stamps else "×" for space in STAMPED}
    drawn.append("".join(f" {circles.get(space, ' ')}".ljust(column) for space in range(FINISH + 1)))
    return drawn


def standings(match: Match, roomy: bool) -> Table:
    """Everybody in queue order, or by score at the end: space, tickets, stamps, score, receipt where there is room."""
    heat, look = match.heat, looks(match)
    table = Table(box=None, padding=(0, 1, 0, 0), pad_edge=False)
    table.add_column("")
    table.add_column("queue" if not heat.over else "player", no_wrap=True)
    for heading in ("on", *LETTERS, "st." if not roomy else "stamps", "score"):
        table.add_column(heading, justify="right", no_wrap=True)
    before = match.heats[0].scores if len(match.heats) == 2 and not heat.over else None
    if before:
        table.add_column("heat 1", justify="right", no_wrap=True)
    if roomy:
        table.add_column("receipt", overflow="ellipsis", no_wrap=True)
    order = sorted(heat.pawns, key=lambda pawn: -heat.scores[heat.names[pawn.seat]]) if heat.over else heat.queue
    for pawn in order:
        name = heat.names[pawn.seat]
        cells = [str(n) for n in (pawn.space, *pawn.tickets, pawn.stamps, heat.scores[name])]
        cells += [str(before[name])] if before else []
        cells += [str(heat.receipts[pawn.seat])] if roomy else []
        acts = pawn == heat.queue[0] and not heat.over
        table.add_row(
            Text(("▸" if acts else " ") + look[name].shape, look[name].style),
            Text(fitting(name, 20 if roomy else 12), "bold" if acts or name in heat.winners else ""),
            *map(Text, cells),
        )
    return table


def _receipts(match: Match) -> Iterator[Text]:
    heat = match.heat
    for pawn in heat.queue:
        name = heat.names[pawn.seat]
        if heat.receipts[pawn.seat].claims:
            yield Text(f"{looks(match)[name].shape} {heat.receipts[pawn.seat]}")


def _choice(choice: Choice) -> Text:
    if not choice.jump:
        return Text(f"{choice.length}  {choice.why_not}", "dim strike")
    jump = _renamed(choice.jump)
    stamp = ", stamp" if jump.stamp else ""
    then = f"then {jump.then}" if jump.then else "the heat is over"
    return Text.assemble((f"{jump.length}", "bold"), f"  to {jump.landing}: ticket {jump.ticket}{stamp}; {then}")


def result(heat: Heat) -> str:
    """Who won a heat that is over."""
    winners = listed(fitting(name) for name in heat.winners)
    return f"{winners} share the win." if len(heat.winners) > 1 else f"{winners} wins."


def both_heats(match: Match) -> Table:
    """The scores of both heats beside each other, never added up."""
    table = Table(box=None, padding=(0, 2, 0, 0), pad_edge=False)
    table.add_column("")
    table.add_column("")
    for number in (1, 2):
        table.add_column(f"heat {number}", justify="right", no_wrap=True)
    for name, look in looks(match).items():
        scores = [f"{'★ ' if name in heat.winners else ''}{heat.scores[name]}" for heat in match.heats]
        table.add_row(Text(look.shape, look.style), Text(fitting(name)), *map(Text, scores))
    return table


def reviewed(heat: ReviewedHeat) -> RenderableType:
    """A heat jump by jump with shares, verdicts and the turning point."""
    table = Table(box=None, padding=(0, 2, 0, 0), pad_edge=False)
    for heading in ("jump", "", "", "share", "verdict", "best"):
        table.add_column(heading, no_wrap=True)
    for one in heat.jumps:
        cells = [str(one.jump.number), fitting(one.jump.name), f"{one.jump.length} to {one.jump.landing}"]
        if told := one.verdict:
            after = f" → {told.share_after:.0%}" if told.loss else ""
            cells += [f"{told.share_before:.0%}{after}", f"{SIGNS[told.label]} {told.label}", listed(told.best, "or")]
        else:
            cells += ["not worked out", "", ""]
        table.add_row(*map(Text, cells), style="bold" if one == heat.turning_point else "")
    turn = heat.turning_point
    ending = Text(result(heat.heat) if heat.heat.over else "The heat is not over yet.", "bold")
    if turn:
        ending.append(f" The turning point was jump {turn.jump.number}, by {fitting(turn.jump.name)}.")
    return Group(table, ending)


def _renamed(jump: Jump) -> Jump:
    """The jump with its names as a line of text can hold them."""
    return jump._replace(name=fitting(jump.name), then=jump.then and fitting(jump.then))


def fitting(name: str, cells: int = 20) -> str:
    """A name cut to so many cells, and kept from turning the line around it right to left."""
    plain = "".join(c for c in name if unicodedata.bidirectional(c) not in _TURNING and c not in _MARKS)
    cut = plain if cell_len(plain) <= cells else set_cell_size(plain, cells - 1).rstrip() + "…"
    return cut if _runs_right(cut) else f"{FIRST_STRONG}{cut}{END}"


_TURNING = {"LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI"}  # what turns text without being seen
_MARKS = "\u061c\u200e\u200f"


def _runs_right(text: str) -> bool:
    return all(unicodedata.bidirectional(character) not in ("R", "AL", "AN") for character in text)
