"""The words of Progress about the figures."""

import re

import pytest

ORDER = ["Time since the last use", "Longest stretch", "Intensity over time", "Amounts over time",
         "Triggers", "Places", "Hours of the day", "Weekdays", "Methods",
         "Change since your beginning", "Recordings that helped"]


def log(library, what, at, *options):
    library.holdfast(what, "log", "--at", at, *options)


def headings(page):
    return page.locator("main h2").all_inner_texts()


def figure(page, name):
    return page.locator("section").filter(has=page.get_by_role("heading", name=name, exact=True))


def test_with_nothing_there_are_invitations(library, serve, open_page):
    watched = open_page(serve()).login()
    page = watched.goto("/progress")
    assert headings(page) == [name for name in ORDER if name != "Longest stretch"]
    assert page.locator("main svg").count() == 0 and page.locator("details").count() == 0
    for name in ORDER[2:9]:
        assert "appear" in figure(page, name).inner_text(), name
    watched.expect_quiet()


@pytest.mark.parametrize("script", [True, False])
def test_two_entries_are_enough_for_a_sentence(library, serve, open_page, script):
    from datetime import datetime, timedelta
    def at(days, hour):
        day = datetime.now() - timedelta(days=days)
        return day.replace(hour=hour, minute=5).strftime("%Y-%m-%d %H:%M")
    library.imports("aac.m4a")
    recording = library.one("SELECT id FROM recording")
    log(library, "craving", at(5, 9), "--intensity", "8", "--trigger", "Sad", "--location", "Home",
        "--recording", recording)
    log(library, "craving", at(2, 9), "--intensity", "4", "--trigger", "Sad")
    log(library, "usage", at(6, 10), "--method", "Edible", "--amount", "10")
    log(library, "usage", at(4, 10), "--method", "Edible", "--amount", "15")
    log(library, "usage", at(4, 11), "--method", "Vape", "--amount", "3")
    watched = open_page(serve(), java_script_enabled=script).login()
    page = watched.goto("/progress?days=7")
    assert headings(page) == ORDER
    # Each chart is a picture that screen readers skip, with a sentence and a table behind it.
    for name in ORDER[2:9]:
        part = figure(page, name)
        assert part.locator("svg[aria-hidden=true]").count() >= 1, name
        assert part.locator("p").first.inner_text().endswith("."), name
        assert part.locator("details table tr").count() >= 1, name
    assert "6.0 of 10 on average. Trend: " in figure(page, "Intensity over time").inner_text()
    part = figure(page, "Amounts over time")
    assert part.locator("p").first.inner_text() == "25 mg and 3 pulls in all. Each column is a day."
    assert part.locator("svg").count() == 2
    part.get_by_text("As a table").click()
    rows = part.locator("tr").all_inner_texts()
    assert [re.sub(r"\s+", " ", row)[10:] for row in rows] == [
        ", Edible 10 mg", ", Edible 15 mg", ", Vape 3 pulls"], rows
    assert "Sad came up most, twice." in figure(page, "Triggers").inner_text()
    assert "Most came between 9:00 and 10:00: 2 cravings." in figure(
        page, "Hours of the day").inner_text()
    assert "Edible came up most, twice: 25 mg in all." in figure(page, "Methods").inner_text()
    assert "helped once" in figure(page, "Recordings that helped").inner_text()
    assert "can be compared from" in figure(page, "Change since your beginning").inner_text()
    assert re.search(r"days, from \d{4}-\d\d-\d\d until now|from \d{4}",
                     figure(page, "Longest stretch").inner_text())
    watched.expect_quiet()


def test_the_change_since_the_beginning(library, serve, open_page):
    from datetime import datetime, timedelta
    def at(days):
        return (datetime.now() - timedelta(days=days)).strftime("%Y-%m-%d %H:%M")
    log(library, "usage", at(40), "--method", "Edible", "--amount", "50")
    log(library, "usage", at(3), "--method", "Edible", "--amount", "20")
    watched = open_page(serve()).login()
    part = figure(watched.goto("/progress?days=7"), "Change since your beginning")
    assert "30 mg less than in your first 7 days. You made that happen." in part.inner_text()
    assert part.locator("svg rect").count() == 2
    assert "Choose 7, 30 or 90 days" in figure(
        watched.goto("/progress?days=all"), "Change since your beginning").inner_text()
    for days in ["90", "all"]:
        page = watched.goto(f"/progress?days={days}")
        wide = page.evaluate("document.documentElement.scrollWidth - innerWidth")
        assert wide <= 0
        # The periods stay in view.
        page.evaluate("scrollTo(0, document.body.scrollHeight)")
        assert page.locator("nav.periods").bounding_box()["y"] >= 0
    watched.expect_quiet()


def test_on_the_day_of_a_use_no_stretch_is_praised(library, serve, open_page):
    library.holdfast("usage", "log", "--method", "Vape", "--amount", "1")
    page = open_page(serve()).login().goto("/progress")
    text = page.inner_text("main")
    assert "there is a kind word for you on Home" in text
    assert "Longest stretch" not in text and "Change since" not in text
