"""The random agent of the Sichuan paper: any legal action, each as likely."""

from __future__ import annotations

from janshi.compiling import Int16, Int64, batched, rule
from janshi.core.bits import bits_set, nth_bit
from janshi.core.random import Stream, below, philox
from janshi.sichuan.state import View


@rule
def random_action(view: View, random: Int64) -> Int16:
    """What the random agent does in a view with a random word."""
    word, _b, _c, _d = philox(random, Stream.RANDOM_AGENT, 0, 0)
    legal = int(view.legal)
    return nth_bit(legal, below(word, bits_set(legal)))


random_actions = batched(random_action, brief=True)
