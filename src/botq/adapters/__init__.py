"""Back of the Queue in the frameworks researchers use: OpenSpiel, PettingZoo, Gymnasium and arrays.

Nothing here is imported by the rest of `botq`; each room needs the extra `rl`.
"""
