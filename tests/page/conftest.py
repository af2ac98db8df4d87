"""Fixtures: a page server over a table, a Chromium to look at it."""

import os
import shutil

import pytest
from fake_table import FakeTable
from looking import CHROMIUM_OPTIONS, Server, Tab


@pytest.fixture
def serve():
    """serve(table, ...) -> Server; every one is stopped after the test."""
    running = []

    def start(table=None, **options):
        running.append(Server(table or FakeTable(), **options))
        return running[-1]

    yield start
    for server in running:
        server.stop()


@pytest.fixture(scope="module")
def chromium():
    """A headless Chromium of this machine; nothing is downloaded.

    Not for the whole session: while Playwright runs, no other test could run an event loop in this thread."""
    names = ("chromium", "chromium-browser", "google-chrome")
    path = next((found for found in map(shutil.which, names) if found), None)
    if path is None:
        sentence = "No Chromium on this machine: the page is not tested (Debian: apt-get install chromium)."
        if os.environ.get("CI"):
            pytest.fail(sentence)
        pytest.skip(sentence)
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=CHROMIUM_OPTIONS)
        yield browser
        browser.close()


@pytest.fixture
def open_tab(chromium):
    """open_tab(address, **context) -> Tab; closed after the test, which fails if the page had an error."""
    tabs = []

    def start(address, **context):
        tabs.append(Tab(chromium, address, **context))
        return tabs[-1]

    yield start
    for tab in tabs:
        tab.context.close()
    # A table that is closed or powered off while a page looks on is told by the page; nothing else may be
    # wrong.
    expected = ("WebSocket connection", "net::ERR_CONNECTION_REFUSED")
    errors = [e for tab in tabs for e in tab.errors if not any(known in e for known in expected)]
    assert not errors
