"""What a fare card does to the game, and which cards would do better."""

from botq.lab.report import as_html, report, reports
from botq.lab.search import search
from botq.lab.space import Space
from botq.lab.study import HouseRules, Study

__all__ = ["HouseRules", "Space", "Study", "as_html", "report", "reports", "search"]
