"""The tables: rooms, seats, heats and jumps; moments are UTC milliseconds since 1970.

Only what cannot be derived is kept.  A heat is its fare, its players and its jumps; whose turn
it is, what stands where and who won follow from those.
"""

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    ForeignKey,
    Index,
    Integer,
    MetaData,
    SmallInteger,
    String,
    Table,
    Text,
    UniqueConstraint,
)

NAMES = {
    "ix": "ix_%(table_name)s_%(column_0_N_name)s",
    "uq": "uq_%(table_name)s_%(column_0_N_name)s",
    "fk": "fk_%(table_name)s_%(column_0_name)s",
    "pk": "pk_%(table_name)s",
}
metadata = MetaData(naming_convention=NAMES)

Hash = String(64)  # a token or key is kept as its SHA-256 only

room = Table(
    "room",
    metadata,
    Column("code", String(8), primary_key=True),
    Column("version", Integer, nullable=False),
    Column("fare", Text, nullable=False),  # of the next match
    Column("host", Hash, nullable=False),
    Column("seating", Boolean(create_constraint=False), nullable=False),
    Column("others_may_move", Boolean(create_constraint=False), nullable=False),
    Column("hints", Boolean(create_constraint=False), nullable=False),
    Column("matches", Integer, nullable=False),
    Column("made_with", Hash, nullable=False, unique=True),  # the key of the form that made the room
    Column("made", BigInteger, nullable=False),
    Column("touched", BigInteger, nullable=False, index=True),
)

seat = Table(
    "seat",
    metadata,
    Column("room", ForeignKey(room.c.code, ondelete="CASCADE"), primary_key=True),
    Column("key", Integer, primary_key=True, autoincrement=False),
    Column("place", SmallInteger, nullable=False),  # in the queue, 0 at the front
    Column("name", Text, nullable=False),
    Column("bot", Text),
    Column("holder", Hash),
)

heat = Table(
    "heat",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("room", ForeignKey(room.c.code)),  # null once the room is gone, and for a heat of the shared phone
    Column("match", Integer),
    Column("number", SmallInteger, nullable=False),  # 1 or 2
    Column("fare", Text, nullable=False),
    Column("players", Text, nullable=False),  # as in the notation of the match, so heat 2 reverses them
    Column("opened", BigInteger),
    Column("kept_with", Hash, unique=True),  # the key of the form that kept a heat of the shared phone
    UniqueConstraint("room", "match", "number"),
)

jump = Table(
    "jump",
    metadata,
    Column("heat", ForeignKey(heat.c.id, ondelete="CASCADE"), primary_key=True),
    Column("ply", Integer, primary_key=True, autoincrement=False),  # 1 for the first
    Column("length", SmallInteger, nullable=False),
    Column("made", BigInteger),  # null where nobody watched the clock
)

news = Table(
    "news",
    metadata,
    Column("room", ForeignKey(room.c.code, ondelete="CASCADE"), primary_key=True),
    Column("version", Integer, primary_key=True, autoincrement=False),  # the version this change led to
    Column("said", Text, nullable=False),
    Column("asked", Text, nullable=False),
    Column("key", Hash),
    Column("made", BigInteger, nullable=False),
    Index("uq_news_room_key", "room", "key", unique=True),
)

invitation = Table(
    "invitation",
    metadata,
    Column("token", Hash, primary_key=True),
    Column("room", ForeignKey(room.c.code, ondelete="CASCADE"), nullable=False, index=True),
    Column("seat", Integer),  # null where the hosting moves
    Column("until", BigInteger, nullable=False),
)
