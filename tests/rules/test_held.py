"""What is kept for long holds none of the modules that are put back after use: a function would hold its module."""

import types

import pytest

from shared_rules import rulesets, score


@pytest.mark.parametrize("kind", [rulesets.RuleSet, score.Settlement])
def test_what_is_kept_has_no_functions(kind):
    assert not [name for name, value in vars(kind).items() if isinstance(value, types.FunctionType)]
