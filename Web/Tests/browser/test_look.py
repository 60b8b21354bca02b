"""What stays usable with large text, narrow windows, and the system's own colours."""

import datetime
import re

import pytest

PAGES = ["/", "/craving", "/use", "/history", "/progress", "/recordings", "/record", "/settings",
         "/settings/erase", "/food", "/food/months", "/food/ingredients", "/habits",
         "/faith/entries"]
# Links in text are exempt: these are the ones that stand alone.
ALONE = """[...document.querySelectorAll(
    'nav a, main .button, main button, main select, .submit a, .chip, .check, .menu a')]
    .filter(e => e.checkVisibility() && e.getBoundingClientRect().height < 43.9)
    .map(e => e.outerHTML.slice(0, 80))"""
# Words of headings, tabs, calendars and figures that are on two lines.
BROKEN = """[...document.querySelectorAll(
    'h1, body > nav span, body > nav a, .week span:not(.hidden), .figures th, .figures td')]
    .flatMap(e => [...e.childNodes])
    .filter(n => n.nodeType == 3)
    .flatMap(n => [...n.data.matchAll(/\\S+/g)].map(m => {
      const range = document.createRange();
      range.setStart(n, m.index); range.setEnd(n, m.index + m[0].length);
      return [m[0], new Set([...range.getClientRects()].map(r => r.top)).size];
    })).filter(([, lines]) => lines > 1)"""


@pytest.mark.parametrize("size", ["100%", "200%"])
def test_a_narrow_window_and_large_text_lose_nothing(library, serve, open_page, size):
    library.imports("aac.m4a")
    library.holdfast("craving", "log", "--intensity", "9")
    for journal in ("food", "habits", "faith"):
        library.holdfast("journal", "enable", journal)
    library.holdfast("habit", "add", "Walk")
    for day in (0, 1):
        at = datetime.datetime.now() - datetime.timedelta(days=day)
        library.holdfast("food", "log", "--name", "Soup", "--quantity", "1", "--unit", "bowl",
                         "--calories", "2150", "--protein", "5", "--carbohydrates", "28.5",
                         "--fat", "1", "--at", f"{at:%Y-%m-%d} 00:01")
    watched = open_page(serve(), viewport={"width": 320, "height": 640}).login()
    for path in PAGES:
        page = watched.goto(path)
        page.evaluate(f"document.documentElement.style.fontSize = '{size}'")
        wide = page.evaluate("document.documentElement.scrollWidth - innerWidth")
        assert wide <= 0, (path, wide)
        assert page.evaluate(ALONE) == [], path
        assert page.evaluate(BROKEN) == [], path
        tabs = [tab.bounding_box() for tab in page.locator("body > nav a").all()]
        assert all(tab["x"] >= 0 and tab["x"] + tab["width"] <= 320.5 for tab in tabs), path


def test_large_text_leaves_today_in_sight(library, serve, open_page):
    for journal in ("food", "habits"):
        library.holdfast("journal", "enable", journal)
    library.holdfast("habit", "add", "Walk")
    watched = open_page(serve(), viewport={"width": 320, "height": 640}).login()
    # Before the page's script, as a browser's setting is.
    watched.page.add_init_script("""document.addEventListener('readystatechange', () => {
        document.documentElement.style.fontSize = '200%'; })""")
    for path in ("/food/months", "/habits"):
        page = watched.goto(path)
        calendar = page.locator(".scroll")
        assert calendar.evaluate("box => box.scrollWidth > box.clientWidth"), path
        day = page.locator(".week [aria-current]").bounding_box()
        assert day["x"] >= 0 and day["x"] + day["width"] <= 320.5, (path, day)


def test_pages_lead_back_and_the_frame_keeps_still(library, serve, open_page):
    library.imports("portrait.mov")
    library.holdfast("journal", "enable", "faith")
    recording = library.one("SELECT id FROM recording")
    watched = open_page(serve(), color_scheme="dark").login()
    parents = {"/": None, "/progress": None, "/recordings": None, "/settings": None,
               "/craving": "Home", "/history": "Home", "/phone": "Settings", "/faith": "Home",
               "/messages": "Settings", f"/recordings/{recording}": "Recordings",
               f"/recordings/{recording}/picture": "Recording", "/faith/prayers": "Faith"}
    # The script waits for the whole page: an async one may run while half of it is there.
    assert not watched.page.locator("script").evaluate("script => script.async")
    tabs = set()
    for path, parent in parents.items():
        page = watched.goto(path)
        assert page.locator(".up").all_inner_texts() == ([parent] if parent else []), path
        tabs.add(tuple(tab.bounding_box()["x"] for tab in page.locator("body > nav a").all()))
    assert len(tabs) == 1, tabs
    page.locator(".up a").click()
    page.wait_for_url("**/faith")
    # Titles do not move on a wide screen.
    page.set_viewport_size({"width": 1440, "height": 900})
    places = {watched.goto(path).locator("h1").bounding_box()["x"] for path in parents}
    assert len(places) == 1, places
    # Placeholders are as plain as other soft text.
    page = watched.goto("/recordings")
    assert page.locator("#q").evaluate("e => getComputedStyle(e, '::placeholder').color") \
        == page.locator(".recording .detail").first.evaluate("e => getComputedStyle(e).color")
    # What has the focus after a search does not look like a field.
    page.goto(watched.server.origin + "/recordings?q=nothing#found")
    assert page.locator("#found").evaluate("e => getComputedStyle(e).outlineStyle") != "solid"


def test_forced_colours_show_what_is_chosen(library, serve, open_page):
    library.holdfast("journal", "enable", "habits")
    library.holdfast("habit", "add", "Walk")
    watched = open_page(serve(), forced_colors="active").login()
    page = watched.goto("/craving")
    page.get_by_text("More details (optional)").click()
    page.locator(".chip input").first.check()
    content = "e => getComputedStyle(e, '::before').content"
    assert page.locator(".chip span").first.evaluate(content) == '"✓"'
    assert page.locator(".chip span").nth(1).evaluate(content) == "none"
    chosen = page.locator("body > nav a[aria-current]")
    assert chosen.evaluate("e => getComputedStyle(e).outlineStyle") == "solid"
    # The browser's own bar would look empty.
    bar = watched.goto("/habits").locator("progress")
    assert bar.evaluate("e => getComputedStyle(e).appearance") == "none"


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
