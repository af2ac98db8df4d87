"""The firmware's version: major (0-31), minor (0-127), patch (0-255). Host tools read this file as data."""

VERSION = (0, 1, 0)
