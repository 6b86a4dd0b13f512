"""The same request again while the first is on its way: one goes to the node, and both are answered alike.

Theory. A finger taps twice, a browser sends again what it thinks lost. The same is: the same session, the same address,
the same octets, PINs included; so nobody is answered who did not know all that the first one knew. Once there is an
answer nothing of it is kept here: the node itself gives it again to whoever asks the same. A browser that goes away
ends nothing of what it asked.
"""

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any

from controller.web.acts.answers import WebAnswer

Same = tuple[str, str, bytes]


class Joined:
    def __init__(self) -> None:
        self._on_their_way: dict[Same, asyncio.Task[WebAnswer]] = {}

    async def answered(self, same: Same, work: Callable[[], Coroutine[Any, Any, WebAnswer]]) -> WebAnswer:
        task = self._on_their_way.get(same)
        if task is None:
            task = asyncio.get_running_loop().create_task(work())
            self._on_their_way[same] = task
            task.add_done_callback(lambda _: self._on_their_way.pop(same))
        return await asyncio.shield(task)
