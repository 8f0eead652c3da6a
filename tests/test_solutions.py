"""What enumeration returns: a frozen sequence, its files, its pictures."""

from __future__ import annotations

import csv
import io
import json
import os
import stat
import sys
import threading
from decimal import Decimal
from fractions import Fraction
from xml.etree import ElementTree

import numpy as np
import pytest

from puzzlekit import PuzzleError, Solutions, cross
from puzzlekit._files import whole_file

FOUND = cross.enumerate()
FEW = cross.enumerate(total=30, limit=5)
FRACTIONS = cross.enumerate([Fraction(value, 7) for value in range(1, 17)], limit=5)
DECIMALS = cross.enumerate([Decimal(value) / 10 for value in range(-8, 8)], limit=5)
HUGE = cross.enumerate([value * 10**30 for value in range(1, 17)], limit=5)
FLOATS = cross.enumerate([value / 8 for value in range(1, 17)], limit=5)
NONE = cross.enumerate([1] * 16)
ALL_KINDS = pytest.mark.parametrize(
    "found", [FEW, FRACTIONS, DECIMALS, HUGE, FLOATS, NONE], ids=lambda f: str(f.array.dtype)
)


def test_a_frozen_sequence():
    assert isinstance(FOUND, Solutions)
    assert len(FOUND) == 33608
    assert (FOUND[0] == FOUND.array[0]).all()
    assert (FOUND[-1] == FOUND.array[-1]).all()
    assert [row.tolist() for row in FOUND[:3]] == FOUND.array[:3].tolist()
    assert isinstance(FOUND[10:20], cross.Solutions)
    assert (FOUND[10:20:3].array == FOUND.array[10:20:3]).all()
    assert (FOUND[FOUND.totals == 30].array == FOUND.array[FOUND.totals == 30]).all()
    assert len(FOUND[np.array([5, 3])]) == 2
    assert FOUND.array[7] in FOUND
    assert FOUND.array[7] + 1 not in FOUND
    assert "anything" not in FOUND
    assert [1, [2]] not in FOUND
    assert FOUND.index(FOUND.array[7]) == 7
    assert FOUND.count(FOUND.array[7]) == 1
    assert FOUND.count([0] * 16) == 0
    with pytest.raises(ValueError, match="not among"):
        FOUND.index(FOUND.array[7], 8)
    assert len(FOUND[[]]) == 0
    for index in ((slice(None), 0), (0, 3), None, True, FOUND.ranks, 1.0):
        with pytest.raises(TypeError):
            FOUND[index]
    assert FOUND.complete
    assert not FOUND[:3].complete
    assert FOUND.stats.units == 7
    assert FOUND[:3].stats is None
    for place in (33608, -33609):
        with pytest.raises(IndexError):
            FOUND[place]
    for array in (FOUND.array, FOUND.ranks, FOUND.totals, FOUND[0], FRACTIONS.array, FRACTIONS.totals):
        assert not array.flags.writeable
    for array in (FOUND.array, FOUND.ranks, FOUND.totals, FRACTIONS.array):
        with pytest.raises(ValueError, match="WRITEABLE"):
            array.flags.writeable = True
    with pytest.raises(AttributeError):
        del FOUND._rows
    with pytest.raises(AttributeError):
        FOUND.array = None
    assert FEW == cross.enumerate(total=30, limit=5)
    assert FEW != cross.enumerate(total=30, limit=4)
    assert FEW != FOUND[:5]
    assert FEW != 5
    with pytest.raises(TypeError):
        hash(FOUND)


def test_repr():
    lines = repr(FOUND).splitlines()
    assert lines[0] == "<33,608 fillings of the cross, sums 27 to 32>"
    assert len(lines) == 5
    assert lines[1].split() == ["27", *map(str, FOUND[0])]
    assert repr(NONE) == "<0 fillings of the cross>"
    assert repr(FEW).startswith("<5 of the fillings of the cross, sum 30>")


def test_all_lines_of_text():
    lines = FOUND.to_text().splitlines()
    assert len(lines) == 33608
    expected = np.column_stack([FOUND.totals, FOUND.array])
    assert (np.array([line.split(" ") for line in lines], int) == expected).all()


@ALL_KINDS
def test_text_csv_and_json_say_the_same(found):
    kind = type(found.array[0, 0].item() if found.array.dtype != object else found.array[0, 0]) if len(found) else int
    expected = [[total, *row] for total, row in zip(found.totals.tolist(), found.array.tolist())]
    assert [[kind(word) for word in line.split(" ")] for line in found.to_text().splitlines()] == expected
    rows = list(csv.reader(io.StringIO(found.to_csv())))
    assert rows[0] == ["total", *(f"c{cell}" for cell in range(16))]
    assert [[kind(word) for word in row] for row in rows[1:]] == expected
    document = json.loads(found.to_json(), parse_float=Decimal)
    assert document["puzzle"] == "cross"
    assert list(map(kind, document["values"])) == list(found.problem.values)
    assert document["count"] == len(found)
    assert document["complete"] == found.complete
    assert [[kind(line["total"]), *map(kind, line["cells"])] for line in document["solutions"]] == expected


def test_a_drawing_in_text():
    drawing = FOUND.draw(1000)
    words = dict(zip(cross.CELLS, FOUND[1000].tolist()))
    rows = drawing.splitlines()
    assert len(rows) == 4
    assert [list(map(int, row.split())) for row in rows] == [
        [number for (row, _), number in sorted(words.items()) if row == wanted] for wanted in range(4)
    ]
    with pytest.raises(IndexError):
        NONE.draw()


@ALL_KINDS
def test_pictures(found):
    picture = found.to_svg()
    root = ElementTree.fromstring(picture)
    assert root.tag == "{http://www.w3.org/2000/svg}svg"
    rectangles = root.findall(".//{http://www.w3.org/2000/svg}rect")
    assert len(rectangles) == 1 + 16 * len(found)
    assert picture._repr_svg_() == picture == found._repr_svg_()


def test_a_contact_sheet_says_what_it_leaves_out():
    assert "33,608 fillings of the cross, sums 27 to 32 (the first 24 are drawn)" in FOUND.to_svg()
    assert "first" not in FEW.to_svg()
    assert "(the first 3 are drawn)" in FEW.to_svg(most=3)


@pytest.mark.parametrize("suffix", [".txt", ".csv", ".json", ".npy", ".npz", ".svg", ".CSV"])
def test_files(tmp_path, suffix):
    path = tmp_path / f"cross{suffix}"
    FOUND.save(path)
    FOUND.save(str(path))  # over the first one
    assert os.listdir(tmp_path) == [path.name]
    if suffix == ".npy":
        assert (np.load(path) == FOUND.array).all()
    elif suffix == ".npz":
        with np.load(path) as arrays:
            assert sorted(arrays) == ["array", "ranks", "totals"]
            assert (arrays["array"] == FOUND.array).all()
            assert (arrays["totals"] == FOUND.totals).all()
    else:
        to = {".txt": FOUND.to_text, ".csv": FOUND.to_csv, ".json": FOUND.to_json, ".svg": FOUND.to_svg}[suffix.lower()]
        assert path.read_text() == to()


def test_files_that_can_not_be(tmp_path):
    for name in ("cross.xls", "cross", "cross.txt.gz"):
        with pytest.raises(PuzzleError, match=r"\.txt, \.csv"):
            FEW.save(tmp_path / name)
    for found in (FRACTIONS, HUGE):
        with pytest.raises(PuzzleError, match="object"):
            found.save(tmp_path / "cross.npy")
    with pytest.raises(FileNotFoundError, match=r"nowhere/cross.txt"):
        FEW.save(tmp_path / "nowhere" / "cross.txt")
    (tmp_path / "folder.txt").mkdir()
    with pytest.raises(IsADirectoryError):
        FEW.save(tmp_path / "folder.txt")
    assert os.listdir(tmp_path) == ["folder.txt"]


@pytest.mark.skipif(sys.platform != "linux", reason="/dev/full")
def test_a_name_that_is_too_long_is_an_error_before_any_work(tmp_path):
    with pytest.raises(OSError, match="a" * 300), whole_file(tmp_path / ("a" * 300)):
        pytest.fail("it has been opened")
    assert not list(tmp_path.iterdir())


def test_a_failed_write_leaves_the_old_file(tmp_path, monkeypatch):
    path = tmp_path / "cross.txt"
    path.write_text("old")

    def fail(self, form):
        yield b"new"
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(cross.Solutions, "_pieces", fail)
    with pytest.raises(OSError, match="No space"):
        FOUND.save(path)
    assert path.read_text() == "old"
    assert os.listdir(tmp_path) == ["cross.txt"]
    monkeypatch.undo()
    (tmp_path / "full.txt").symlink_to("/dev/full")
    with pytest.raises(OSError, match="No space"):
        FOUND.save(tmp_path / "full.txt")


@pytest.mark.skipif(os.name != "posix", reason="pipes")
def test_a_pipe_is_written_to(tmp_path):
    os.mkfifo(tmp_path / "pipe.txt")
    reader = threading.Thread(target=lambda: read.append((tmp_path / "pipe.txt").read_text()))
    read: list[str] = []
    reader.start()
    FEW.save(tmp_path / "pipe.txt")
    reader.join()
    assert read == [FEW.to_text()]
    assert stat.S_ISFIFO((tmp_path / "pipe.txt").stat().st_mode)


@pytest.mark.skipif(os.name != "posix", reason="modes and links")
def test_a_file_keeps_its_mode_and_a_link_stays(tmp_path):
    path, link = tmp_path / "cross.txt", tmp_path / "link.txt"
    umask = os.umask(0o027)
    try:
        FEW.save(path)
        assert stat.S_IMODE(path.stat().st_mode) == 0o640
    finally:
        os.umask(umask)
    path.chmod(0o600)
    link.symlink_to(path)
    FOUND.save(link)
    assert link.is_symlink()
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert path.read_text() == FOUND.to_text()


def test_iterate_is_enumerate():
    assert [row.tolist() for row in cross.iterate(total=32)] == FOUND.array[FOUND.totals == 32].tolist()
    for batch in (1, 7, 1000, 33607, 33608, 10**9):
        some = list(cross.iterate(batch=batch)) if batch > 1 else list(cross.iterate(total=32, batch=1))
        assert all(len(part) == batch for part in some[:-1])
        assert 0 < len(some[-1]) <= batch
        joined = np.concatenate([part.array for part in some])
        assert (joined == (FOUND.array if batch > 1 else FOUND.array[FOUND.totals == 32])).all()
    assert list(cross.iterate([1] * 16)) == []
    assert list(cross.iterate([1] * 16, batch=5)) == []
    assert [len(part) for part in cross.iterate(limit=10, batch=4)] == [4, 4, 2]
    long = cross.iterate(tolerance=5)
    assert len(next(long)) == 16
    long.close()
