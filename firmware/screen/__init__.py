"""What a seat sees: canvas, type, cards and the screens of a seat.

Enter at ``seat.SeatScreen``: one per display, over the one shared ``canvas.Canvas``. Screens read the game's state and
never change it; nothing here knows how a display is wired. ``texts.py`` and ``shapes.txt`` are sources of ``type.bin``
(made by ``python -m host fonts``) and are not imported on the board.
"""
