"""The words of Progress about the figures."""

import re
from datetime import datetime, timedelta

import pytest

ORDER = ["Intensity", "Use", "Triggers", "Places", "Hours of the day", "Weekdays",
         "Since your beginning", "Recordings that helped"]
ISO = r"\b\d{4}-\d\d(-\d\d)?\b"


def at(days, hour=None):
    moment = datetime.now() - timedelta(days=days)
    if hour is not None:
        moment = moment.replace(hour=hour, minute=5)
    return moment.strftime("%Y-%m-%d %H:%M")


def log(library, what, moment, *options):
    library.holdfast(what, "log", "--at", moment, *options)


def headings(page):
    return page.locator("main h2").all_inner_texts()


def figure(page, name):
    return page.locator("section").filter(has=page.get_by_role("heading", name=name, exact=True))


def hero(page):
    return page.locator(".hero p").first.inner_text()


def test_with_nothing_there_is_an_invitation(library, serve, open_page):
    watched = open_page(serve()).login()
    page = watched.goto("/progress")
    assert headings(page) == []
    assert page.locator("main svg").count() == 0 and page.locator("main details").count() == 0
    assert "This fills in as you log." in page.inner_text("main")
    page.get_by_role("link", name="Log craving").click()
    page.get_by_role("button", name="Save").click()
    page.get_by_role("link", name="Done").click()
    assert hero(page) == "1 craving logged in the last 30 days"
    watched.expect_quiet()


@pytest.mark.parametrize("script", [True, False])
def test_two_entries_are_enough_for_a_sentence(library, serve, open_page, script):
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
    # One big figure is first.
    assert hero(page) == "4 days since your last use"
    size = "e => parseFloat(getComputedStyle(e).fontSize)"
    assert page.locator(".hero strong").evaluate(size) > 2.5 * page.locator("h2").first.evaluate(
        size) / 1.15
    assert "2 cravings and 3 uses in the last 7 days." in page.locator(".hero").inner_text()
    # Two values need no picture.
    assert figure(page, "Intensity").inner_text().endswith(
        "6 of 10 on average.")
    assert page.locator("svg.chart").count() == 1
    part = figure(page, "Use")
    assert part.locator("p").first.inner_text() == (
        "Edible twice (25 mg) and Vape once (3 pulls).")
    # Methods share a picture, each with its own scale.
    assert part.locator("svg.chart").count() == 1
    assert part.locator("svg .name").evaluate_all("all => all.map(e => e.textContent)") == [
        "Edible, in mg", "Vape, in pulls"]
    part.get_by_text("As a table").click()
    rows = [re.sub(r"\s+", " ", row) for row in part.locator("tr").all_inner_texts()]
    assert [row.partition(", ")[2] for row in rows] == [
        "Edible 10 mg", "Edible 15 mg", "Vape 3 pulls"], rows
    # So little is only said, and not compared.
    assert figure(page, "Triggers").inner_text().endswith("Sad twice.")
    assert figure(page, "Hours of the day").inner_text().endswith("Around 9:00.")
    assert "helped once" in figure(page, "Recordings that helped").inner_text()
    assert re.search(r"You can compare with your first 7 days from \d+ [A-Z][a-z]+( \d{4})?\.",
                     figure(page, "Since your beginning").inner_text())
    for days in ("7", "30", "90", "all"):
        watched.goto(f"/progress?days={days}")
        for details in page.locator("main details").all():
            details.locator("summary").click()
        text = page.locator("main").evaluate("e => e.textContent")
        assert not re.search(ISO, text), re.search(ISO, text)
    watched.expect_quiet()


def test_charts_have_a_point(library, serve, open_page):
    for days, hour in ((1, 10), (2, 10), (3, 16), (4, 16), (5, 17), (6, 17), (6, 8)):
        log(library, "craving", at(days, hour), "--intensity", str(3 + days))
    watched = open_page(serve()).login()
    page = watched.goto("/progress?days=all")
    # A library of a week shows days, not one month.
    assert "Each column is a day." in figure(page, "Intensity").inner_text()
    assert figure(page, "Intensity").locator("rect").count() == 6
    part = figure(page, "Hours of the day")
    assert "Most came around 10:00, 16:00 and 17:00." in part.inner_text()
    # The others stand back.
    assert part.locator("rect").count() == 4 and part.locator("rect.less").count() == 1
    # None has fewer than three values.
    for chart in page.locator("svg.chart").all():
        assert chart.locator("rect").count() > 2
    watched.expect_quiet()


def test_the_change_since_the_beginning(library, serve, open_page):
    log(library, "usage", at(40), "--method", "Edible", "--amount", "50")
    log(library, "usage", at(3), "--method", "Edible", "--amount", "20")
    watched = open_page(serve()).login()
    part = figure(watched.goto("/progress?days=7"), "Since your beginning")
    assert "30 mg less than in your first 7 days. You made that happen." in part.inner_text()
    assert "Edible: 20 mg now, 50 mg in your first 7 days." in part.inner_text()
    assert part.locator("svg rect").count() == 0
    assert "Choose 7, 30 or 90 days" in figure(
        watched.goto("/progress?days=all"), "Since your beginning").inner_text()
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
    assert hero(page) == "Less than an hour since your last use."
    assert "there is a kind word for you on Home" in text
    assert "Longest stretch" not in text and "Since your" not in text


def test_nothing_doubtful_is_said(library, serve, open_page):
    log(library, "usage", at(3, 9), "--method", "Joints", "--amount", "1")
    page = open_page(serve()).login().goto("/progress")
    # One use has no longest stretch.
    assert "ongest stretch" not in page.inner_text("main")
    assert figure(page, "Use").locator("p").first.inner_text() == "1 joint."
    for days in (24, 20, 16, 12, 8, 4):
        log(library, "craving", at(days, 9), "--intensity", "5", "--location",
            "Home" if days % 8 else "Work")
        if days == 24:
            page.reload()
            assert figure(page, "Intensity").inner_text().endswith("5 of 10.")
            assert figure(page, "Places").inner_text().endswith("Work once.")
    page.reload()
    # The days before the first use count as far as the log goes back.
    assert "Longest stretch: at least 21 days, from" in page.locator(".hero").inner_text()
    assert "Well done" not in page.inner_text("main")
    assert "Work and Home came up most, 3 times each." in figure(page, "Places").inner_text() \
        or "Home and Work came up most, 3 times each." in figure(page, "Places").inner_text()
