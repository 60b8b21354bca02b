"""The pages of the journals: food, habits and faith."""

import datetime
import json

import pytest

from conftest import fixture
from looking import look, name_of
from test_safety import FORM, Client

JOURNALS = ["food", "habits", "faith"]
TITLE = "<script>alert(1)</script> " + "very long words and wordswithoutanyspace" * 3
TODAY = datetime.date.today()
YESTERDAY = TODAY - datetime.timedelta(days=1)


def enable(library, *names):
    for name in names or JOURNALS:
        library.holdfast("journal", "enable", name)


def log_food(library, name, at=None, **options):
    words = ["food", "log", "--name", name, "--quantity", "2", "--unit", "slice", 
             "--calories", "150",
             "--protein", "5", "--carbohydrates", "28.5", "--fat", "1.8"]
    for option, value in options.items():
        words += [f"--{option}", value]
    library.holdfast(*words, *(["--at", at] if at else []))


def fill(library, amount):
    """Enables the journals, and writes a little or much into each."""
    enable(library)
    if amount == "nothing":
        return
    library.imports("portrait.mov", "aac.m4a")
    sound = library.one("SELECT id FROM recording WHERE type = 'audio'")
    start = str(TODAY - datetime.timedelta(days=20))
    library.holdfast("food", "ingredient", "add", "bread", "--name", "Bread", "--calories", "265",
                     "--protein", "9", "--carbohydrates", "49", "--fat", "3.2", 
                     "--category", "grain")
    log_food(library, "Toast", recording=sound, said="two slices of toast")
    library.holdfast("habit", "add", "Read", "--goal", "20", "--unit", "pages", "--start", start)
    library.holdfast("habit", "done", "Read", "--times", "5")
    faith = ["faith"]
    library.holdfast(*faith, "entry", "write", "--title", "By the sea", 
                     "--content", "Still waters.",
                     "--tag", "Hope", "--mood", "Grateful", "--recording", sound)
    library.holdfast(*faith, "prayer", "add", "--title", "For rain")
    library.holdfast(*faith, "mood", "log", "Peaceful")
    library.holdfast(*faith, "verse", "add", "--reference", "Psalm 23:1", "--text",
                     "The Lord is my shepherd.", "--translation", "KJV")
    library.holdfast(*faith, "plan", "add", "--title", "Luke", "--reading", "Luke 1", 
                     "--reading", "Luke 2")
    library.holdfast(*faith, "prompt", "add", "What are you thankful for?")
    library.holdfast("habit", "remind", "add", "Read", "19:30")
    if amount == "little":
        return
    for number in range(25):
        day = TODAY - datetime.timedelta(days=number % 9 + 1)
        log_food(library, TITLE[:190] if number == 0 else f"Soup {number}",
                 at=f"{day} 12:{number:02}")
        library.holdfast("habit", "done", "Read", "--times", "20", "--day", str(day))
    library.holdfast("habit", "add", TITLE[:190], "--per-week", "3", "--start", start)
    library.holdfast("habit", "add", "Cigarettes", "--type", "breaking", "--goal", "5",
                     "--baseline", "10",
                     "--unit", "cigarettes", "--start", start)
    library.holdfast("habit", "add", "Swim", "--on", "monday,friday", "--start", start, "--end",
                     str(YESTERDAY))
    library.holdfast("food", "ingredient", "add", "long", "--name", TITLE[:190], "--calories", "1",
                     "--protein", "0", "--carbohydrates", "0", "--fat", "0", "--category", "snack")
    for number in range(55):
        library.holdfast(*faith, "entry", "write", "--title",
                         TITLE[:190] if number == 0 else f"Day {number}",
                         "--content", "line\n" * 30, "--mood", f"Mood {number % 12}")
        library.holdfast(*faith, "prayer", "add", "--title",
                         TITLE[:190] if number == 0 else f"Prayer {number}")
    answered = library.one("SELECT id FROM prayer WHERE title = 'Prayer 3'")
    library.holdfast(*faith, "prayer", "answer", answered, "--notes", "It came.")
    library.holdfast(*faith, "prompt", "add", TITLE)
    library.holdfast(*faith, "verse", "add", "--reference", "John 1:1", 
                     "--text", "In the beginning. " * 40,
                     "--day", str(YESTERDAY))
    library.holdfast(*faith, "plan", "add", "--title", TITLE[:190], "--start", start,
                     *[word for number in range(40) for word in ("--reading", f"Genesis {number}")])


def pages(library):
    """Every page of the journals, with those of one record of each kind."""
    found = ["/", "/settings", "/food", "/food/new", "/food/ingredients",
             "/food/ingredients?q=brea",
             f"/food/days/{YESTERDAY}", "/habits", "/habits/new", f"/habits/days/{YESTERDAY}",
             "/faith", "/faith/new", "/faith/entries", "/faith/entries?q=waters", "/faith/prayers",
             "/faith/prayers?status=Answered", "/faith/prayers/new", "/faith/moods",
             "/faith/verses",
             "/faith/plans", "/faith/prompts", "/faith/devotionals", "/faith/devotionals/new",
             "/faith/study", "/faith/study/new", "/food/months", "/food/entries",
             "/record?kind=audio&then=/food/new"]
    for table, path in [("foodEntry", "/food/entries/{}"), ("habit", "/habits/{}"),
                        ("habit", "/habits/{}/delete"), ("journalEntry", "/faith/entries/{}"),
                        ("prayer", "/faith/prayers/{}"), ("readingPlan", "/faith/plans/{}"),
                        ("ingredient", "/food/new?ingredient={}"),
                        ("ingredient", "/food/ingredients/{}"),
                        ("devotional", "/faith/devotionals/{}"), ("studyTopic", "/faith/study/{}"),
                        ("recording", "/food/new?recording={}"),
                        ("journalPrompt", "/faith/new?prompt={}")]:
        found += [path.format(row[0]) for row in library.sql(
            f"SELECT id FROM {table} ORDER BY id LIMIT 1")]
    if library.one("SELECT count(*) FROM foodEntry"):
        found += [f"/food/days/{TODAY}/delete", "/settings/journals/food/erase"]
    return found


@pytest.mark.parametrize("amount", ["nothing", "little", "much"])
def test_every_page_is_sound(library, serve, open_page, amount):
    fill(library, amount)
    watched = open_page(serve()).login()
    for path in pages(library):
        look(watched, path, f"journals-{name_of(path)}-{amount}")
    watched.expect_quiet()


@pytest.mark.parametrize("journal", JOURNALS)
def test_a_journal_is_switched_on_and_off(library, serve, open_page, journal):
    watched = open_page(serve(), java_script_enabled=False).login()
    page = watched.goto(f"/{journal}")
    assert "not switched on" in page.inner_text("main")
    assert "not switched on" in watched.goto(f"/{journal}/new").inner_text("main")
    assert watched.goto("/").locator(f"main a[href='/{journal}']").count() == 0
    page = watched.goto(f"/{journal}")
    page.get_by_role("button", name="Switch it on").click()
    page.wait_for_url(f"**/{journal}")
    assert json.loads(library.holdfast("journal", "list", "--json").stdout)
    assert watched.goto("/").locator(f"main a[href='/{journal}']").count() == 1
    watched.goto("/settings").get_by_role("button", name="Switch off").click()
    assert "not switched on" in watched.goto(f"/{journal}").inner_text("main")
    tables = (
        "SELECT count(*) FROM sqlite_schema WHERE name IN ('foodEntry', 'habit', 'journalEntry')")
    assert library.one(tables) == 0
    # A change by the command is seen at once.
    enable(library, journal)
    assert "not switched on" not in watched.goto(f"/{journal}").inner_text("main")
    watched.expect_quiet()


def test_a_journal_that_holds_something_stays(library, serve, open_page):
    enable(library)
    log_food(library, "Toast")
    watched = open_page(serve(), java_script_enabled=False).login()
    page = watched.goto("/settings")
    page.get_by_role("button", name="Switch off Food").click()
    assert "1 food entry" in page.locator("[role=status]").inner_text()
    assert library.one("SELECT count(*) FROM foodEntry") == 1
    page.locator("#word").fill("yes")
    page.get_by_role("button", name="Delete it").click()
    assert page.locator("[role=alert]").count() == 1
    assert library.one("SELECT count(*) FROM foodEntry") == 1
    page.locator("#word").fill("delete")
    page.get_by_role("button", name="Delete it").click()
    assert library.one("SELECT count(*) FROM sqlite_schema WHERE name = 'foodEntry'") == 0
    library.expect_sound()


def test_a_craving_is_logged_beside_all_journals(library, serve, open_page):
    fill(library, "little")
    watched = open_page(serve(), java_script_enabled=False).login()
    watched.goto("/craving").get_by_role("button", name="Save", exact=True).click()
    assert library.one("SELECT count(*) FROM craving") == 1
    with watched.page.expect_download() as download:
        watched.goto("/settings").get_by_role("link", name="Save what you logged (JSON)").click()
    assert "By the sea" in download.value.path().read_text()
    library.expect_sound()


# Food

@pytest.mark.parametrize("script", [True, False])
def test_food_is_written_down(library, serve, open_page, script):
    enable(library, "food")
    watched = open_page(serve(), java_script_enabled=script).login()
    page = watched.goto("/food")
    page.get_by_role("link", name="Write it").click()
    page.locator("#name").fill("Soup & <bread>")
    page.locator("#calories").fill("320.5")
    page.get_by_role("button", name="Save", exact=True).click()
    page.wait_for_url("**/food?logged=*")
    assert "Saved." in page.locator("[role=status]").inner_text()
    # Only what is known is shown, and once.
    assert page.inner_text("main").count("320.5") == 1 and page.locator("table").count() == 0
    assert "protein" not in page.inner_text("main")
    assert library.sql(
            "SELECT foodName, quantity, unit, calories, protein, day FROM foodEntry") == [
        ("Soup & <bread>", 1, "portion", 320.5, 0, str(TODAY))]
    day = json.loads(library.holdfast("food", "day", "--json").stdout)
    assert day["totalCalories"] == 320.5 and day["entryCount"] == 1
    page.locator(".entries a").first.click()
    page.locator("#name").fill("Soup")
    page.locator("#when").fill(f"{YESTERDAY}T12:30")
    page.get_by_role("button", name="Keep changes").click()
    page.wait_for_url(f"**/food/days/{YESTERDAY}")
    assert library.sql("SELECT foodName, calories, day FROM foodEntry") == [
        ("Soup", 320.5, str(YESTERDAY))]
    assert "Yesterday" in watched.goto("/food").locator("table").inner_text()
    watched.goto(f"/food/entries/{library.one('SELECT id FROM foodEntry')}")
    page.get_by_role("button", name="Leave it out").click()
    assert library.one("SELECT day FROM foodEntry") is None
    watched.goto(f"/food/entries/{library.one('SELECT id FROM foodEntry')}")
    page.get_by_role("button", name="Count it").click()
    assert library.one("SELECT day FROM foodEntry") == str(YESTERDAY)
    page.get_by_role("link", name="Delete this day").click()
    assert "1 entry" in page.inner_text("main")
    page.get_by_role("button", name="Delete").click()
    page.wait_for_url("**/food")
    assert library.one("SELECT count(*) FROM foodEntry") == 0
    watched.goto("/food/new").locator("#name").fill("Tea")
    page.get_by_role("button", name="Save", exact=True).click()
    page.get_by_role("button", name="Undo").click()
    assert library.one("SELECT count(*) FROM foodEntry") == 0
    library.expect_sound()
    watched.expect_quiet()


@pytest.mark.parametrize("script", [True, False])
def test_food_is_computed_from_an_ingredient(library, serve, open_page, script):
    enable(library, "food")
    watched = open_page(serve(), java_script_enabled=script).login()
    page = watched.goto("/food/ingredients")
    for field, value in [("name", "Rye bread"), ("calories", "265"), ("protein", "9"),
                         ("carbohydrates", "49"), ("fat", "3.2"), ("serving", "slice"),
                         ("grams", "28")]:
        page.locator(f"#{field}").fill(value)
    page.locator("#category").select_option("grain")
    page.get_by_role("button", name="Add").click()
    page.wait_for_url("**/food/ingredients?q=*")
    assert library.sql("SELECT id, name, caloriesPer100g, category FROM ingredient") == [
        ("rye-bread", "Rye bread", 265, "grain")]
    page.locator("#q").fill("RYE")
    page.get_by_role("button", name="Search").click()
    page.get_by_role("link", name="Write it down").click()
    assert page.locator("#unit").input_value() == "slice"
    page.locator("#quantity").fill("3")
    page.get_by_role("button", name="Save", exact=True).click()
    page.wait_for_url("**/food?logged=*")
    row = library.sql("SELECT calories, matchedIngredientId FROM foodEntry")[0]
    assert abs(row[0] - 222.6) < 1e-9 and row[1] == "rye-bread"
    assert library.one("SELECT usageCount FROM ingredient") == 1
    assert watched.goto("/food/ingredients?q=zzz").locator(".entries li").count() == 0
    # A unit of unknown weight.
    watched.goto("/food/new?ingredient=rye-bread").locator("#unit").fill("bucket")
    page.get_by_role("button", name="Save", exact=True).click()
    words = page.locator("[role=alert]").inner_text()
    assert "bucket" in words and "--" not in words
    watched.goto("/food/ingredients").locator(".sure summary").click()
    page.get_by_role("button", name="Delete it").click()
    assert library.one("SELECT count(*) FROM ingredient") == 0
    assert library.sql("SELECT count(*), min(matchedIngredientId) FROM foodEntry") == [(1, None)]


def test_food_is_said(library, serve, open_page):
    enable(library, "food")
    watched = open_page(serve(), permissions=["microphone"]).login()
    page = watched.goto("/food")
    page.get_by_role("link", name="Say it").click()
    assert not page.locator("[data-kind=video]").is_visible()
    page.locator("[data-kind=audio]").click()
    page.wait_for_timeout(2000)
    page.locator("[data-stop]").click()
    page.locator("[data-keep]").click()
    page.wait_for_url("**/food/new?recording=*", timeout=30_000)
    assert page.locator("audio").count() == 1
    page.locator("#name").fill("Toast")
    page.get_by_role("button", name="Save", exact=True).click()
    page.wait_for_url("**/food?logged=*")
    recording = library.one("SELECT id FROM recording")
    assert library.sql("SELECT foodName, recordingId FROM foodEntry") == [("Toast", recording)]
    assert library.one("SELECT purpose FROM recording") == "reflection"
    page.get_by_role("link", name="Play what you said").click()
    page.wait_for_url(f"**/recordings/{recording}")
    assert page.locator("[data-player] audio").count() == 1
    library.expect_sound()
    watched.expect_quiet()


def test_food_is_said_in_a_file_without_a_script(library, serve, open_page):
    enable(library, "food")
    watched = open_page(serve(), java_script_enabled=False).login()
    page = watched.goto("/food")
    page.get_by_role("link", name="Say it").click()
    page.locator("#files").set_input_files(fixture("aac.m4a"))
    page.get_by_role("button", name="Keep them").click()
    page.get_by_role("link", name="Continue").click(timeout=30_000)
    page.locator("#name").fill("Toast")
    page.get_by_role("button", name="Save", exact=True).click()
    recording = library.one("SELECT id FROM recording")
    assert library.sql("SELECT recordingId FROM foodEntry") == [(recording,)]
    # The recording is deleted, and the entry stays.
    library.holdfast("delete", recording, "--yes")
    assert "Toast" in watched.goto("/food").inner_text("main")


# Habits

@pytest.mark.parametrize("script", [True, False])
def test_a_habit_is_one_tap(library, serve, open_page, script):
    enable(library, "habits")
    watched = open_page(serve(), java_script_enabled=script).login()
    page = watched.goto("/habits")
    page.get_by_role("link", name="Add a habit").click()
    page.locator("#name").fill("Walk")
    page.get_by_role("button", name="Add it").click()
    page.wait_for_url("**/habits")
    assert library.sql("SELECT name, goalCount, scheduleType, startDay FROM habit") == [
        ("Walk", 1, "daily", str(TODAY))]
    page.get_by_role("button", name="Done Walk").click()
    page.wait_for_url("**/habits?*")
    words = page.locator("[role=status]").inner_text()
    assert "Today is complete: 50 points." in words and "A first step" in words
    assert library.sql("SELECT progressCount FROM habitDay") == [(1,)]
    assert library.one("SELECT count(*) FROM habitAction") == 1
    assert library.one("SELECT sum(amount) FROM xpTransaction") == 50
    assert json.loads(library.holdfast("habit", "streak", "--json").stdout)["currentStreak"] == 1
    # Another tap would be a mistake.
    assert page.get_by_role("button", name="Done Walk").count() == 0
    assert "✓ Done" in page.inner_text(".habit")
    assert "1 day in a row" in page.inner_text("main")
    assert "50 of 300 points" in page.inner_text("main")
    page.get_by_role("button", name="Undo Walk").click()
    page.get_by_text("Today is open again.").wait_for()
    assert library.sql("SELECT progressCount FROM habitDay") == [(0,)]
    assert library.one("SELECT sum(amount) FROM xpTransaction") == 0
    library.expect_sound()
    watched.expect_quiet()


@pytest.mark.parametrize("script", [True, False])
def test_a_harder_goal_and_another_habit_start_tomorrow_on_a_complete_day(
        library, serve, open_page, script):
    enable(library, "habits")
    library.holdfast("habit", "add", "Read", "--goal", "5")
    library.holdfast("habit", "done", "Read", "--times", "5")
    watched = open_page(serve(), java_script_enabled=script).login()
    page = watched.goto(f"/habits/{library.one('SELECT id FROM habit')}")
    page.get_by_text("Edit", exact=True).click()
    page.locator("#goal").fill("8")
    page.get_by_role("button", name="Keep changes").click()
    page.get_by_text("Today keeps its goal. The new one starts tomorrow.").wait_for()
    assert library.sql("SELECT habitDay.goalCount, habit.goalCount FROM habitDay, habit") == [
        (5, 8)]
    page = watched.goto("/habits/new")
    assert "Today is complete already, so this starts tomorrow." in page.inner_text("main")
    page.locator("#name").fill("Walk")
    page.get_by_role("button", name="Add it").click()
    page.wait_for_url("**/habits/*")
    assert "starts tomorrow" in page.inner_text("main")
    tomorrow = str(TODAY + datetime.timedelta(days=1))
    assert library.one("SELECT startDay FROM habit WHERE name = 'Walk'") == tomorrow
    assert library.one("SELECT sum(amount) FROM xpTransaction") == 50
    assert json.loads(library.holdfast("habit", "streak", "--json").stdout)["currentStreak"] == 1
    watched.expect_quiet()


@pytest.mark.parametrize("script", [True, False])
def test_counts_amounts_and_earlier_days(library, serve, open_page, script):
    enable(library, "habits")
    library.holdfast("habit", "add", "Read", "--goal", "20", "--unit", "pages", 
                     "--start", str(YESTERDAY))
    watched = open_page(serve(), java_script_enabled=script).login()
    page = watched.goto("/habits")
    page.get_by_role("button", name="+1 Read").click()
    page.get_by_role("button", name="All 19 Read").click()
    page.get_by_text("Today is complete").wait_for()
    assert library.one("SELECT progressCount FROM habitDay") == 20
    page.get_by_role("link", name="The day before").click()
    page.get_by_role("button", name="All 20 Read").click()
    page.get_by_text("Yesterday is complete").wait_for()
    assert "2 days in a row" in page.inner_text("main")
    streak = json.loads(library.holdfast("habit", "streak", "--json").stdout)
    assert streak["currentStreak"] == 2
    page = watched.goto(f"/habits/{library.one('SELECT id FROM habit')}")
    page.locator("#count").fill("3")
    page.get_by_role("button", name="Save", exact=True).click()
    page.get_by_text("Today is open again").wait_for()
    assert library.sql("SELECT day, progressCount FROM habitDay ORDER BY day") == [
        (str(YESTERDAY), 20), (str(TODAY), 3)]
    page = watched.goto(f"/habits/{library.one('SELECT id FROM habit')}")
    page.get_by_label("very hard").check()
    page.get_by_role("button", name="Note it").click()
    page.get_by_text("Saved.").wait_for()
    assert page.get_by_label("very hard").is_checked()
    assert library.one(f"SELECT difficulty FROM habitDay WHERE day = '{TODAY}'") == 5
    library.expect_sound()


@pytest.mark.parametrize("script", [True, False])
def test_a_habit_to_do_less_of_is_edited_and_ends(library, serve, open_page, script):
    enable(library, "habits")
    watched = open_page(serve(), java_script_enabled=script).login()
    page = watched.goto("/habits/new")
    page.locator("#name").fill("Smoke")
    page.locator("#goal").fill("5")
    page.locator("#unit").fill("cigarettes")
    page.get_by_role("radio", name="Do less of it").check()
    page.locator("#baseline").fill("10")
    page.get_by_role("button", name="Add it").click()
    page.wait_for_url("**/habits")
    assert library.sql("SELECT habitType, baselineCount, baselineUnit FROM habit") == [
        ("breaking", 10, "cigarettes")]
    page.get_by_role("button", name="None so far Smoke").click()
    page.get_by_text("Today is complete").wait_for()
    assert library.one("SELECT progressCount FROM habitDay") == 0
    page.get_by_role("button", name="+1 Smoke").click()
    page.get_by_text("1 of at most 5").wait_for()
    assert library.one("SELECT progressCount FROM habitDay") == 1
    habit = library.one("SELECT id FROM habit")
    page = watched.goto(f"/habits/{habit}")
    page.get_by_text("Edit", exact=True).click()
    page.locator("#name").fill("Smoke less")
    # A field that the days do not need is not there.
    assert not page.locator("#number").is_visible() and not page.get_by_label("Monday").is_visible()
    page.locator("#schedule").select_option("everyNDays")
    assert page.locator("#number").is_visible()
    page.locator("#schedule").select_option("specificWeekdays")
    assert not page.locator("#number").is_visible()
    for day in ["Monday", "Sunday"]:
        page.get_by_label(day, exact=True).check()
    page.get_by_role("button", name="Keep changes").click()
    page.wait_for_url("**/habits")
    assert library.one("SELECT name FROM habit") == "Smoke less"
    assert library.sql("SELECT weekday FROM habitWeekday ORDER BY 1") == [("monday",), ("sunday",)]
    page = watched.goto(f"/habits/{habit}")
    page.get_by_role("button", name="End this habit").click()
    page.get_by_role("button", name="Resume").wait_for()
    assert library.one("SELECT endDay FROM habit") == str(TODAY)
    page.get_by_role("button", name="Resume").click()
    page.get_by_role("button", name="End this habit").wait_for()
    assert library.one("SELECT endDay FROM habit") is None
    page.get_by_role("link", name="Delete").click()
    page.get_by_role("button", name="Delete").click()
    page.wait_for_url("**/habits")
    assert library.one("SELECT count(*) FROM habit") == 0
    library.expect_sound()
    watched.expect_quiet()


# Faith

@pytest.mark.parametrize("script", [True, False])
def test_faith_is_written(library, serve, open_page, script):
    enable(library, "faith")
    library.imports("aac.m4a")
    watched = open_page(serve(), java_script_enabled=script).login()
    page = watched.goto("/faith")
    page.get_by_role("link", name="Write", exact=True).click()
    page.locator("#content").fill("By the sea.\nStill <b>waters</b> & more")
    page.get_by_text("More details (optional)").click()
    page.locator("#mood").fill("Grateful")
    page.locator("#tags").fill("Hope, hope, Sea")
    page.locator(".option input").nth(1).check()
    page.get_by_role("button", name="Save", exact=True).click()
    page.wait_for_url("**/faith?done=entry")
    recording = library.one("SELECT id FROM recording")
    assert library.sql("SELECT title, content, mood, recordingId FROM journalEntry") == [
        ("By the sea.", "By the sea.\nStill <b>waters</b> & more", "Grateful", recording)]
    assert library.sql("SELECT tag FROM entryTag ORDER BY position") == [("Hope",), ("Sea",)]
    page = watched.goto("/faith/entries?q=WATERS")
    assert page.get_by_role("link", name="Play").count() == 1
    # The title is the first line, so the text beside it is the rest.
    assert page.locator(".entries .notes").inner_text() == "Still <b>waters</b> & more"
    page.locator(".entries a").first.click()
    assert page.locator("main > .notes").inner_text() == "By the sea.\nStill <b>waters</b> & more"
    assert page.locator("main > h2").count() == 0 and not page.locator("#content").is_visible()
    page.get_by_text("Edit, or add photos").click()
    page.locator("#title").fill("The sea")
    page.get_by_label("Private").check()
    page.get_by_role("button", name="Keep changes").click()
    page.get_by_text("Saved.").wait_for()
    assert page.locator("main > h2").inner_text() == "The sea"
    assert library.sql("SELECT title, isPrivate, mood FROM journalEntry") == [
        ("The sea", 1, "Grateful")]
    watched.goto("/faith/entries")
    assert page.locator(".entries li").count() == 0
    page.get_by_label("Private ones too").check()
    page.get_by_role("button", name="Show").click()
    assert page.locator(".entries li").count() == 1
    page.locator(".entries a").first.click()
    page.get_by_text("Delete this entry").click()
    page.get_by_role("button", name="Delete it").click()
    page.wait_for_url("**/faith/entries")
    assert library.one("SELECT count(*) FROM journalEntry") == 0
    assert library.one("SELECT count(*) FROM recording") == 1
    library.expect_sound()
    watched.expect_quiet()


@pytest.mark.parametrize("script", [True, False])
def test_a_prayer_and_its_answer(library, serve, open_page, script):
    enable(library, "faith")
    watched = open_page(serve(), java_script_enabled=script).login()
    page = watched.goto("/faith")
    page.get_by_role("link", name="Pray", exact=True).click()
    page.locator("#title").fill("For rain")
    page.get_by_role("button", name="Save", exact=True).click()
    page.wait_for_url("**/faith?done=prayer")
    assert library.sql("SELECT title, status FROM prayer") == [("For rain", "Active")]
    page.get_by_role("link", name="Answered For rain").click()
    page.locator("#answer-notes").fill("It rained")
    page.get_by_role("button", name="It is answered").click()
    page.wait_for_url("**/faith/prayers?status=Answered")
    assert "answered today" in page.inner_text("main")
    rows = library.sql("SELECT status, answerNotes, answerDate IS NOT NULL FROM prayer")
    assert rows == [("Answered", "It rained", 1)]
    prayer = library.one("SELECT id FROM prayer")
    for button, status, answer in [("Archive", "Archived", 1), ("Bring it back", "Answered", 1),
                                   ("Open it again", "Active", 0)]:
        watched.goto(f"/faith/prayers/{prayer}").get_by_role("button", name=button).click()
        page.wait_for_url(f"**/faith/prayers?status={status}")
        assert library.sql("SELECT status, answerDate IS NOT NULL FROM prayer") == [
            (status, answer)]
    watched.goto(f"/faith/prayers/{prayer}").locator("#details").fill("Much of it")
    page.get_by_role("button", name="Keep changes").click()
    page.wait_for_url("**/faith/prayers?status=Active")
    listed = json.loads(library.holdfast("faith", "prayer", "list", "--json").stdout)
    assert "Much of it" in json.dumps(listed)
    watched.goto(f"/faith/prayers/{prayer}").locator(".sure summary").click()
    page.get_by_role("button", name="Delete it").click()
    page.wait_for_url("**/faith/prayers")
    assert library.one("SELECT count(*) FROM prayer") == 0
    watched.expect_quiet()


@pytest.mark.parametrize("script", [True, False])
def test_moods_verses_plans_and_prompts(library, serve, open_page, script):
    enable(library, "faith")
    watched = open_page(serve(), java_script_enabled=script).login()
    page = watched.goto("/faith")
    page.get_by_role("button", name="Peaceful").click()
    page.wait_for_url("**/faith?saved=*")
    assert page.locator(".notice [role=status]").inner_text() == "Peaceful, saved."
    page.get_by_role("button", name="Undo").click()
    page.get_by_text("Undone.").wait_for()
    assert library.one("SELECT count(*) FROM moodEntry") == 0
    page.get_by_role("button", name="Peaceful").click()
    page.wait_for_url("**/faith?saved=*")
    page.get_by_role("link", name="In my own words").click()
    page.locator("#own").fill("Light")
    page.locator("#notes").fill("after the walk")
    page.get_by_role("button", name="Note it").click()
    page.wait_for_url("**/faith/moods?saved=*")
    assert page.locator(".notice [role=status]").inner_text() == "Light, saved."
    assert library.sql("SELECT mood, notes FROM moodEntry ORDER BY date") == [
        ("Peaceful", None), ("Light", "after the walk")]
    assert page.locator("table tbody tr").count() == 2

    page = watched.goto("/faith/verses")
    page.locator("#text").fill("The Lord is my shepherd.")
    page.locator("#reference").fill("Psalm 23:1")
    page.get_by_role("button", name="Add it").click()
    page.locator(".message").wait_for()
    assert library.sql("SELECT reference, day FROM verseOfDay") == [("Psalm 23:1", str(TODAY))]
    page = watched.goto("/faith")
    page.get_by_role("button", name="Bookmark of").click()
    page.get_by_role("button", name="Remove the bookmark").wait_for()
    assert library.sql("SELECT reference FROM bookmarkedVerse") == [("Psalm 23:1",)]
    page.get_by_role("button", name="Remove the bookmark").click()
    page.get_by_role("button", name="Bookmark of").wait_for()
    assert library.one("SELECT count(*) FROM bookmarkedVerse") == 0

    page = watched.goto("/faith/plans")
    page.locator("#title").fill("Luke")
    page.locator("#readings").fill("Luke 1\n\nLuke 2\n")
    page.get_by_role("button", name="Add it").click()
    page.wait_for_url("**/faith/plans/*")
    tomorrow = str(TODAY + datetime.timedelta(days=1))
    assert library.sql("SELECT title, startDay, endDay FROM readingPlan") == [
        ("Luke", str(TODAY), tomorrow)]
    page = watched.goto("/faith")
    page.get_by_role("button", name="Mark as read Luke 1").click()
    page.wait_for_url("**/faith?done=reading")
    done = "SELECT count(*) FROM readingPlanDay WHERE doneAt IS NOT NULL"
    assert library.one(done) == 1
    page.get_by_role("link", name="Luke 1").click()
    page.get_by_role("button", name="Mark as not read Luke 1").click()
    page.get_by_role("button", name="Mark as read Luke 1").wait_for()
    assert library.one(done) == 0

    page = watched.goto("/faith/prompts")
    page.locator("#prompt").fill("What are you thankful for?")
    page.get_by_role("button", name="Add it").click()
    page.get_by_role("link", name="Write about").wait_for()
    page = watched.goto("/faith")
    page.get_by_role("link", name="Write about it").click()
    assert "thankful" in page.inner_text("main")
    page.locator("#content").fill("For rain")
    page.get_by_role("button", name="Save", exact=True).click()
    page.wait_for_url("**/faith?done=entry")
    assert library.sql("SELECT usedDate IS NOT NULL, entryId = (SELECT id FROM journalEntry) "
                       "FROM journalPrompt") == [(1, 1)]
    for path in ["moods", "verses", "prompts"]:
        watched.goto(f"/faith/{path}")
        while page.locator(".sure").count():
            page.locator(".sure summary").first.click()
            page.get_by_role("button", name="Delete it").first.click()
            page.wait_for_load_state()
        if path == "verses":
            assert library.one("SELECT count(*) FROM verseOfDay") == 1
    assert library.one("SELECT count(*) FROM moodEntry") == 0
    assert library.one("SELECT count(*) FROM journalPrompt") == 0
    library.expect_sound()
    watched.expect_quiet()


def test_what_is_no_entry_is_refused_in_a_sentence(library, serve, open_page):
    enable(library)
    watched = open_page(serve()).login()
    none = "00000000-0000-0000-0000-000000000000"
    for path in [f"/food/entries/{none}", "/food/days/2025-02-30", f"/habits/{none}", "/habits/x",
                 f"/faith/entries/{none}", f"/faith/prayers/{none}", "/faith/moods?days=8",
                 f"/faith/plans/{none}", "/faith/prayers?status=open", "/food/nothing",
                 "/habits/days/9999-12-31"]:
        page = watched.goto(path)
        words = page.locator("[role=alert]").inner_text()
        assert words.endswith(".") and "--" not in words and len(words) < 200, (path, words)
    for day in ["0001-01-01", "9999-12-31"]:
        assert "Nothing logged" in watched.goto(f"/food/days/{day}").inner_text("main")


@pytest.mark.parametrize("table,path,fields", [
    ("craving", "/craving/{}", "intensity=3"),
    ("habitDay", "/habits/{}/set", "count=7"),
    ("foodEntry", "/food/entries/{}", "name=Rye&quantity=1&unit=slice"),
    ("journalEntry", "/faith/entries/{}", "title=Other&content=Other"),
    ("prayer", "/faith/prayers/{}", "title=Other&details=Other"),
])
def test_an_edit_that_links_to_a_missing_recording_changes_nothing(
        library, serve, table, path, fields):
    """The edit of a craving, and the count of a day, were written before the link was refused."""
    fill(library, "little")
    library.holdfast("craving", "log", "--intensity", "8")
    record = library.one(f"SELECT {'habitId' if table == 'habitDay' else 'id'} FROM {table}")
    before = library.sql(f"SELECT * FROM {table}")
    client = Client(serve()).login()
    missing = "00000000-0000-4000-8000-000000000000"
    response = client("POST", path.format(record), f"{fields}&recording={missing}".encode(), FORM)
    assert response.status == 404 and b"This recording was deleted" in response.body
    assert library.sql(f"SELECT * FROM {table}") == before
    recording = library.one("SELECT id FROM recording")
    response = client("POST", path.format(record), f"{fields}&recording={recording}".encode(), FORM)
    assert response.status == 303
    assert library.one(f"SELECT recordingId FROM {table}") == recording
    assert library.sql(f"SELECT * FROM {table}") != before


def test_numbers_beyond_all_reason_end_nothing(library, serve):
    enable(library)
    client = Client(serve()).login()
    assert client("POST", "/faith/plans", b"title=Mark&readings=Mark+1%0AMark+2",
                  FORM).status == 303
    plan = library.one("SELECT id FROM readingPlan")
    for position in [2**63 - 1, -2**63, 2**63, 2, -1]:
        response = client("POST", f"/faith/plans/{plan}/read", f"position={position}".encode(),
                          FORM)
        assert response.status == 422, position
    assert client("GET", "/habits?level=9223372036854775807").body.find(b"9223372036854775807") < 0
    assert client("GET", "/faith").status == 200
