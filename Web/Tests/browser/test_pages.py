"""The pages as a user sees and uses them."""

import os
import re
import time

import pytest
from playwright.sync_api import expect

from conftest import fixture
from looking import look, name_of

PAGES = ["/", "/craving", "/use", "/recordings", "/record", "/history", "/progress",
         "/progress?days=90", "/progress?days=all", "/settings", "/settings/erase", "/messages",
         "/phone"]


def until(page, expression, seconds=20):
    """Waits until a condition holds. The pages run no text as a script, not even a test's."""
    for _ in range(seconds * 10):
        if page.evaluate(expression):
            return
        page.wait_for_timeout(100)
    raise AssertionError(expression)


def fill(library, amount):
    if amount == "nothing":
        return
    library.imports("portrait.mov", "aac.m4a")
    for number in range(1 if amount == "little" else 40):
        library.holdfast("craving", "log", "--intensity", str(number % 10 + 1), "--trigger",
                         "Bored", "--location", "Home", "--notes", f"note {number}")
    library.holdfast("usage", "log", "--method", "Vape", "--amount", "2")
    if amount == "much":
        library.imports("hevc10.mov", "voice.wav", "hevc8.mp4", "odd.webm")
        title = "<script>alert(1)</script> " + "very long words and wordswithoutanyspace" * 4
        library.holdfast("edit", library.one("SELECT min(id) FROM recording"), "--title", title)


@pytest.mark.parametrize("amount", ["nothing", "little", "much"])
def test_every_page_is_sound(library, serve, open_page, amount):
    fill(library, amount)
    watched = open_page(serve()).login()
    pages = list(PAGES)
    for (recording, kind) in library.sql("SELECT id, type FROM recording LIMIT 3"):
        pages += [f"/recordings/{recording}", f"/recordings/{recording}/delete"]
        pages += [f"/recordings/{recording}/picture"] if kind == "video" else []
    pages += [f"/craving/{row[0]}" for row in library.sql("SELECT id FROM craving LIMIT 1")]
    for path in pages:
        look(watched, path, f"{name_of(path)}-{amount}")
    watched.expect_quiet()


def test_log_a_craving_with_the_keyboard_alone(library, serve, open_page):
    library.imports("aac.m4a")
    watched = open_page(serve()).login()
    page = watched.page
    page.keyboard.press("Tab")  # Skip to the page.
    while page.evaluate("document.activeElement.textContent") != "Log craving":
        page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    page.wait_for_url("**/craving")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    page.wait_for_url("**/logged**")
    assert library.sql("SELECT intensity FROM craving") == [(7,)]
    assert "Saved." in page.inner_text("main")
    assert page.locator(".recording").count() == 1
    page.get_by_role("button", name="Undo").click()
    page.wait_for_url(watched.server.origin + "/")
    assert library.sql("SELECT count(*) FROM craving") == [(0,)]
    watched.expect_quiet()


def test_what_was_typed_stays_when_holdfast_has_ended(library, serve, open_page):
    server = serve()
    watched = open_page(server).login()
    page = watched.goto("/craving")
    page.get_by_text("More details (optional)").click()
    page.locator("#notes").fill("a hard evening")
    server.stop()
    page.get_by_text("Holdfast has ended").wait_for()
    page.get_by_role("button", name="Save").click()
    assert page.get_by_role("alert").count() == 1
    assert page.locator("#notes").input_value() == "a hard evening"
    assert library.one("SELECT count(*) FROM craving") == 0


def test_a_use_is_undone_and_deletions_ask(library, serve, open_page):
    library.imports("aac.m4a")
    watched = open_page(serve()).login()
    watched.goto("/use").get_by_role("button", name="Save").click()
    page = watched.page
    page.wait_for_url("**/logged**")
    words = page.inner_text("main")
    assert "Saved." in words and "urge" not in words
    assert page.locator(".recording").count() == 1
    page.get_by_role("button", name="Undo").click()
    page.wait_for_url(watched.server.origin + "/")
    assert library.one("SELECT count(*) FROM usage") == 0
    library.holdfast("craving", "log", "--intensity", "4")
    watched.goto("/history").locator(".entries a").first.click()
    page.get_by_text("Delete this entry").click()
    assert library.one("SELECT count(*) FROM craving") == 1
    page.get_by_role("button", name="Delete it").click()
    page.wait_for_url("**/history")
    assert library.one("SELECT count(*) FROM craving") == 0
    watched.expect_quiet()


def test_log_and_edit_without_a_script(library, serve, open_page):
    library.imports("aac.m4a")
    watched = open_page(serve(), java_script_enabled=False).login()
    page = watched.goto("/craving")
    page.locator("#intensity").fill("8")
    page.get_by_text("More details (optional)").click()
    page.get_by_label("Anxious").check()
    page.get_by_label("Home").check()
    page.locator("#notes").fill("line one\nline <b>two</b> & more")
    page.get_by_role("button", name="Save").click()
    assert library.sql("SELECT intensity, location, notes FROM craving") == [
        (8, "Home", "line one\nline <b>two</b> & more")]
    assert library.sql("SELECT trigger FROM cravingTrigger") == [("Anxious",)]
    page = watched.goto("/history")
    page.locator(".entries a").first.click()
    page.locator("#intensity").fill("3")
    page.get_by_role("button", name="Keep changes").click()
    assert library.sql("SELECT intensity, location FROM craving") == [(3, "Home")]
    watched.goto("/use")
    page.get_by_label("Edible", exact=True).check()
    page.locator("#amount-Edible").select_option("10.0")
    page.get_by_role("button", name="Save").click()
    assert library.sql("SELECT method, amount FROM usage") == [("Edible", 10)]
    recording = library.one("SELECT id FROM recording")
    page = watched.goto(f"/recordings/{recording}")
    page.get_by_text("Edit", exact=True).click()
    page.locator("#title").fill("Why I stopped")
    page.get_by_role("button", name="Keep changes").click()
    assert library.sql("SELECT title FROM recording") == [("Why I stopped",)]
    watched.goto("/recordings?q=stopped")
    assert page.locator(".recording").count() == 1
    with page.expect_download() as download:
        watched.goto("/settings")
        page.get_by_role("link", name="JSON").click()
    assert "Why I stopped" in download.value.path().read_text()
    watched.goto(f"/recordings/{recording}")
    page.get_by_role("link", name="Delete").click()
    assert "Why I stopped" in page.inner_text("main")
    page.get_by_role("button", name="Delete").click()
    assert library.sql("SELECT count(*) FROM recording") == [(0,)]


def until_played(library, count):
    # A busy machine is slow.
    for _ in range(300):
        if library.one("SELECT playCount FROM recording") == count:
            break
        time.sleep(0.1)
    assert library.one("SELECT playCount FROM recording") == count


@pytest.mark.parametrize("name,kind", [("portrait.mov", "video"), ("aac.m4a", "audio")])
def test_a_play_counts_once(library, serve, open_page, name, kind):
    library.imports(name)
    recording = library.one("SELECT id FROM recording")
    watched = open_page(serve()).login()
    page = watched.goto(f"/recordings/{recording}")
    page.evaluate(f"document.querySelector('{kind}').play()")
    until(page, f"document.querySelector('{kind}').ended")
    until_played(library, 1)
    expect(page.locator("[data-played]")).to_have_text("1 play")
    # The end of the recording, and of its page, count as one play.
    watched.goto("/")
    assert library.one("SELECT playCount FROM recording") == 1
    # A play that is closed in the middle counts too, and one that never began does not.
    page = watched.goto(f"/recordings/{recording}")
    page.evaluate(f"document.querySelector('{kind}').play()")
    until(page, f"document.querySelector('{kind}').currentTime > 0.2")
    watched.goto("/")
    until_played(library, 2)
    watched.goto(f"/recordings/{recording}")
    watched.goto("/")
    assert library.one("SELECT playCount FROM recording") == 2
    watched.expect_quiet()


@pytest.mark.parametrize("kind,suffix", [("video", ".mov"), ("audio", ".m4a")])
def test_record_and_keep(library, serve, open_page, kind, suffix):
    watched = open_page(serve(), permissions=["camera", "microphone"]).login()
    page = watched.goto("/record")
    page.locator(f"[data-kind={kind}]").click()
    page.wait_for_timeout(3000)
    page.locator("[data-stop]").click()
    # What was recorded is heard with the page's own player, which knows its length.
    length = page.locator("[data-length]")
    expect(length).to_have_text(re.compile("0:0[2-4]"))
    page.locator("[data-toggle]").click()
    until(page, "document.querySelector('[data-listen]').currentTime > 0.1")
    assert page.locator("[data-listen]").is_visible() == (kind == "video")
    page.locator("[data-title]").fill("From this page")
    page.get_by_text("More details (optional)").click()
    page.locator("[data-purpose]").select_option("milestone")
    page.locator("[data-keep]").click()
    page.wait_for_url("**/recordings/*", timeout=30_000)
    rows = library.sql("SELECT type, title, purpose, playCount, duration, filePath FROM recording")
    assert len(rows) == 1
    assert rows[0][:4] == (kind, "From this page", "milestone", 0)
    assert 2 < rows[0][4] < 5 and rows[0][5].endswith(suffix)
    library.expect_sound()
    watched.expect_quiet()


def test_the_timer_stops_by_itself_and_the_library_takes_the_recording(library, serve, open_page):
    watched = open_page(serve(), permissions=["microphone"]).login()
    watched.page.clock.install()
    page = watched.goto("/record")
    page.locator("[data-kind=audio]").click()
    page.clock.run_for(1000)
    page.locator("[data-stop]").wait_for()
    page.clock.run_for(60_000)
    assert page.locator("[data-hint]").inner_text() == ""
    page.clock.run_for(58_000)
    assert page.locator("[data-hint]").inner_text().endswith("s left")
    assert page.locator("[data-stop]").is_visible()
    page.clock.run_for(1000)
    page.locator("[data-keep]").wait_for(timeout=10_000)


def test_many_uploads_at_once(library, serve, open_page):
    good = ["aac.m4a", "hevc8.mp4", "odd.webm", "portrait.mov", "voice.wav"]
    bad = ["notes.txt", "len-121.m4a"]
    watched = open_page(serve()).login()
    page = watched.goto("/record")
    page.locator("#files").set_input_files([fixture(name) for name in good + bad])
    until(page, "document.querySelectorAll('[data-uploads] progress[hidden]').length == %d"
          % len(good + bad), 60)
    assert page.locator(".came").count() == len(good)
    summary = page.locator("[data-summary]").inner_text()
    assert summary == "5 recordings added. 1 too long: choose below. 1 not added.", summary
    # One row each: a name is asked for only when someone wants to give it.
    assert page.locator(".naming").count() == len(good)
    assert not page.locator(".naming input").first.is_visible()
    # What waits for an answer comes first.
    question = page.locator("[data-uploads] li").first
    assert "len-121.m4a" in question.inner_text()
    assert question.locator("[value=split]").inner_text() == "Split it into 2 parts"
    assert page.locator("[data-uploads] [role=alert]").count() == len(bad)
    words = page.locator("[data-uploads] li").filter(has_text="len-121.m4a").inner_text()
    assert "This is 2:01 long; the limit is 2:00." in words, words
    names = {row[0] for row in library.sql("SELECT originalFilename FROM recording")}
    assert names == set(good)
    # The same file is not imported twice.
    page.locator("#files").set_input_files(fixture("aac.m4a"))
    page.get_by_text("Already in your library", exact=True).wait_for(timeout=20_000)
    assert library.one("SELECT count(*) FROM recording") == len(good)
    # Without titles, the files' names tell them apart.
    page = watched.goto("/recordings")
    shown = page.locator("li.recording").all_inner_texts()
    stems = [name.partition(".")[0] for name in good]
    assert [sum(stem in text for text in shown) for stem in stems] == [1] * len(good), shown
    page.get_by_text("hevc8", exact=True).click()
    page.get_by_text("Edit", exact=True).click()
    page.get_by_label("Title").fill("Day one")
    page.get_by_role("button", name="Keep changes").click()
    page.get_by_text("Day one").first.wait_for()
    assert page.get_by_text("hevc8", exact=True).count() == 0
    watched.expect_quiet()
    # The clip that is too long waits for a choice until then.
    watched.server.stop()
    library.expect_sound()


def test_uploads_without_a_script(library, serve, open_page):
    watched = open_page(serve(), java_script_enabled=False).login()
    page = watched.goto("/record")
    page.locator("#files").set_input_files([fixture("aac.m4a"), fixture("notes.txt"),
                                            fixture("voice.wav")])
    page.get_by_role("button", name="Keep them").click()
    page.get_by_text("New recordings").wait_for(timeout=30_000)
    assert page.locator("[role=alert]").count() == 1
    assert library.one("SELECT count(*) FROM recording") == 2
    library.expect_sound()


def test_a_tab_that_is_closed_leaves_nothing_half_done(library, serve, open_page, tmp_path):
    # Large enough that it is still arriving when the tab is closed.
    large = tmp_path / "large.mov"
    with open(fixture("portrait.mov"), "rb") as source, open(large, "wb") as target:
        target.write(source.read())
        target.truncate(600_000_000)
    watched = open_page(serve()).login()
    page = watched.goto("/record")
    page.locator("#files").set_input_files([fixture("aac.m4a"), str(large)])
    page.get_by_text("Added:").first.wait_for(timeout=30_000)
    page.close()
    time.sleep(1)
    for _ in range(100):
        if library.holdfast("craving", "log", "--intensity", "1", check=False).returncode == 0:
            break
    assert library.one("SELECT count(*) FROM recording") >= 1
    server = watched.server
    server.stop()
    library.holdfast("craving", "log", "--intensity", "1")
    library.expect_sound()


def test_what_another_program_changes_is_seen_at_once(library, serve, open_page):
    watched = open_page(serve()).login()
    assert watched.goto("/recordings").locator(".recording").count() == 0
    library.imports("aac.m4a")
    assert watched.goto("/recordings").locator(".recording").count() == 1


def test_the_disk_goes_away_and_comes_back(library, serve, open_page):
    library.imports("aac.m4a")
    watched = open_page(serve()).login()
    os.rename(library.path, library.path + "-away")
    page = watched.goto("/")
    assert "no library" in page.inner_text("main")
    os.rename(library.path + "-away", library.path)
    page = watched.goto("/recordings")
    assert page.locator(".recording").count() == 1


def test_the_files_are_checked(library, serve, open_page):
    library.imports("aac.m4a", "voice.wav")
    watched = open_page(serve()).login()
    watched.goto("/settings").get_by_role("button", name="Check the files").click()
    watched.page.get_by_text("Everything is as it should be").wait_for()
    os.remove(os.path.join(library.path, library.one("SELECT filePath FROM recording LIMIT 1")))
    watched.goto("/settings").get_by_role("button", name="Check the files").click()
    watched.page.get_by_text("1 thing found").wait_for()
    text = watched.page.inner_text(".panel")
    assert "1 thing found" in text and ".m4a" in text and "missing" in text
    watched.expect_quiet()


def test_everything_is_deleted_only_with_the_word(library, serve, open_page):
    library.imports("aac.m4a")
    library.holdfast("craving", "log", "--intensity", "4")
    watched = open_page(serve(), java_script_enabled=False).login()
    page = watched.goto("/settings")
    page.get_by_role("link", name="Delete everything").click()
    assert "1 recording, 1 craving, 0 uses" in page.inner_text("main")
    page.locator("#word").fill("yes")
    page.get_by_role("button", name="Delete everything").click()
    assert page.locator("[role=alert]").count() == 1
    assert library.one("SELECT count(*) FROM recording") == 1
    page.locator("#word").fill("Delete")
    page.get_by_role("button", name="Delete everything").click()
    assert page.title().startswith("Welcome")
    assert library.one("SELECT count(*) FROM recording") == 0
    library.expect_sound()
