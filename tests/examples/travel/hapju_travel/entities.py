"""What a question on travel names: cities and stations."""

from hapju.plugin import name_rows, named_kind

KINDS = (
    named_kind("city", name_rows(__package__, "data/cities.yaml"), stands_for="도시"),
    named_kind("station", name_rows(__package__, "data/stations.yaml"), stands_for="역"),
)
