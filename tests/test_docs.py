"""The docs say what is there.  `make docs` writes the generated pages afresh."""

import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from botq import FARES
from botq.web.glossary import GLOSSARY

ROOT = Path(__file__).parent.parent
DOCS = ROOT / "docs"


def commands_page() -> str:
    command = [sys.executable, "-m", "typer", "botq.cli", "utils", "docs", "--name", "botq"]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def glossary_page() -> str:
    return "# The words of the game\n\n" + "\n".join(f"- **{word}**: {says}" for word, says in GLOSSARY.items()) + "\n"


GENERATED = {"cli.md": commands_page, "glossary.md": glossary_page}


@pytest.mark.parametrize("page", GENERATED)
def test_a_generated_page_is_what_the_program_says(page: str) -> None:
    assert (DOCS / page).read_text(encoding="utf-8") == GENERATED[page]()


@pytest.mark.parametrize("fare", FARES.values(), ids=str)
def test_every_fare_card_has_its_heading_and_its_prices_in_the_rules(fare: object) -> None:
    card = FARES[str(fare)]
    heading = f"### {card.title}\n\n"
    prices = ", ".join(f"each {one.letters} pays {one.points}" for one in card.sets)
    assert heading + prices[:1].upper() + prices[1:] + ".\n" in (DOCS / "rules.md").read_text(encoding="utf-8")


def test_every_room_is_on_the_map_in_the_order_of_its_layer() -> None:
    map_ = re.findall(r"^    (\w+)(?:\.py|/) ", (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8"), re.MULTILINE)
    contract = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["importlinter"]
    assert map_ == [layer.strip("()") for layer in contract["contracts"][0]["layers"]]
    rooms = {path.stem for path in (ROOT / "src" / "botq").iterdir() if not path.name.startswith("__")}
    assert rooms <= set(map_)


def test_every_invariant_points_at_a_test_that_is_there() -> None:
    text = (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8")
    pointed = re.findall(r"`(tests/\w+\.py)::(\w+)`", text)
    assert len(pointed) >= len(re.findall(r"^\d+\. ", text, re.MULTILINE)) == 8
    for file, test in pointed:
        assert f"def {test}(" in (ROOT / file).read_text(encoding="utf-8")


def test_every_file_that_the_pages_point_at_is_there() -> None:
    pages = [*ROOT.glob("*.md"), *DOCS.rglob("*.md")]
    for page in pages:
        for pair in re.findall(r"\]\((?!\w+:)([^)#]+)\)|src=\"([^\"]+)", page.read_text(encoding="utf-8")):
            target = "".join(pair)
            assert (page.parent / target).exists(), f"{page.name} points at {target}"


def test_every_make_target_that_is_promised_is_there() -> None:
    promised = re.findall(r"`?make (\w+)", (ROOT / "CONTRIBUTING.md").read_text() + (ROOT / "README.md").read_text())
    targets = re.findall(r"^(\w+):", (ROOT / "Makefile").read_text(), re.MULTILINE)
    assert set(promised) - {"to"} <= set(targets)


if __name__ == "__main__":
    for name, tell in GENERATED.items():
        (DOCS / name).write_text(tell(), encoding="utf-8")
