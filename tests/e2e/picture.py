"""Draws what a terminal shows as a PNG, for the documentation. Needs python3-pil and fonts-dejavu-core."""

from PIL import Image, ImageDraw, ImageFont

FONTS = "/usr/share/fonts/truetype/dejavu/DejaVuSansMono"
SIZE, MARGIN = 15, 14
DARK = {"text": (205, 208, 216), "back": (24, 26, 31)}
LIGHT = {"text": (40, 42, 48), "back": (252, 252, 250)}
ANSI = [(40, 42, 48), (222, 93, 104), (121, 178, 89), (211, 160, 78), (97, 149, 233), (181, 118, 208), (80, 172, 184),
        (190, 194, 202), (112, 118, 130), (240, 118, 128), (146, 203, 115), (234, 186, 106), (126, 172, 250),
        (204, 146, 229), (107, 199, 210), (240, 242, 246)]


def palette(n):
    if n < 16:
        return ANSI[n]
    if n >= 232:
        return (8 + 10 * (n - 232),) * 3
    steps = (0, 95, 135, 175, 215, 255)
    n -= 16
    return steps[n // 36], steps[n // 6 % 6], steps[n % 6]


def color(value, default):
    return default if value is None else palette(value) if isinstance(value, int) else tuple(value)


def mix(a, b):
    return tuple((3 * x + 2 * y) // 5 for x, y in zip(a, b))


def fonts():
    names = {"": "", "b": "-Bold", "i": "-Oblique", "bi": "-BoldOblique"}
    return {style: ImageFont.truetype(f"{FONTS}{name}.ttf", SIZE) for style, name in names.items()}


def draw(path, cells, light=False):
    base = LIGHT if light else DARK
    faces = fonts()
    wide, high = round(faces[""].getlength("M")), SIZE + 5
    while cells and not any(cell[0].strip() for cell in cells[-1]):
        cells.pop()
    image = Image.new("RGB", (2 * MARGIN + wide * len(cells[0]), 2 * MARGIN + high * len(cells)), base["back"])
    pen = ImageDraw.Draw(image)
    for y, row in enumerate(cells):
        for x, (text, fore, back, style) in enumerate(row):
            left, top = MARGIN + x * wide, MARGIN + y * high
            front, behind = color(fore, base["text"]), color(back, base["back"])
            if "r" in style:
                front, behind = behind, front
            if "d" in style:
                front = mix(front, behind)
            if behind != base["back"]:
                pen.rectangle((left, top, left + wide - 1, top + high - 1), fill=behind)
            if text == "─":
                pen.line((left, top + high // 2, left + wide - 1, top + high // 2), fill=front)
            elif text.strip():
                pen.text((left, top), text, font=faces["".join(c for c in "bi" if c in style)], fill=front)
            if "u" in style:
                pen.line((left, top + high - 2, left + wide - 1, top + high - 2), fill=front)
    image.save(path, optimize=True)
