import pytest
from hypothesis import settings

settings.register_profile("house", deadline=None)  # how long an example takes depends on who else is at work
settings.load_profile("house")


@pytest.fixture(autouse=True)
def caches(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    """No test reads or fills the caches of whoever runs it."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path_factory.getbasetemp() / "caches"))


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"
