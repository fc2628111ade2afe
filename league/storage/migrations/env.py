"""Runs the migrations on the connection that `league.storage.engine.migrate` hands over."""

from alembic import context

from league.storage.tables import metadata

context.configure(connection=context.config.attributes["connection"], target_metadata=metadata, render_as_batch=True)
with context.begin_transaction():
    context.run_migrations()
