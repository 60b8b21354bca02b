"""Checks pages as users see them: on a phone and on a wide screen, light and dark."""

from axe_playwright_python.sync_playwright import Axe

from conftest import picture

LOOKS = [(390, 844, "light"), (1440, 900, "dark"), (390, 844, "dark"), (1440, 900, "light")]
# Targets of less than 44 px, which a finger needs.
SMALL = """[...document.querySelectorAll(
    'main button, main .button, main select, '
    + 'main input:not([type=hidden], [type=checkbox], [type=radio])')]
    .filter(e => e.checkVisibility())
    .filter(e => e.getBoundingClientRect().height < 43.9).map(e => e.outerHTML.slice(0, 80))"""
# Text for screen readers alone takes no room, however long it is.
SHOWN = "[...document.querySelectorAll('.hidden')].filter(e => e.offsetWidth > 1).length"


def look(watched, path, name):
    """Expects that the page at `path` is sound in each look, and keeps pictures as `name`."""
    page = watched.goto(path)
    assert page.title().endswith("· Holdfast"), path
    assert page.locator("h1").inner_text() not in ("Page not found", "Something went wrong"), path
    for width, height, scheme in LOOKS:
        page.set_viewport_size({"width": width, "height": height})
        page.emulate_media(color_scheme=scheme)
        wide = page.evaluate("document.documentElement.scrollWidth - innerWidth")
        assert wide <= 0, (path, width, wide)
        assert page.evaluate(SMALL) == [], (path, width)
        assert page.evaluate(SHOWN) == 0, (path, width)
        # The findings of axe depend on the colours and the shown elements: two looks have them all.
        if (width, scheme) in ((390, "light"), (1440, "dark")):
            found = [violation for violation in Axe().run(page).response["violations"]
                     if violation["impact"] in ("serious", "critical")
                     or violation["id"] == "heading-order"]
            assert found == [], (path, width, scheme,
                                 [(v["id"], v["nodes"][0]["html"]) for v in found])
        picture(page, f"{name}-{width}-{scheme}")


def name_of(path):
    """Returns a name for the pictures of a page, the same for each record."""
    path, _, query = path.strip("/").partition("?")
    name = "-".join(part if len(part) < 20 else "one" for part in path.split("/"))
    return (name or "home") + (
        "-" + query.split("&")[0][:20].replace("=", "-").replace("/", "") if query else "")
