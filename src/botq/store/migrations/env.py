"""Runs the migrations on the connection it is handed: see `botq.store.database.migrate`."""

from alembic import context

from botq.store.tables import metadata

context.configure(connection=context.config.attributes["connection"], target_metadata=metadata)
with context.begin_transaction():
    context.run_migrations()
