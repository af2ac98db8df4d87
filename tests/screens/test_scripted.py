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
    changed = [name for name, pixels in frames.items() if known.get(name) != scripted.digest(pixels)]
    assert changed == [], "See them with 'python tests/screens/scripted.py'; add --accept if they are meant."

def test_every_script_has_hashes_in_three_languages_and_both_layouts():
    known = {tuple(name.split(" · ")[:3]) for name in scripted.accepted()}
    assert known == {
        (path.stem, scripted.LANGS[lang], scripted.LAYOUTS[layout])
        for path in scripted.scripts() for lang, layout in scripted.variants()
    }
