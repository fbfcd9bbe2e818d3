"""The luck of Riichi: how much each tile drawn and each deal changes the expected result of a game.

`draws` follows tables from one draw to the next and describes each draw, `endings` says what a hand can end in and
what follows, `model` predicts the ending from the draw, `measuring` adds up the luck of games.
"""
