"""What all tests share: seeds that stay the same, and no silent skipping where everything must run."""

import atexit
import gc
import os
from collections.abc import Generator
from shutil import rmtree
from tempfile import mkdtemp
from typing import TYPE_CHECKING, TypeVar

import pytest
from hypothesis import HealthCheck, Phase, settings

if TYPE_CHECKING:
    from tests.intake.dovecot import Dovecot
    from tests.storage.postgres import Postgres

# The same examples in every run; `make soak` looks for new ones. No example is judged by the clock.
settings.register_profile("fixed", derandomize=True, deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("soak", max_examples=5_000, deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile(  # a failure is enough, it needs no smallest example
    "mutants", settings.get_profile("fixed"), max_examples=30, phases=(Phase.explicit, Phase.generate), database=None
)
os.environ["LEAGUE_OFFLINE"] = "1"  # no test asks a real provider of figures; servers of their own are another matter
TEMPLATES = "LEAGUE_TESTS_TEMPLATES"
if TEMPLATES not in os.environ:  # the first process makes it, for all workers and for all processes they start
    os.environ[TEMPLATES] = mkdtemp(prefix="league-templates-")
    atexit.register(rmtree, os.environ[TEMPLATES], ignore_errors=True)
gc.set_threshold(50_000)  # as league/cli does; a tenth of the time of all tests
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "fixed"))

Report = TypeVar("Report", pytest.TestReport, pytest.CollectReport)
SKIPPED = "skipped, but LEAGUE_REQUIRE_ALL=1 wants every test to run: {}"


def _insist(report: Report) -> Report:
    """A skipped report becomes a failed one, where everything must run. An expected failure isn't a skip."""
    if os.environ.get("LEAGUE_REQUIRE_ALL") == "1" and report.skipped and not hasattr(report, "wasxfail"):
        reason = report.longrepr[2] if isinstance(report.longrepr, tuple) else report.longrepr
        report.outcome = "failed"
        report.longrepr = SKIPPED.format(reason)
    return report


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport() -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Every test's setup, call and teardown goes through here."""
    return _insist((yield))


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report() -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
    """A whole file can be skipped too."""
    return _insist((yield))


@pytest.fixture(scope="session")
def _dovecot() -> "Generator[Dovecot]":
    from tests.intake.dovecot import Dovecot, missing

    if why := missing():
        pytest.skip(why)
    server = Dovecot.make()
    server.start()
    yield server
    server.remove()


@pytest.fixture
def dovecot(_dovecot: "Dovecot") -> "Generator[Dovecot]":
    """A real IMAP server that runs; a test that stops it needn't start it again."""
    if _dovecot.process is None:
        _dovecot.start()
    yield _dovecot
    _dovecot.forget_persons()


@pytest.fixture(scope="session")
def postgres() -> "Generator[Postgres]":
    """A real PostgreSQL that runs."""
    pytest.importorskip("psycopg", reason="psycopg is needed: pip install 'league[postgresql]'")
    from tests.storage.postgres import Postgres, missing

    if why := missing():
        pytest.skip(why)
    server = Postgres.start()
    yield server
    server.stop()
