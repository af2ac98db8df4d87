"""Key scripts of every screen hold, in the real interpreter: each in one language and layout here, so that all six come
up; ``python tests/screens/scripted.py`` runs each in all of them.
"""

import pytest
import scripted

RUNS = [(path, *scripted.variants()[(5 * i + 3) % 6]) for i, path in enumerate(scripted.scripts())]


@pytest.mark.parametrize(("path", "lang", "layout"), RUNS, ids=[path.stem for path, _, _ in RUNS])
def test_a_script_shows_what_was_accepted_and_what_the_state_says(path, lang, layout):
    frames, wrong = scripted.play(path, lang, layout)
    assert wrong == [], "\n".join(wrong)
    known = scripted.accepted()
    changed = [name for name, pixels in frames.items() if known.get(name, "new") != scripted.digest(pixels)]
    assert changed == [], "See them with 'python tests/screens/scripted.py'; add --accept if they are meant."
