"""What is wanted, signed: the request that goes to the node."""

from controller.ctl.orders import Wanted
from controller.node.control.client import asking, doing
from controller.node.vocabulary.protocol import Pin, Request

TWO = "two_persons_needed"


def request_for(wanted: Wanted, by: Pin, second: Pin | None, new_pin: str, id_: str = "") -> Request:
    """An id that is given is one that was asked before."""
    if wanted.do is None:
        return asking(wanted.input, by, second, id_)
    told = {**wanted.told, **({"new_pin": new_pin} if wanted.new_pin else {})}
    return doing(wanted.do, by, second, id_, **told)
