"""The words of the game, each in a sentence."""

GLOSSARY = {
    "fare card": "Says which sets of tickets pay how many points. One card counts for the whole heat.",
    "finished": "A pawn on space 12 is finished and jumps no more. Finishing early earns nothing extra.",
    "hand": "The tickets a player has taken so far.",
    "head": "The pawn that acts next: the front pawn on the lowest space where anybody still stands.",
    "heat": "One run of every pawn from 0 to 12, scored on its own.",
    "jump": "A move of exactly 1, 2 or 3 spaces forward. There is no passing, and no jump goes past 12.",
    "landing": "The space where a jump ends. Only there can a stamp be taken, not on the spaces jumped over.",
    "leftover": "A ticket that is in no set. It scores nothing.",
    "match": "One heat, or two: the second on the same fare with the opening queue reversed and scores of its own.",
    "queue": "The pawns on one space in the order they came. Whoever lands joins at the back.",
    "receipt": "How a hand is best split into the sets of the fare card, and what they pay.",
    "set": "A group of tickets that the fare card pays for, as often as you can fill it. A ticket is in one set only.",
    "share": "A win is divided equally among the players with the highest score.",
    "space": "One of the thirteen places on the track, 0 to 12.",
    "stamp": "One point for the first pawn in a heat to land on a space from 1 to 11.",
    "ticket": "What a jump earns: A for a jump of 1, B for 2, C for 3. Tickets are never traded or spent.",
}
