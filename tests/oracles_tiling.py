"""Slow and obviously right: squares put cell by cell into a rectangle. Imports nothing of ours."""


def tilings(width, height, squares):
    """All tilings of a rectangle by the squares of a list of sides, as tuples of (x, y, side) in reading order."""
    if sum(side * side for side in squares) != width * height:
        return []
    left = {side: squares.count(side) for side in sorted(set(squares))}
    taken = [[False] * width for _ in range(height)]
    placed, found = [], []

    def fill(cell):
        while cell < width * height and taken[cell // width][cell % width]:
            cell += 1
        if cell == width * height:
            found.append(tuple(placed))
            return
        y, x = divmod(cell, width)
        for side in left:
            if not left[side] or x + side > width or y + side > height:
                continue
            if any(taken[y + j][x + i] for j in range(side) for i in range(side)):
                continue
            left[side] -= 1
            for j in range(side):
                taken[y + j][x : x + side] = [True] * side
            placed.append((x, y, side))
            fill(cell + side)
            placed.pop()
            for j in range(side):
                taken[y + j][x : x + side] = [False] * side
            left[side] += 1

    fill(0)
    return found


def images(width, height, tiling):
    """The images of a tiling under the symmetries of the rectangle: 4, or 8 for a square."""
    turns = [
        lambda x, y, s: (x, y, s),
        lambda x, y, s: (width - x - s, y, s),
        lambda x, y, s: (x, height - y - s, s),
        lambda x, y, s: (width - x - s, height - y - s, s),
    ]
    if width == height:
        turns += [lambda x, y, s, turn=turn: turn(y, x, s) for turn in turns]
    return [tuple(sorted((turn(*square) for square in tiling), key=lambda q: (q[1], q[0]))) for turn in turns]


def fundamental(width, height, found):
    """One tiling of each class: the one whose list of sides, in reading order, is least."""
    return {min(images(width, height, tiling), key=lambda t: [s for _, _, s in t]) for tiling in found}


def random_problem(random, most_cells=64):
    """A rectangle and squares that fill it in at least one way: its cells are filled with squares of random sides."""
    while True:
        width, height = random.randint(1, 9), random.randint(1, 9)
        if width * height <= most_cells:
            break
    taken, squares = [[False] * width for _ in range(height)], []
    for cell in range(width * height):
        y, x = divmod(cell, width)
        if taken[y][x]:
            continue
        most = 1
        while x + most < width and y + most < height and not any(taken[y][x + i] for i in range(most + 1)):
            most += 1
        side = random.randint(1, most) if random.random() < 0.6 else most
        squares.append(side)
        for j in range(side):
            taken[y + j][x : x + side] = [True] * side
    return width, height, sorted(squares)
