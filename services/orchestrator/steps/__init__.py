"""The steps of a plan: run when they are ready, judged, mended where they failed, and reviewed at the end."""
