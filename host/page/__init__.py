"""The browser page of the simulated table: a web server beside the table, and the page that it serves.

Enter at ``server.serve``. ``links`` says who may see and press what, ``fingers`` turns messages into
presses that a debounced pad notices, ``pictures`` packs changed rectangles, ``record`` and ``words`` keep
the record of play and say it in three languages, ``pointing`` turns a click on a card into key presses,
``glyphs`` lets the page read a hand aloud, ``measure`` measures it all in a browser.
``static/`` is the page itself: plain modules, no build step, no request to anywhere else.
"""
