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


def random_problem_with_one_smallest(random, turned=False):
    """A rectangle and squares that fill it in at least one way, one of them smaller than all others.

    It is filled cell by cell, with sides of at least 2 and one of 1, until that succeeds; then all is scaled by 1, 2 or
    3. `turned`: the way that is found is its own image under the half-turn, so the smallest square is in the middle.
    """
    while True:
        width, height = random.randint(9, 17), random.randint(9, 20)
        if turned:
            width, height = width | 1, height | 1
        squares = _filled_with_one_smallest(random, width, height, turned)
        if squares:
            scale = random.randint(1, 3)
            return width * scale, height * scale, sorted(side * scale for side in squares)


def _filled_with_one_smallest(random, width, height, turned, patience=2000):
    taken, squares = [[False] * width for _ in range(height)], []
    middle = (width // 2, height // 2) if turned else None
    states = 0

    def images(x, y, side):
        return [(x, y), (width - x - side, height - y - side)] if turned and (x, y) != middle else [(x, y)]

    def put(x, y, side, value):
        for left, top in images(x, y, side):
            for j in range(side):
                taken[top + j][left : left + side] = [value] * side

    def fits(x, y, side):
        places = images(x, y, side)
        if any(taken[top + j][left + i] for left, top in places for j in range(side) for i in range(side)):
            return False
        return len(places) == 1 or max(abs(places[0][axis] - places[1][axis]) for axis in (0, 1)) >= side

    def fill(has_one):
        nonlocal states
        states += 1
        cell = next((c for c in range(width * height) if not taken[c // width][c % width]), None)
        if cell is None or states > patience:
            return cell is None and has_one
        y, x = divmod(cell, width)
        sides = list(range(2, min(width - x, height - y) + 1))
        random.shuffle(sides)
        if not has_one:
            sides.insert(random.randint(0, len(sides)), 1)
        for side in sides:
            if fits(x, y, side):
                put(x, y, side, True)
                squares.extend([side] * len(images(x, y, side)))
                if fill(has_one or side == 1):
                    return True
                del squares[-len(images(x, y, side)) :]
                put(x, y, side, False)
        return False

    if turned:
        put(*middle, 1, True)
        squares.append(1)
    return squares if fill(turned) else None
