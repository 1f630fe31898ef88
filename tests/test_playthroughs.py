"""Whole matches told jump by jump, kept as text beside this file and told anew on every run.

A file changes only when the game or its words do, and then the commit says why.  `make playthroughs`
tells them all afresh from the first line of each.
"""

from pathlib import Path

import pytest

from botq import Heat, Match
from botq.rules import FINISH, Queue

FOLDER = Path(__file__).parent / "playthroughs" / "matches"
FILES = sorted(FOLDER.glob("*.txt"))


def tell(notation: str) -> str:
    """A match as a person would follow it at the table."""
    match = Match.parse(notation)
    told = [tell_heat(heat, number) for number, heat in enumerate(match.heats, 1)]
    return "\n\n".join([match.notation, *told]) + "\n"


def tell_heat(heat: Heat, number: int) -> str:
    lines = [f"Heat {number} on {heat.fare.title} ({heat.fare.spelling})", f"  {standing(heat, heat.queues[0])}"]
    for jump in heat.story:
        now = Heat(heat.fare, heat.players, heat.jumps[: jump.number])
        scores = ", ".join(f"{name} {score}" for name, score in now.scores.items())
        lines += ["", str(jump), f"  {standing(now, now.queue)}", f"  scores {scores}; open stamps {now.open_stamps}"]
    lines.append("")
    for name, pawn, receipt in zip(heat.names, heat.pawns, heat.receipts, strict=True):
        lines.append(f"{name}: {receipt} = {receipt.points}, stamps {pawn.stamps}, score {heat.scores[name]}")
    lines.append(f"Winners: {', '.join(heat.winners)}" if heat.over else f"Next: {heat.turn}")
    return "\n".join(lines)


def standing(heat: Heat, queue: Queue) -> str:
    return "queue " + ", ".join(
        f"{heat.names[pawn.seat]} {'finished' if pawn.space == FINISH else f'on {pawn.space}'}" for pawn in queue
    )


def test_there_are_playthroughs_of_every_card_and_of_one_to_six_seats() -> None:
    matches = [Match.parse(file.read_text().split("\n")[0]) for file in FILES]
    assert {match.fare.name for match in matches} == {"standard", "express", "local", None}
    assert {len(match.players) for match in matches} == {1, 2, 3, 4, 5, 6}


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_a_match_goes_as_its_playthrough_tells(file: Path) -> None:
    told = file.read_text()
    assert told == tell(told.split("\n")[0])


if __name__ == "__main__":
    for kept in FILES:
        kept.write_text(tell(kept.read_text().split("\n")[0]))
