"""Pictures as SVG, without a drawing library: grids of cells, and sheets of several pictures."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final
from xml.etree import ElementTree

INK: Final = "#1b1b1b"
LINE: Final = "#5c5c5c"
FONT: Final = "Helvetica, Arial, sans-serif"


class Svg(str):
    """An SVG picture: a str that a notebook shows as the picture."""

    def _repr_svg_(self) -> str:
        return str(self)


@dataclass(frozen=True)
class Picture:
    """A drawing and its size, not yet placed on a sheet."""

    width: float
    height: float
    element: ElementTree.Element


@dataclass(frozen=True)
class Cell:
    """A unit square of a grid: where it is, what it says, and its colour."""

    row: int
    column: int
    text: str = ""
    fill: str = "#ffffff"


def _tag(parent: ElementTree.Element, name: str, text: str = "", **attributes: str | float) -> ElementTree.Element:
    made = ElementTree.SubElement(
        parent, name, {key.replace("_", "-"): _figure(value) for key, value in attributes.items()}
    )
    made.text = text or None
    return made


def _figure(value: str | float) -> str:
    return value if isinstance(value, str) else f"{value:.2f}".rstrip("0").rstrip(".")


def _text(parent: ElementTree.Element, x: float, y: float, size: float, text: str) -> None:
    _tag(parent, "text", text, x=x, y=y + 0.35 * size, font_size=size, text_anchor="middle")


def grid(cells: Sequence[Cell], caption: str = "", side: float = 36) -> Picture:
    """Draw cells as bordered squares, each with its text as large as fits, and a caption below."""
    group = ElementTree.Element("g")
    rows = max(cell.row for cell in cells) + 1
    columns = max(cell.column for cell in cells) + 1
    for cell in cells:
        x, y = cell.column * side, cell.row * side
        _tag(group, "rect", x=x, y=y, width=side, height=side, fill=cell.fill, stroke=LINE)
        if cell.text:
            size = min(0.5 * side, 1.5 * side / len(cell.text))
            _text(group, x + side / 2, y + side / 2, size, cell.text)
    height = rows * side
    if caption:
        size = min(0.4 * side, 1.6 * columns * side / len(caption))
        _text(group, columns * side / 2, height + 0.4 * side, size, caption)
        height += 0.7 * side
    return Picture(columns * side, height, group)


def sheet(pictures: Sequence[Picture], caption: str = "", across: int | None = None) -> Svg:
    """Place pictures side by side, in rows of `across` (default: about as wide as high), with a caption above."""
    gap = 14.0
    top = 26.0 if caption else 0.0
    across = across or max(1, min(len(pictures), math.ceil(math.sqrt(len(pictures)))))
    cell_width = max((picture.width for picture in pictures), default=0.0) + gap
    cell_height = max((picture.height for picture in pictures), default=0.0) + gap
    width = max(across * cell_width + gap, 7.2 * len(caption) + 2 * gap)
    height = -(-len(pictures) // across) * cell_height + gap + top
    root = ElementTree.Element(
        "svg",
        {
            "xmlns": "http://www.w3.org/2000/svg",
            "width": _figure(width),
            "height": _figure(height),
            "viewBox": f"0 0 {_figure(width)} {_figure(height)}",
            "font-family": FONT,
            "fill": INK,
        },
    )
    _tag(root, "rect", width="100%", height="100%", fill="#ffffff")
    if caption:
        _text(root, width / 2, gap + 6, 13, caption)
    for place, picture in enumerate(pictures):
        row, column = divmod(place, across)
        x, y = gap + column * cell_width, gap + top + row * cell_height
        holder = _tag(root, "g", transform=f"translate({_figure(x)} {_figure(y)})")
        holder.append(picture.element)
    return Svg(ElementTree.tostring(root, encoding="unicode"))


@dataclass(frozen=True)
class Box:
    """A rectangle of a drawing: its place and size, what it says, and its colour."""

    x: float
    y: float
    width: float
    height: float
    text: str = ""
    fill: str = "#ffffff"


def boxes(parts: Sequence[Box], caption: str = "", unit: float = 8) -> Picture:
    """Draw bordered rectangles, each with its text as large as fits, and a caption below."""
    group = ElementTree.Element("g")
    for box in parts:
        _tag(
            group,
            "rect",
            x=box.x * unit,
            y=box.y * unit,
            width=box.width * unit,
            height=box.height * unit,
            fill=box.fill,
            stroke=LINE,
        )
        if box.text:
            size = unit * min(0.55 * box.height, 1.3 * box.width / len(box.text))
            _text(group, (box.x + box.width / 2) * unit, (box.y + box.height / 2) * unit, size, box.text)
    width = unit * max(box.x + box.width for box in parts)
    height = unit * max(box.y + box.height for box in parts)
    if caption:
        size = min(14.0, 1.9 * width / len(caption))
        _text(group, width / 2, height + 0.9 * size, size, caption)
        height += 1.6 * size
    return Picture(width, height, group)
