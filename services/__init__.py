"""The services, the domains and the command line of hapju."""

import sys

# structlog loads rich, to draw what no log of ours draws: 80 ms of a process's start and 5 MB for as long as it runs.
# A module that is None is one that is not installed.
if "rich" not in sys.modules:
    sys.modules["rich"] = None  # type: ignore[assignment]
    import structlog  # noqa: F401 - so that who imports it after this finds it loaded

    del sys.modules["rich"]
