"""Rooms, seats, heats and jumps"""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None


# One list of tables, in the order that their keys ask for: cut up, it would say no more.
def upgrade() -> None:
    op.create_table(
        "room",
        sa.Column("code", sa.String(length=8), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("fare", sa.Text(), nullable=False),
        sa.Column("host", sa.String(length=64), nullable=False),
        sa.Column("seating", sa.Boolean(), nullable=False),
        sa.Column("others_may_move", sa.Boolean(), nullable=False),
        sa.Column("hints", sa.Boolean(), nullable=False),
        sa.Column("matches", sa.Integer(), nullable=False),
        sa.Column("made_with", sa.String(length=64), nullable=False),
        sa.Column("made", sa.BigInteger(), nullable=False),
        sa.Column("touched", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("code", name="pk_room"),
        sa.UniqueConstraint("made_with", name="uq_room_made_with"),
    )
    op.create_index("ix_room_touched", "room", ["touched"], unique=False)
    op.create_table(
        "heat",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("room", sa.String(length=8), nullable=True),
        sa.Column("match", sa.Integer(), nullable=True),
        sa.Column("number", sa.SmallInteger(), nullable=False),
        sa.Column("fare", sa.Text(), nullable=False),
        sa.Column("players", sa.Text(), nullable=False),
        sa.Column("opened", sa.BigInteger(), nullable=True),
        sa.Column("kept_with", sa.String(length=64), nullable=True),
        sa.ForeignKeyConstraint(["room"], ["room.code"], name="fk_heat_room"),
        sa.PrimaryKeyConstraint("id", name="pk_heat"),
        sa.UniqueConstraint("kept_with", name="uq_heat_kept_with"),
        sa.UniqueConstraint("room", "match", "number", name="uq_heat_room_match_number"),
    )
    op.create_table(
        "invitation",
        sa.Column("token", sa.String(length=64), nullable=False),
        sa.Column("room", sa.String(length=8), nullable=False),
        sa.Column("seat", sa.Integer(), nullable=True),
        sa.Column("until", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["room"], ["room.code"], name="fk_invitation_room", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("token", name="pk_invitation"),
    )
    op.create_index("ix_invitation_room", "invitation", ["room"], unique=False)
    op.create_table(
        "news",
        sa.Column("room", sa.String(length=8), nullable=False),
        sa.Column("version", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("said", sa.Text(), nullable=False),
        sa.Column("asked", sa.Text(), nullable=False),
        sa.Column("key", sa.String(length=64), nullable=True),
        sa.Column("made", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["room"], ["room.code"], name="fk_news_room", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("room", "version", name="pk_news"),
    )
    op.create_index("uq_news_room_key", "news", ["room", "key"], unique=True)
    op.create_table(
        "seat",
        sa.Column("room", sa.String(length=8), nullable=False),
        sa.Column("key", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("place", sa.SmallInteger(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("bot", sa.Text(), nullable=True),
        sa.Column("holder", sa.String(length=64), nullable=True),
        sa.ForeignKeyConstraint(["room"], ["room.code"], name="fk_seat_room", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("room", "key", name="pk_seat"),
    )
    op.create_table(
        "jump",
        sa.Column("heat", sa.Integer(), nullable=False),
        sa.Column("ply", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("length", sa.SmallInteger(), nullable=False),
        sa.Column("made", sa.BigInteger(), nullable=True),
        sa.ForeignKeyConstraint(["heat"], ["heat.id"], name="fk_jump_heat", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("heat", "ply", name="pk_jump"),
    )


def downgrade() -> None:
    for table in ("jump", "seat", "news", "invitation", "heat", "room"):
        op.drop_table(table)
