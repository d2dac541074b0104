#!/usr/bin/env python3
"""Makes the sample images of the convolution preview: chart.png, harbour.png, noise.png (and chart16.png of 16 bits).

This script draws them, so they are free of foreign rights; the same bytes come out on every machine.
  assets/images/make.py [FOLDER]
"""
import struct
import sys
import zlib
from pathlib import Path


class Random:
    """A linear congruential generator (Knuth's MMIX): the same numbers in every version of Python."""

    def __init__(self, seed):
        self.state = seed

    def below(self, limit):
        self.state = (self.state * 6364136223846793005 + 1442695040888963407) % 2**64
        return (self.state >> 33) * limit >> 31


class Picture:
    def __init__(self, width, height, channels, bits=8):
        self.width, self.height, self.channels, self.bits = width, height, channels, bits
        self.rows = [[0] * (width * channels) for _ in range(height)]

    def point(self, x, y, colour):
        if 0 <= x < self.width and 0 <= y < self.height:
            self.rows[y][x * self.channels:(x + 1) * self.channels] = colour

    def box(self, left, top, right, bottom, colour):
        left, right = max(left, 0), min(right, self.width)
        for y in range(max(top, 0), min(bottom, self.height)):
            self.rows[y][left * self.channels:right * self.channels] = list(colour) * max(right - left, 0)

    def polygon(self, corners, colour):
        """Even-odd, at the middles of pixels; integer corners."""
        for y in range(max(min(c[1] for c in corners), 0), min(max(c[1] for c in corners), self.height)):
            cuts = []
            for (x0, y0), (x1, y1) in zip(corners, corners[1:] + corners[:1]):
                if (2 * y + 1 < 2 * y0) != (2 * y + 1 < 2 * y1):
                    cuts.append(x0 + (2 * y + 1 - 2 * y0) * (x1 - x0) // (2 * (y1 - y0)))
            cuts.sort()
            for left, right in zip(cuts[::2], cuts[1::2]):
                self.box(left, y, right, y + 1, colour)

    def disc(self, x, y, radius, colour):
        for row in range(y - radius, y + radius + 1):
            half = int((radius * radius - (row - y) ** 2) ** 0.5)
            self.box(x - half, row, x + half + 1, row + 1, colour)

    def write(self, path):
        """PNG, every row as the difference from the one above."""
        step = self.bits // 8
        packed, above = bytearray(), bytes(self.width * self.channels * step)
        for row in self.rows:
            raw = bytes(row) if step == 1 else struct.pack(f">{len(row)}H", *row)
            packed += b"\x02" + bytes((a - b) & 255 for a, b in zip(raw, above))
            above = raw
        kind = {1: 0, 2: 4, 3: 2, 4: 6}[self.channels]
        head = struct.pack(">IIBBBBB", self.width, self.height, self.bits, kind, 0, 0, 0)

        def chunk(name, data):
            return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))

        path.write_bytes(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head)
                         + chunk(b"IDAT", zlib.compress(bytes(packed), 9)) + chunk(b"IEND", b""))


def mixed(a, b, part, whole):
    return [x + (y - x) * part // whole for x, y in zip(a, b)]


def skyline(picture, random, horizon):
    for base, colour in ((150, (84, 98, 130)), (90, (62, 74, 102))):
        corners = [(0, horizon)]
        for x in range(0, picture.width + 64, 64):
            corners.append((x, horizon - base - random.below(70)))
        picture.polygon(corners + [(picture.width, horizon)], colour)
    x = 44
    while x < picture.width - 40:
        wide, high = 28 + random.below(14), 70 + random.below(120)
        picture.box(x, horizon - high, x + wide, horizon, (28, 34, 46) if random.below(2) else (38, 46, 62))
        for top in range(horizon - high + 8, horizon - 8, 10):
            for left in range(x + 5, x + wide - 5, 8):
                if random.below(3):
                    picture.box(left, top, left + 4, top + 5, (250, 214, 130))
        x += wide + 4 + random.below(26)


def boat(picture, x, y, size):
    picture.box(x, y - 2 * size, x + 2, y, (20, 24, 32))
    picture.polygon([(x + 4, y - 2 * size), (x + 4, y - 4), (x + size, y - 4)], (236, 228, 210))
    picture.polygon([(x - size, y), (x + size + 6, y), (x + size - 4, y + size // 3), (x - size + 8, y + size // 3)], (20, 26, 40))


def harbour():
    picture, random = Picture(1024, 832, 3), Random(7)
    horizon = 490
    for y in range(horizon):
        top, middle, low = (44, 66, 104), (128, 116, 116), (196, 150, 112)
        colour = mixed(top, middle, y, 300) if y < 300 else mixed(middle, low, y - 300, horizon - 300)
        picture.box(0, y, 1024, y + 1, colour)
    for y in range(horizon, 832):
        picture.box(0, y, 1024, y + 1, mixed((186, 140, 106), (22, 36, 56), y - horizon, 832 - horizon))
    picture.disc(736, 316, 54, (246, 216, 156))
    skyline(picture, random, horizon)
    for _ in range(900):
        y = horizon + 4 + random.below(832 - horizon - 8)
        x, length = random.below(1024), 6 + random.below(34)
        light = random.below(3)
        colour = picture.rows[y][x * 3:x * 3 + 3]
        picture.box(x, y, x + length, y + 2, mixed(colour, (250, 206, 150) if light else (18, 26, 40), 1, 4))
    for x, y, size in ((96, 596, 30), (206, 574, 34), (316, 606, 30), (540, 590, 30), (764, 612, 32), (876, 596, 28),
                       (650, 690, 36), (404, 740, 38), (980, 606, 30)):
        boat(picture, x, y, size)
    return picture


def chart(bits=8):
    """Steps, lines of falling width, discs, a checkerboard, single points and a ramp."""
    picture, top = Picture(256, 256, 1, bits), 2**bits - 1
    picture.box(0, 0, 256, 256, [top // 2])
    for i in range(16):
        picture.box(16 * i, 0, 16 * i + 16, 32, [top * i // 15])
    x = 8
    for width in (8, 6, 5, 4, 3, 2, 1, 1, 1, 1):
        picture.box(x, 40, x + width, 104, [top])
        picture.box(x + width, 40, x + 2 * width, 104, [0])
        x += 2 * width
    for y in range(64):
        for x in range(64):
            picture.point(176 + x, 40 + y, [top if (x // 4 + y // 4) % 2 else 0])
    for i, radius in enumerate((28, 20, 12, 6, 3, 1)):
        picture.disc(34 + (0, 56, 94, 120, 136, 146)[i], 144, radius, [0 if i % 2 else top])
    for i in range(8):
        picture.point(196 + 7 * i, 130, [top])
        picture.point(196 + 7 * i, 150, [0])
    picture.polygon([(8, 240), (72, 184), (120, 240)], [top])
    for x in range(120):
        picture.box(128 + x, 184, 129 + x, 244, [top * x // 119])
    return picture


def noise():
    picture, random = Picture(128, 128, 1), Random(11)
    for row in picture.rows:
        row[:] = [random.below(256) for _ in row]
    return picture


def main():
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parent
    harbour().write(folder / "harbour.png")
    chart().write(folder / "chart.png")
    chart(16).write(folder / "chart16.png")
    noise().write(folder / "noise.png")


main()
