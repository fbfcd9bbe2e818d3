"""A paper from beginning to end: stages that go on where they were ended, a report beside the paper's figures."""

from janshi.reproduce.run import Event, Options, ReproduceError
from janshi.reproduce.scales import SCALES, Scale
from janshi.reproduce.stages import STAGES, reproduce

__all__ = ["SCALES", "STAGES", "Event", "Options", "ReproduceError", "Scale", "reproduce"]
