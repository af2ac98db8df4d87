"""The page of differences opens in a browser: old, new and difference of a screen side by side."""

import os
import shutil

import differences
import pytest
from stage import Screens
from states import following, opened


def panel(game):
    """Seat 0's screen of a game."""
    screens = Screens(game)
    screens.settle(0)
    return screens.panels[0]


def test_old_new_and_difference_stand_side_by_side_in_a_browser(tmp_path):
    program = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
    if program is None:
        assert not os.environ.get("CI"), "CI has a Chromium"
        pytest.skip("No Chromium on this machine (Debian: apt-get install chromium).")
    from playwright.sync_api import sync_playwright

    panel(opened()).image().save(tmp_path / differences.filename("a screen"))
    changed = [("a screen", panel(following())), ("another", panel(opened()))]
    path = tmp_path / "differences.html"
    path.write_text(differences.page(changed, tmp_path), encoding="utf-8")
    with sync_playwright() as p:
        browser = p.chromium.launch(executable_path=program, args=["--no-sandbox"])
        page = browser.new_page(viewport={"width": 2100, "height": 900})
        page.goto(path.as_uri())
        images = page.evaluate("[...document.images].map(i => [i.alt, i.naturalWidth, i.naturalHeight, i.y])")
        text = page.inner_text("body")
        browser.close()
    assert [row[:3] for row in images] == [[alt, 640, 480] for alt in ("old", "new", "difference", "new")]
    assert len({row[3] for row in images[:3]}) == 1, "side by side"
    assert "new state" in text


def test_a_screen_that_is_as_accepted_is_not_on_the_page(tmp_path):
    assert "No screen differs." in differences.page([], tmp_path)
