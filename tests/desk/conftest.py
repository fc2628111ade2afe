from pathlib import Path

import pytest

from tests.desk.forks import Forks
from tests.desk.sites import add_league, copy, make_site


@pytest.fixture(scope="session")
def _bare(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_site(tmp_path_factory.mktemp("bare") / "site")


@pytest.fixture(scope="session")
def _spring(_bare: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = copy(_bare, tmp_path_factory.mktemp("spring") / "site")
    add_league(path)
    return path


@pytest.fixture
def bare(_bare: Path, tmp_path: Path) -> Path:
    """A site without a league."""
    return copy(_bare, tmp_path / "site")


@pytest.fixture
def spring(_spring: Path, tmp_path: Path) -> Path:
    """A site with the league spring of Anna, Ben and Carla, round 1 due on Thursday 4 January 2024."""
    return copy(_spring, tmp_path / "site")


@pytest.fixture(scope="session")
def processes() -> Forks:
    """Real processes with the batches of real life."""
    return Forks()
