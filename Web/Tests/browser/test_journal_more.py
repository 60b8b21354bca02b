"""More of the journals: rings, reminders, a month of food, ingredients, devotionals, study."""

import datetime

import pytest

from test_journals import TODAY, YESTERDAY, enable, log_food


def test_a_habit_has_a_ring_its_emoji_and_achievements(library, serve, open_page):
    enable(library, "habits")
    library.holdfast("habit", "add", "Read", "--goal", "20", "--unit", "pages", "--icon", "📖")
    library.holdfast("habit", "done", "Read", "--times", "5")
    watched = open_page(serve()).login()
    page = watched.goto("/habits")
    part = ".ring .part"
    assert page.locator(part).get_attribute("stroke-dasharray") == "25 100"
    assert page.locator(".ring text").evaluate("e => e.textContent.trim()") == "📖"
    page.get_by_role("button", name="All 15 Read").click()
    page.get_by_text("Today is complete").wait_for()
    assert page.locator(part).get_attribute("stroke-dasharray") == "100 100"
    # The name and its emoji share a line.
    name, emoji = page.locator(".habit h2 a"), page.locator(".habit h2 span")
    assert abs(name.bounding_box()["y"] - emoji.bounding_box()["y"]) < 12
    page.get_by_text("Achievements (1)").click()
    assert page.get_by_text("Today", exact=False).count() > 0
    watched.expect_quiet()


@pytest.mark.parametrize("script", [True, False])
def test_reminders_are_a_file_for_a_calendar(library, serve, open_page, script):
    enable(library, "habits")
    name = "Read; slowly, " + "ü" * 60
    library.holdfast("habit", "add", name, "--on", "monday,friday", "--start", "2026-11-24",
                     "--end", "2026-12-31")
    habit = library.one("SELECT id FROM habit")
    watched = open_page(serve(), java_script_enabled=script).login()
    page = watched.goto(f"/habits/{habit}")
    page.get_by_text("Reminders", exact=True).click()
    calendar = page.get_by_role("link", name="Save the file for your calendar")
    assert calendar.count() == 0
    page.get_by_label("Remind me at").fill("19:30")
    page.get_by_role("button", name="Add reminder").click()
    # The section stays open, and says what is next.
    page.get_by_text("Saved. One more step").wait_for()
    assert library.sql("SELECT time, isActive FROM habitReminder") == [("19:30", 1)]
    with page.expect_download() as download:
        calendar.click()
    assert download.value.suggested_filename == "habits.ics"
    content = download.value.path().read_bytes()
    lines = content.split(b"\r\n")
    assert lines[0] == b"BEGIN:VCALENDAR" and lines[-2:] == [b"END:VCALENDAR", b""]
    assert all(len(line) <= 75 and b"\n" not in line for line in lines)
    whole = content.replace(b"\r\n ", b"").decode().split("\r\n")
    # 24 November 2026 is a Tuesday: the first reminder is on Friday.
    assert "DTSTART:20261127T193000" in whole
    assert "RRULE:FREQ=WEEKLY;BYDAY=MO,FR;UNTIL=20261231T193000" in whole
    assert "SUMMARY:" + name.replace(";", "\\;").replace(",", "\\,") in whole
    assert whole.count("BEGIN:VALARM") == 1
    page.get_by_role("button", name="Remove 19:30").click()
    page.get_by_text("If your calendar has it, remove it there too.").wait_for()
    assert calendar.count() == 0
    assert library.one("SELECT count(*) FROM habitReminder") == 0


def test_food_has_a_month_and_a_search(library, serve, open_page):
    enable(library, "food")
    log_food(library, "Toast")
    log_food(library, "Soup", at=f"{YESTERDAY} 12:00")
    watched = open_page(serve(), java_script_enabled=False).login()
    page = watched.goto("/food")
    page.get_by_role("link", name="Month").click()
    month = TODAY.replace(day=1)
    cells = page.locator(".month li:not([aria-hidden])")
    days = ((month + datetime.timedelta(days=32)).replace(day=1) - month).days
    assert cells.count() == days
    # Each column is a weekday.
    assert page.locator(".month li[aria-hidden]").count() == month.weekday()
    assert page.locator("[aria-current=date]").last.inner_text().split() == [
        str(TODAY.day), "150"]
    # Every day has a box, as high as its row.
    assert page.locator(".month li:not([aria-hidden])").evaluate_all("""all => all.every(day =>
        Math.abs(day.offsetHeight - day.firstElementChild.offsetHeight) < 1
        && getComputedStyle(day.firstElementChild).borderTopStyle == 'solid')""")
    page.get_by_role("link", name="Today, 150 kcal").click()
    assert "Toast" in page.inner_text("main")
    watched.goto("/food/months")
    page.get_by_role("link", name="The month before").click()
    page.get_by_role("link", name="The month after").click()
    assert watched.goto("/food/months/2026-13").locator("[role=alert]").count() == 1
    page = watched.goto("/food/entries")
    assert page.locator(".entries li").count() == 2
    page.locator("#q").fill("sOU")
    page.get_by_role("button", name="Search").click()
    assert page.locator(".entries .what").all_inner_texts() == ["Soup"]
    page.locator("#q").fill("100%_")
    page.get_by_role("button", name="Search").click()
    assert "No entries match." in page.inner_text("main")


def test_an_ingredient_is_edited_and_checked(library, serve, open_page):
    enable(library, "food")
    library.holdfast("food", "ingredient", "add", "milk", "--name", "Milk", "--calories", "60",
                     "--protein", "3", "--carbohydrates", "5", "--fat", "3", "--category", "dairy")
    watched = open_page(serve(), java_script_enabled=False).login()
    page = watched.goto("/food/ingredients")
    page.get_by_role("link", name="Edit Milk").click()
    page.get_by_label("Energy, kcal").fill("64")
    page.get_by_label("The figures are those of").select_option("ml")
    page.get_by_label("I checked these figures").check()
    page.locator("#serving").fill("glass")
    page.locator("#grams").fill("200")
    page.get_by_role("button", name="Keep changes").click()
    assert library.sql("SELECT name, caloriesPer100g, proteinPer100g, verificationStatus, "
                       "commonServingUnit FROM ingredient") == [("Milk", 64, 3, "verified", "ml")]
    text = page.inner_text("main")
    assert "Dairy" in text and "✓ checked" in text
    assert "100 ml: 64 kcal" in text and "1 glass: 200 ml" in text
    # Millilitres count as grams do.
    for quantity, unit, calories in (("250", "ml", 160), ("2", "dl", 128), ("1", "glass", 128),
                                     ("50", "g", 32)):
        page = watched.goto("/food/new?ingredient=milk")
        page.locator("#quantity").fill(quantity)
        page.locator("#unit").fill(unit)
        page.get_by_role("button", name="Save").click()
        page.wait_for_url("**/food?logged=*")
        logged = f"SELECT calories FROM foodEntry WHERE unit = '{unit}'"
        assert abs(library.one(logged) - calories) < 1e-9, unit
    # It stays as it is when nothing is changed.
    row = "SELECT * FROM ingredientServing"
    before = library.sql(row)
    watched.goto("/food/ingredients/milk").get_by_role("button", name="Keep changes").click()
    assert library.sql(row) == before
    assert watched.goto("/food/ingredients/none").title().startswith("Page not found")


def test_devotionals_have_pages(library, serve, open_page):
    enable(library, "faith")
    watched = open_page(serve(), java_script_enabled=False).login()
    page = watched.goto("/faith")
    page.get_by_role("link", name="Devotionals").click()
    page.get_by_role("link", name="Add one").click()
    assert page.locator("main summary").count() == 0
    page.get_by_label("Title").fill("Be still")
    page.get_by_label("Passage").fill("Psalm 46:10")
    page.get_by_label("Text").fill("Be still,\nand know.")
    page.get_by_role("button", name="Save").click()
    assert page.locator(".notes").first.inner_text() == "Be still,\nand know."
    page.get_by_role("button", name="Mark as read").click()
    assert "✓ read" in page.inner_text("main")
    assert library.sql("SELECT title, scripture, completedAt IS NULL FROM devotional") == [
        ("Be still", "Psalm 46:10", 0)]
    page.get_by_role("link", name="Be still").click()
    page.get_by_role("button", name="Mark as not read").click()
    assert library.one("SELECT completedAt FROM devotional") is None
    page.get_by_role("link", name="Be still").click()
    page.get_by_text("Edit", exact=True).click()
    page.get_by_label("Author").fill("Anna")
    page.get_by_role("button", name="Keep changes").click()
    assert "Anna" in page.inner_text("main")
    page.get_by_text("Delete this devotional").click()
    page.get_by_role("button", name="Delete it").click()
    assert library.one("SELECT count(*) FROM devotional") == 0


def test_study_topics_have_pages(library, serve, open_page):
    enable(library, "faith")
    watched = open_page(serve(), java_script_enabled=False).login()
    page = watched.goto("/faith")
    page.get_by_role("link", name="Study", exact=True).click()
    page.get_by_role("link", name="Add a topic").click()
    assert page.locator("main summary").count() == 0
    page.get_by_label("Title").fill("Hope")
    page.get_by_label("Verses, one a line").fill("Romans 5:3\n\n Romans 15:13 ")
    page.get_by_role("textbox", name="Notes").fill("It does not disappoint.")
    page.get_by_role("button", name="Save").click()
    assert page.locator("main > ul li").all_inner_texts() == ["Romans 5:3", "Romans 15:13"]
    assert library.sql("SELECT reference FROM studyTopicVerse ORDER BY position") == [
        ("Romans 5:3",), ("Romans 15:13",)]
    page.get_by_text("Edit", exact=True).click()
    page.get_by_label("Verses, one a line").fill("Romans 15:13")
    page.get_by_role("button", name="Keep changes").click()
    assert page.locator("main > ul li").all_inner_texts() == ["Romans 15:13"]
    assert "2 verses" not in watched.goto("/faith/study").inner_text("main")
    page.get_by_role("link", name="Hope").click()
    page.get_by_text("Delete this topic").click()
    page.get_by_role("button", name="Delete it").click()
    assert library.one("SELECT count(*) FROM studyTopic") == 0


@pytest.mark.parametrize("kind", ["recording", "craving", "entry", "habit", "message"])
def test_a_page_that_is_not_up_to_date_overwrites_nothing(library, serve, open_page, kind):
    """A tab that was open when the text was changed elsewhere."""
    library.holdfast("journal", "enable", "faith")
    library.holdfast("journal", "enable", "habits")
    library.imports("aac.m4a")
    library.holdfast("craving", "log", "--intensity", "4", "--notes", "short")
    library.holdfast("faith", "entry", "write", "--title", "Sea", "--content", "short")
    library.holdfast("habit", "add", "Read", "--goal", "5")
    library.holdfast("message", "add", "short", "--category", "urge")
    table, column, edit, path = {
        "recording": ("recording", "notes", ["edit", "{id}", "--notes"], "/recordings/{id}"),
        "craving": ("craving", "notes", ["craving", "edit", "{id}", "--notes"], "/craving/{id}"),
        "entry": ("journalEntry", "content", ["faith", "entry", "edit", "{id}", "--content"],
                  "/faith/entries/{id}"),
        "habit": ("habit", "name", ["habit", "edit", "{id}", "--name"], "/habits/{id}"),
        "message": ("message", "content", ["message", "edit", "{id}", "--content"],
                    "/messages/{id}")}[kind]
    where = " WHERE isCustom" if kind == "message" else ""
    id = library.one(f"SELECT id FROM {table}{where}")
    watched = open_page(serve(), java_script_enabled=False).login()
    page = watched.goto(path.format(id=id))
    for summary in page.locator("main summary").filter(has_text="Edit").all():
        summary.click()
    library.holdfast(*[word.format(id=id) for word in edit], "LONGER")
    field = page.locator(f"[name='{column}']").first
    field.fill("older")
    field.locator("xpath=ancestor::form").locator("button.button").first.click()
    assert "changed elsewhere" in page.get_by_role("main").inner_text()
    assert library.one(f"SELECT {column} FROM {table} WHERE id = '{id}'") == "LONGER"
    # The page as it is now saves.
    page = watched.goto(path.format(id=id))
    for summary in page.locator("main summary").filter(has_text="Edit").all():
        summary.click()
    field = page.locator(f"[name='{column}']").first
    field.fill("newer")
    field.locator("xpath=ancestor::form").locator("button.button").first.click()
    assert library.one(f"SELECT {column} FROM {table} WHERE id = '{id}'") == "newer"
