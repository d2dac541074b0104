"""Reads facts about an animated GIF (GIF89a specification, sections 17 to 23)."""


def end_of_blocks(data, at):
    """Returns the position after the sub-blocks that begin at `at`."""
    while data[at]:
        at += data[at] + 1
    return at + 1


def colour_table_bytes(flags):
    return 3 << ((flags & 7) + 1) if flags & 0x80 else 0


def facts_of_gif(data):
    """Returns width and height in pixels, the number of pictures, and the set of delays in milliseconds."""
    number = lambda at: int.from_bytes(data[at:at + 2], "little")  # noqa: E731
    facts = {"width": number(6), "height": number(8), "pictures": 0, "delays_ms": set()}
    at = 13 + colour_table_bytes(data[10])
    while data[at] != 0x3B:
        if data[at] == 0x21:
            if data[at + 1] == 0xF9:
                facts["delays_ms"].add(10 * number(at + 4))
            at = end_of_blocks(data, at + 2)
        else:
            facts["pictures"] += 1
            at = end_of_blocks(data, at + 11 + colour_table_bytes(data[at + 9]))
    return facts
