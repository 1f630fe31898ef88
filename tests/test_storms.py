"""The storms of tests/load, each once at full length; docs/rooms.md tells what they found."""

import pytest

from load.storm import STORMS, fits


@pytest.mark.soak
@pytest.mark.parametrize("name", STORMS)
def test_every_acknowledged_jump_outlasts_the_storm(name: str) -> None:
    if not fits(name):
        pytest.skip("filling a disk needs the right to mount one")
    storm, times = STORMS[name]
    assert "all there, none twice" in storm(times)
