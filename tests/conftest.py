import pytest
from hypothesis import settings

settings.register_profile("house", deadline=None)  # how long an example takes depends on who else is at work
settings.load_profile("house")


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"
