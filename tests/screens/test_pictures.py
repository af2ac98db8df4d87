"""The documents' pictures: scripts run, and no picture of a seat shows a card that the seat may not see."""

import io
import struct

import pytest
from PIL import Image, ImageChops
from reader import Reader

from host import pictures


@pytest.fixture(scope="module")
def scene(tmp_path_factory):
    """The script of the deal, cut off after its first picture, with what each display held then."""
    source = (pictures.FOLDER / "deal.keys").read_text(encoding="utf-8")
    path = tmp_path_factory.mktemp("scripts") / "deal.keys"
    path.write_text(source[: source.index("# Three pairs")], encoding="utf-8")
    script = pictures.Script(path)
    seen = {}
    take = script.picture

    def picture(self, name, *seats):
        for seat in seats:
            seen[int(seat)] = self.table.frame(int(seat))
        take(name, *seats)

    script.steps = {**pictures.STEPS, "picture": picture}
    made = script.run()
    return source, seen, made


def test_the_picture_of_the_deal_is_up_to_date(scene):
    """But for the clock, which may stand a second apart after a change of timing."""
    _, _, made = scene
    assert set(made) == {"deal"}
    new = Image.open(io.BytesIO(made["deal"])).convert("RGB")
    old = Image.open(pictures.FOLDER / "deal.png").convert("RGB")
    assert new.size == old.size
    differing = sum(ImageChops.difference(new, old).convert("L").histogram()[1:])
    assert differing < 1500, "run 'python -m host pictures'"


def test_no_seat_shows_another_seats_card(scene):
    source, seen, _ = scene
    hands = {}
    for line in source.splitlines():
        if line.startswith("hand "):
            hands[int(line.split()[1])] = line.split()[2:]
    assert sorted(seen) == [0, 1, 2, 3]
    for seat, pixels in seen.items():
        reader = Reader(pixels)
        played = {"6", "7", "8"}
        table = {card[0] for card in reader.row((0, 40, 320, 66))}
        assert table == played
        own = [card[0] for card in hands[seat]]
        for column in reader.hand():
            assert column["count"] <= own.count(column["rank"])
        assert sum(column["count"] for column in reader.hand()) == (21 if seat == 1 else 27)


def test_every_picture_has_a_script_that_makes_it():
    made = set()
    for path in pictures.FOLDER.glob("*.keys"):
        for line in path.read_text(encoding="utf-8").splitlines():
            if line.startswith("picture "):
                made.add(line.split()[1])
    assert made == {path.stem for path in pictures.FOLDER.glob("*.png")}


@pytest.mark.parametrize(("text", "word"), [
    ("jump 0", "no step"), ("press 0 play", "not begun"), ("table --rules chess\nbegin", "rules"),
    ("table --seats bot,bot,bot,bot\nbegin\npress 0 nokey", "keys are"),
])
def test_a_wrong_step_is_told_with_its_line(tmp_path, text, word):
    path = tmp_path / "wrong.keys"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(pictures.ScriptError, match="line") as error:
        pictures.Script(path).run()
    assert word in str(error.value)


def test_pictures_are_png_files_of_a_few_kilobytes():
    for path in pictures.FOLDER.glob("*.png"):
        data = path.read_bytes()
        assert data[:8] == b"\x89PNG\r\n\x1a\n"
        assert struct.unpack(">I", data[16:20])[0] in (640, 664)
        assert len(data) < 20_000
