"""The one JSON type; numbers are whole, so that no float can reach a rule."""

from collections.abc import Mapping, Sequence

Json = Mapping[str, "Json"] | Sequence["Json"] | str | int | bool | None
JsonDict = dict[str, Json]
