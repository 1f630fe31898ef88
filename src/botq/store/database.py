"""The database: where it is, how it is opened, and what happens when it cannot be reached."""

import asyncio
import sqlite3
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from alembic import command
from alembic.config import Config
from platformdirs import user_data_path
from sqlalchemy import URL, Connection, event, make_url, text
from sqlalchemy.exc import ArgumentError, DBAPIError, IntegrityError
from sqlalchemy.exc import TimeoutError as PoolTimeout
from sqlalchemy.ext.asyncio import AsyncConnection, create_async_engine

from botq.rules import Refused
from botq.store.announcer import CHANNEL, Announcer
from botq.words import shown

PATIENCE = 5  # seconds to wait for a lock, a connection or a connection's place in the pool
MIGRATING = 0x626F7471  # the advisory lock under which PostgreSQL is migrated, by one process at a time
DRIVERS = {"sqlite": "sqlite+aiosqlite", "postgresql": "postgresql+psycopg", "postgres": "postgresql+psycopg"}


class StoreDown(Exception):
    """The database cannot be reached or written just now; what was asked may be asked again."""


def default_url() -> str:
    """The SQLite file in the user's data folder."""
    return f"sqlite:///{user_data_path('botq') / 'botq.db'}"


def read_url(address: str) -> URL:
    """The database at this address, with the driver we use for its kind; raises `Refused`."""
    try:
        url = make_url(address)
        driver = DRIVERS[url.drivername.partition("+")[0]]
    except (ArgumentError, KeyError):
        raise Refused(
            f"{shown(address)} is no database: write sqlite:///FILE or postgresql://USER:PASSWORD@HOST/NAME"
        ) from None
    if driver.startswith("postgresql") and not find_spec("psycopg"):
        raise Refused("PostgreSQL needs the extra of that name: pip install 'botq[postgres]'")
    return url.set(drivername=driver)


class Database:
    """An open database; use as `async with Database(address) as database`.

    With `make` a SQLite file that is not there is made; without, it is refused (`Refused`).
    """

    def __init__(self, address: str | None = None, *, make: bool = True) -> None:
        self.url = read_url(address or default_url())
        self.is_sqlite = self.url.get_backend_name() == "sqlite"
        if not make:
            _must_be_there(self.url)
        self.announcer = Announcer()
        options: dict[str, Any] = {"pool_pre_ping": True, "connect_args": {"connect_timeout": PATIENCE}}
        if self.is_sqlite:
            options = {"connect_args": {"isolation_level": None, "timeout": PATIENCE}}
        # Reading and writing stay apart, so that on SQLite readers never wait for the one writer.
        self._reads = create_async_engine(self.url, pool_size=4, max_overflow=0, pool_timeout=PATIENCE, **options)
        self._writes = create_async_engine(
            self.url, pool_size=1 if self.is_sqlite else 8, max_overflow=0, pool_timeout=PATIENCE, **options
        )
        if self.is_sqlite:
            for engine, begin in ((self._reads, "BEGIN"), (self._writes, "BEGIN IMMEDIATE")):
                event.listen(engine.sync_engine, "connect", _set_up_sqlite)
                event.listen(engine.sync_engine, "begin", _beginning(begin))
        self._relaying: asyncio.Task[None] | None = None

    async def __aenter__(self) -> "Database":
        if self.is_sqlite and self.url.database:
            try:
                Path(self.url.database).parent.mkdir(parents=True, exist_ok=True)
            except OSError as trouble:
                raise StoreDown(f"{self.url.database}: {trouble.strerror}") from trouble
        async with self.writing() as connection:
            await connection.run_sync(migrate)
        if not self.is_sqlite:
            conninfo = self.url.set(drivername="postgresql").render_as_string(hide_password=False)
            self._relaying = asyncio.create_task(self.announcer.relay(conninfo))
        return self

    async def __aexit__(self, *_: object) -> None:
        if self._relaying:
            self._relaying.cancel()
            with suppress(asyncio.CancelledError):
                await self._relaying
        await self._reads.dispose()
        await self._writes.dispose()

    @asynccontextmanager
    async def reading(self) -> AsyncIterator[AsyncConnection]:
        """A transaction that sees the database at one moment; raises `StoreDown`."""
        with _told_plainly():
            async with self._reads.connect() as connection:
                if not self.is_sqlite:
                    await connection.execution_options(isolation_level="REPEATABLE READ")
                async with connection.begin():
                    yield connection

    @asynccontextmanager
    async def writing(self) -> AsyncIterator[AsyncConnection]:
        """A transaction that is on disk when the block is left; raises `StoreDown`."""
        with _told_plainly():
            async with self._writes.begin() as connection:
                yield connection

    async def announce_at_commit(self, connection: AsyncConnection, code: str) -> None:
        """Has every process told of the change, when and only when it is committed."""
        if not self.is_sqlite:
            await connection.execute(text("SELECT pg_notify(:channel, :code)"), {"channel": CHANNEL, "code": code})


def _must_be_there(url: URL) -> None:
    if url.get_backend_name() == "sqlite" and url.database and not Path(url.database).exists():
        raise Refused(f"there is no database {shown(url.database, most=200)} yet: botq serve makes one")


class _told_plainly:  # noqa: N801  (a context manager, named as a phrase where it stands)
    """Turns what a driver says of a database that is away, full or locked into `StoreDown`."""

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: object, trouble: BaseException | None, trace: object) -> None:
        if isinstance(trouble, (DBAPIError, PoolTimeout, OSError)) and not isinstance(trouble, IntegrityError):
            reason = trouble.orig if isinstance(trouble, DBAPIError) else trouble
            raise StoreDown(" ".join(str(reason).split())) from trouble


def migrate(connection: Connection) -> None:
    """Brings the tables to the newest shape, inside the transaction of this connection."""
    if connection.dialect.name == "postgresql":
        connection.execute(text("SELECT pg_advisory_xact_lock(:lock)"), {"lock": MIGRATING})
    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent / "migrations"))
    config.attributes["connection"] = connection
    command.upgrade(config, "head")


def _set_up_sqlite(connection: Any, _: object) -> None:
    cursor = connection.cursor()
    cursor.execute("PRAGMA journal_mode=WAL")
    cursor.execute("PRAGMA synchronous=FULL")  # a jump is on disk before it is acknowledged
    cursor.execute("PRAGMA foreign_keys=ON")
    cursor.close()


def _beginning(statement: str) -> Any:
    def begin(connection: Connection) -> None:
        connection.exec_driver_sql(statement)

    return begin


async def back_up(address: str, to: Path) -> None:
    """Copies a SQLite database to a file while it is being played on; raises `Refused`."""
    url = read_url(address)
    if url.get_backend_name() != "sqlite" or not url.database:
        raise Refused("this copies SQLite only: back up PostgreSQL with pg_dump, see docs/rooms.md")
    if to.exists():
        raise Refused(f"{to} is there already: choose another file")
    _must_be_there(url)

    def copy() -> None:
        source, target = sqlite3.connect(str(url.database)), sqlite3.connect(to)
        with source, target:
            source.backup(target)
        source.close()
        target.close()

    try:
        await asyncio.to_thread(copy)
    except (sqlite3.Error, ValueError) as trouble:
        raise Refused(f"cannot copy the database to {to}: {trouble}") from None
