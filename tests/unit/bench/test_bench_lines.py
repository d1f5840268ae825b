"""The count of the product's lines tells what was there from what came by patterns, which must go with the files."""

from fnmatch import fnmatchcase

from tests.bench import lines


def test_every_pattern_of_the_count_still_names_a_file() -> None:
    """Who moves a room moves its pattern too: else what came since would count as what was there."""
    names = [name for _, name in lines.product_files()]
    patterns = [*lines.DATA, *(pattern for patterns in lines.CAME.values() for pattern in patterns)]
    assert [one for one in patterns if not any(fnmatchcase(name, one) for name in names)] == []


def test_no_line_is_left_out_or_counted_twice() -> None:
    """What was there, what came and the domains' data are all that there is."""
    kept, came = lines.counted()
    data = sum(
        file.read_text(encoding="utf-8").count("\n")
        for file, name in lines.product_files()
        if any(fnmatchcase(name, one) for one in lines.DATA) and not lines.subject_of(name)
    )
    everything = sum(file.read_text(encoding="utf-8").count("\n") for file, _ in lines.product_files())
    assert sum(kept.values()) + sum(came.values()) + data == everything
