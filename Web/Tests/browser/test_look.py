"""What stays usable with large text, narrow windows, and the system's own colours."""

import re

import pytest

PAGES = ["/", "/craving", "/use", "/history", "/progress", "/recordings", "/record", "/settings",
         "/settings/erase"]
# Links in text are exempt: these are the ones that stand alone.
ALONE = """[...document.querySelectorAll(
    'nav a, main .button, main button, main select, .submit a, .chip, .check, .menu a')]
    .filter(e => e.checkVisibility() && e.getBoundingClientRect().height < 43.9)
    .map(e => e.outerHTML.slice(0, 80))"""


@pytest.mark.parametrize("size", ["100%", "200%"])
def test_a_narrow_window_and_large_text_lose_nothing(library, serve, open_page, size):
    library.imports("aac.m4a")
    library.holdfast("craving", "log", "--intensity", "9")
    watched = open_page(serve(), viewport={"width": 320, "height": 640}).login()
    for path in PAGES:
        page = watched.goto(path)
        page.evaluate(f"document.documentElement.style.fontSize = '{size}'")
        wide = page.evaluate("document.documentElement.scrollWidth - innerWidth")
        assert wide <= 0, (path, wide)
        assert page.evaluate(ALONE) == [], path
        tabs = [tab.bounding_box() for tab in page.locator("body > nav a").all()]
        assert all(tab["x"] >= 0 and tab["x"] + tab["width"] <= 320.5 for tab in tabs), path


def test_forced_colours_show_what_is_chosen(serve, open_page):
    watched = open_page(serve(), forced_colors="active").login()
    page = watched.goto("/craving")
    page.get_by_text("More details (optional)").click()
    page.locator(".chip input").first.check()
    content = "e => getComputedStyle(e, '::before').content"
    assert page.locator(".chip span").first.evaluate(content) == '"✓"'
    assert page.locator(".chip span").nth(1).evaluate(content) == "none"
    chosen = page.locator("body > nav a[aria-current]")
    assert chosen.evaluate("e => getComputedStyle(e).outlineStyle") == "solid"


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_no_intensity_has_the_colour_of_deletions(serve, open_page, scheme):
    page = open_page(serve(), color_scheme=scheme).login().goto("/craving")
    colours = page.evaluate("""['danger', 'mild', 'moderate', 'strong', 'overwhelming'].map(name =>
        getComputedStyle(document.documentElement).getPropertyValue('--' + name).trim())""")
    assert "" not in colours and len(set(colours)) == 5, colours


def test_a_wide_screen_has_columns_and_the_player_shows_the_notes(library, serve, open_page):
    library.imports("aac.m4a")
    watched = open_page(serve(), viewport={"width": 1440, "height": 900}).login()
    page = watched.goto("/recordings")
    columns = "e => getComputedStyle(e).gridTemplateColumns.split(' ').length"
    assert page.locator("main > .cards").evaluate(columns) in (4, 5)
    recording = library.one("SELECT id FROM recording")
    page = watched.goto(f"/recordings/{recording}")
    assert page.locator("main > .notes").count() == 0
    page.get_by_text("Edit", exact=True).click()
    page.locator("#notes").fill("Why I stopped\nin spring")
    page.get_by_role("button", name="Keep changes").click()
    page.locator("main > .notes").wait_for()
    assert page.locator("main > .notes").inner_text() == "Why I stopped\nin spring"


def test_dates_are_said_as_people_say_them(library, serve, open_page):
    library.imports("aac.m4a")
    library.holdfast("craving", "log", "--intensity", "4")
    watched = open_page(serve()).login()
    assert watched.goto("/history").locator("h2").all_inner_texts() == ["Today"]
    for path in ("/", "/recordings", "/history"):
        details = watched.goto(path).locator(".detail").all_inner_texts()
        assert not any(re.search(r"[0-9]{4}-[0-9]{2}", text) for text in details), (path, details)
