from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import Engine

from league.storage.engine import open_engine, ready


@pytest.fixture
def engine(tmp_path: Path) -> Iterator[Engine]:
    engine = open_engine(tmp_path / "league.db")
    ready(engine)
    yield engine
    engine.dispose()
