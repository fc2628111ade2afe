"""Templates of a site's own folder, as Jinja asks for them."""

import os
from collections.abc import Callable
from pathlib import Path

from jinja2 import BaseLoader, Environment, TemplateNotFound

from league.reports.own_file import read_own


class OwnLoader(BaseLoader):
    """Templates of a site's own folder. What lies there and isn't a plain file counts as not there: ours serves."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def get_source(self, _environment: Environment, template: str) -> tuple[str, str, Callable[[], bool]]:
        """The text and where it lies; templates are compiled once a process, so it is never asked again."""
        parts = template.split("/")
        plain = all(part and part not in {".", ".."} and not set(part) & {os.sep, "\0"} for part in parts)
        found = read_own(self.folder, *parts) if plain else None
        if found is None:
            raise TemplateNotFound(template)
        return found.decode(), str(self.folder.joinpath(*parts)), lambda: True
