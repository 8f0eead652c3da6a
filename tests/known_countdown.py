"""Published figures of the numbers game, with where they come from."""

# G. Hutton, The Countdown problem, Journal of Functional Programming 12 (2002), and the exercises after it.
HUTTON_CARDS = (1, 3, 7, 10, 25, 50)
HUTTON_ALL_TREES = 33_665_406
HUTTON = {  # form: (all valid trees, those that make 765)
    "trees": (4_672_540, 780),
    "pruned trees": (245_644, 49),
}
HUTTON_INTEGERS = 10_839_369
HUTTON_UNREACHABLE = 831
# The 780 trees flattened to forms, by two programs that are not this one.
HUTTON_FORMS = {"raw": 22, "plain": 12, "irredundant": 12}

# The totals of c4countdown, which four independent programs confirm.
UK_SETS_BY_LARGE = (2850, 5808, 3690, 840, 55)
UK_SETS = 13_243
UK_SOLVABLE = 10_858_746
UK_PAIRS = 11_905_457
UK_FULL_SETS = 1226
UK_SETS_OF_TARGET = {947: 9017, 853: 9453, 102: 13_240, 104: 13_240, 108: 13_240}
CONSECUTIVE = ((100, 2, 3, 5, 8, 9), 1912)
# One of each small card: sets, and pairs of a set and a target for which nothing within 10 can be reached.
SINGLES_SETS, SINGLES_FAR = 3003, 127
# J. Corby on the same pages: pairs whose nearest value is 0, 1, ... 10, and more than 10 away, for 0 to 4 large cards.
UK_DISTANCES = (
    (1_963_726, 353_472, 65_417, 26_954, 15_232, 9_859, 7_357, 5_780, 4_589, 3_945, 3_326, 102_493),
    (4_966_076, 220_295, 21_730, 5_813, 2_527, 1_272, 713, 470, 339, 264, 217, 1_676),
    (3_192_103, 112_258, 8_487, 1_880, 865, 435, 313, 207, 144, 114, 78, 426),
    (693_131, 53_875, 4_577, 1_332, 724, 461, 296, 206, 139, 87, 64, 268),
    (43_710, 4_661, 556, 179, 112, 75, 42, 28, 22, 18, 16, 26),
)

# datagenetics.com: the same with 100 as a target.
UK_SOLVABLE_FROM_100 = 10_871_986

# Published as about 0.94 (Lafond); worked out with the weights of draws.
UK_PROBABILITY = 0.9373

# OEIS A182173(n) / 2: forms with all of n cards in general position, n = 1 .. 6.
GENERAL_FORMS = (1, 5, 47, 733, 15_907, 443_825)

# 4nums.com: four cards of 1 .. 13 and of 1 .. 10 that make 24.
TWENTY_FOUR = {13: (1362, 1820), 10: (566, 715)}

# With fractions. Measured before by one other program only.
UK_FRACTIONS_SOLVABLE, UK_FRACTIONS_FULL_SETS = 10_974_119, 1643

# Distinct solutions in the plain form over the whole game space, pairs that have one only, and the pair with the most.
# Another program, which is not part of this one, found the same.
UK_SOLUTIONS, UK_UNIQUE = 182_180_114, 783_348
MOST_SOLUTIONS = ((2, 4, 8, 25, 50, 100), 200, 703)
