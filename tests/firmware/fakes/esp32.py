"""A board without a journal partition; tests that want flash use ``rig.Chip``."""


class Partition:
    TYPE_DATA = 1

    @staticmethod
    def find(type, subtype, label=None):
        return []


class RMT:
    @staticmethod
    def bitstream_channel(value=-1):
        return value
