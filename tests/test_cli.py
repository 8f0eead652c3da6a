"""The command line, run as a program."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
import pytest

from puzzlekit import __version__, cross

COMMAND = [str(Path(sys.executable).with_name("puzzlekit"))]
MODULE = [sys.executable, "-m", "puzzlekit"]
TABLE = [
    "sum  fillings",
    "27     4,440",
    "28     7,400",
    "29     9,368",
    "30     6,096",
    "31     5,104",
    "32     1,200",
]


def run(
    *arguments: str, command: list[str] = COMMAND, cwd: str | Path | None = None
) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*command, *arguments],
        cwd=cwd or tempfile.gettempdir(),  # not where the sources are
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
        stdin=subprocess.DEVNULL,
    )


@pytest.mark.parametrize("command", [COMMAND, MODULE], ids=["puzzlekit", "python -m puzzlekit"])
def test_all_fillings_and_the_table(command):
    done = run("cross", command=command)
    assert done.returncode == 0
    assert done.stdout == cross.enumerate().to_text()
    lines = [line.strip() for line in done.stderr.splitlines()]
    assert lines[:-2] == TABLE
    assert lines[-2] == "all    33,608"
    assert lines[-1].endswith(" s")


def test_count():
    done = run("cross", "--count", *map(str, range(-8, 8)))
    assert (done.returncode, done.stdout) == (0, "56712\n")
    assert "56,712" in done.stderr
    assert run("cross", "--count", "--total", "29").stdout == "9368\n"
    assert run("cross", "--count", *["1"] * 16).stdout == "0\n"
    assert run("cross", "--count", "--total", "-4").stdout == "0\n"


def test_numbers_of_all_kinds():
    sevenths = [f"-{value}/7" for value in range(1, 17)]
    assert run("cross", "--count", *sevenths).stdout == "33608\n"
    done = run("cross", "--limit", "1", "--total", "-27/7", *sevenths)
    assert done.stdout.startswith("-27/7 ")
    tenths = [f"{value / 10}" for value in range(1, 17)]
    assert run("cross", "--count", *tenths).stdout == "33608\n"
    assert run("cross", "--count", "-1e3", "-.5", *["0"] * 14).stdout == "0\n"


@pytest.mark.parametrize("form", ["text", "csv", "json"])
def test_formats(form):
    done = run("cross", "--format", form, "--limit", "70000", "--threads", "2")
    to = {"text": "to_text", "csv": "to_csv", "json": "to_json"}[form]
    assert done.stdout == getattr(cross.enumerate(), to)()
    few = run("cross", "--format", form, "--limit", "5").stdout
    assert few == getattr(cross.enumerate(limit=5), to)()
    if form == "json":
        assert json.loads(few)["complete"] is False
        assert json.loads(run("cross", "--format", "json", *["1"] * 16).stdout)["solutions"] == []


@pytest.mark.parametrize("name", ["out.txt", "out.csv", "out.json", "out.npy", "out.npz", "out.svg"])
def test_files(tmp_path, name):
    done = run("cross", "-o", str(tmp_path / name))
    assert (done.returncode, done.stdout) == (0, "")
    assert "33,608" in done.stderr
    assert cross.enumerate().draw() in done.stderr
    cross.enumerate().save(tmp_path / f"expected{name[3:]}")
    if name != "out.npz":  # it holds times
        assert (tmp_path / name).read_bytes() == (tmp_path / f"expected{name[3:]}").read_bytes()
    else:
        assert (np.load(tmp_path / name)["array"] == cross.enumerate().array).all()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["1", "2"], "values must be 16 numbers, not 2"),
        (["0"] * 17, "not more than 16"),
        (["x"] * 16, "'x' is not a number"),
        (["nan"] * 16, "NaN is not finite"),
        (["1/0"] * 16, "'1/0' is not a number"),
        (["1e999999999"] * 16, "digits"),
        (["--limit", "-1"], "limit must not be negative, not -1"),
        (["--limit", "1.5"], "'1.5' is not a whole number"),
        (["--limit", "many"], "'many' is not a whole number"),
        (["--limit"], "--limit"),
        (["--threads", "0"], "threads must be at least 1, not 0"),
        (["--tolerance", "-1"], "tolerance must not be negative"),
        (["--total", "many"], "'many' is not a number"),
        (["--format", "xls"], "xls"),
        (["-o", "cross.xls"], "'.xls'"),
        (["-o", "no such folder/cross.txt"], "no such folder/cross.txt"),
        (["-o", "."], "'.' ends in ''"),
        (["-o", "-1"], "'-1' ends in ''"),
        (["--unknown"], "--unknown"),
        (["--count", "-o", "count.npy"], "--count"),
        (["--count", "--limit", "5"], "--count"),
        (["--count", "--format", "csv"], "--count"),
    ],
)
def test_bad_input_is_one_line_and_exit_code_2(tmp_path, arguments, message):
    done = run("cross", *arguments, cwd=tmp_path)
    assert done.returncode == 2
    assert done.stdout == ""
    assert message in done.stderr
    assert len(done.stderr.splitlines()) == 1
    assert os.listdir(tmp_path) == []


def test_no_family_and_an_unknown_one():
    assert run().returncode == 2
    assert run("crossword").returncode == 2
    assert run("--version").stdout == f"puzzlekit {__version__}\n"
    assert "fillings" in run("cross", "--help").stdout


@pytest.mark.skipif(os.name != "posix", reason="pipes")
def test_a_closed_pipe_ends_it_quietly():
    for arguments in ("cross", "cross --tolerance 3"):  # also when there is more to search
        pipe = f"'{COMMAND[0]}' {arguments} | head -n 2"
        done = subprocess.run(
            ["bash", "-o", "pipefail", "-c", pipe], capture_output=True, text=True, timeout=60, check=False
        )
        assert done.returncode == 0
        assert len(done.stdout.splitlines()) == 2
        assert "Traceback" not in done.stderr
        assert "rror" not in done.stderr


@pytest.mark.skipif(os.name != "posix", reason="a shell")
def test_closed_and_strange_outputs():
    done = subprocess.run(
        ["sh", "-c", f"'{COMMAND[0]}' cross >&-"], capture_output=True, text=True, timeout=60, check=False
    )
    assert done.returncode == 2
    assert "Traceback" not in done.stderr
    done = subprocess.run(
        ["sh", "-c", f"ln -s /dev/stdout out.txt; '{COMMAND[0]}' cross --limit 3 -o out.txt | cat; rm out.txt"],
        cwd=tempfile.mkdtemp(),
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.stdout == cross.enumerate(limit=3).to_text()


@pytest.mark.skipif(sys.platform != "linux", reason="/dev/full")
def test_a_full_disk():
    with open("/dev/full", "w") as full:
        done = subprocess.run(
            [*COMMAND, "cross"], stdout=full, stderr=subprocess.PIPE, text=True, timeout=60, check=False
        )
    assert done.returncode == 2
    assert "No space left" in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.skipif(os.name != "posix", reason="signals")
def test_ctrl_c(tmp_path):
    path = tmp_path / "cross.txt"
    process = subprocess.Popen(
        [*COMMAND, "cross", "--tolerance", "5", "-o", str(path)],
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),  # also when the tests run in the background
    )
    try:
        while not os.listdir(tmp_path):  # it has begun
            time.sleep(0.05)
        time.sleep(0.5)
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=30)
    finally:
        process.kill()
    assert process.returncode == 130
    assert errors.splitlines() == ["interrupted"]
    assert os.listdir(tmp_path) == []
