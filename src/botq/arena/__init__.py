"""A fair comparison of strategies: every choice of them, in every seating, on the same fare card.

>>> compare(["shortest", "longest"]).table[0].bot
'shortest'
"""

from botq.arena.contest import Comparison, compare
from botq.arena.standings import write_table
from botq.arena.strategies import Misplay, UnknownStrategy

__all__ = ["Comparison", "Misplay", "UnknownStrategy", "compare", "write_table"]
