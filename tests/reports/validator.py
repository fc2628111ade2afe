"""The Nu Html Checker, which browsers' makers go by: what it finds wrong in pages."""

import json
import shutil
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

import pytest

JAR = Path(sys.prefix) / "vnu" / "node_modules" / "vnu-jar" / "build" / "dist" / "vnu.jar"
JAVA = shutil.which("java")
needs_validator = pytest.mark.skipif(
    not (JAVA and JAR.exists()),
    reason="no HTML checker here; on Debian and Ubuntu: apt-get install default-jre-headless npm, then make vnu",
)


def faults_of(pages: Iterable[Path]) -> list[str]:
    """Every error of every page, with its place; empty if there is none."""
    names = [str(page) for page in pages]
    assert names
    checker = [str(JAVA), "-jar", str(JAR), "--errors-only", "--format", "json", *names]
    told = subprocess.run(checker, capture_output=True, text=True, check=False).stderr
    return [f"{one['url']}:{one.get('lastLine')}: {one['message']}" for one in json.loads(told)["messages"]]
