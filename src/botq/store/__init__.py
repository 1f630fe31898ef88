"""What is kept, and the only SQL: live rooms, and the log of finished heats.

SQLite in the user's data folder unless a database is named; PostgreSQL by its address alone.
"""

from botq.store.database import Database, StoreDown

__all__ = ["Database", "StoreDown"]
