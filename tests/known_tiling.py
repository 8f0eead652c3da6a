"""Published numbers of tilings, and where they are from."""

PARTRIDGE = {1: (1, 1), 2: (0, 0), 3: (0, 0), 4: (0, 0), 5: (0, 0), 6: (0, 0), 7: (0, 0), 8: (18_656, 2_332)}
"""n: all tilings, up to symmetry. n = 8: Bill Cutler and Peter Hamlyn, 1996."""

PARTRIDGE_9 = (1_730_280, 216_285)
"""Matthew Scroggs, 2025: https://www.mscroggs.co.uk/blog/119 counts them up to symmetry."""

MORON = (32, 33, (1, 4, 7, 8, 9, 10, 14, 15, 18))
"""Zbigniew Moron, 1925: a rectangle of nine different squares, in one way up to symmetry."""

DUIJVESTIJN = (112, 112, (2, 4, 6, 7, 8, 9, 11, 15, 16, 17, 18, 19, 24, 25, 27, 29, 33, 35, 37, 42, 50))
"""A. J. W. Duijvestijn, 1978: the smallest square of different squares, in one way up to symmetry."""
