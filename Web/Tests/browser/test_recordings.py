"""Recordings in the browser: too long clips, choosing one, naming, playing, and what is gone."""

import re
import signal
import subprocess

import pytest
from playwright.sync_api import expect

from conftest import fixture
from looking import look, name_of
from test_pages import until


@pytest.fixture(scope="session")
def long_clip(tmp_path_factory):
    """A phone's clip of four minutes."""
    path = tmp_path_factory.mktemp("clip") / "IMG_0042.mp4"
    subprocess.run(
        ["ffmpeg", "-v", "error", "-f", "lavfi", "-i", "color=c=teal:s=64x48:r=5:d=240",
         "-f", "lavfi", "-i", "sine=220:d=240", "-c:v", "libx264", "-preset", "ultrafast",
         "-pix_fmt", "yuv420p", "-g", "25", "-c:a", "aac", "-b:a", "32k", "-shortest", path],
        check=True)
    return str(path)


def until_said(watched, text):
    """Expects the short line after a change, once."""
    line = watched.page.locator("[data-notice]")
    expect(line).to_have_text(text)
    assert line.get_attribute("role") == "status"
    watched.page.reload()
    assert watched.page.locator("[data-notice]").count() == 0


# A clip that is too long

@pytest.mark.parametrize("script", [True, False])
@pytest.mark.parametrize("choice,count", [("Keep the first 2 minutes", 1), ("Split it", 2)])
def test_a_long_clip_has_a_way_in(library, serve, open_page, long_clip, script, choice, count):
    watched = open_page(serve(), java_script_enabled=script).login()
    page = watched.goto("/record")
    page.locator("#files").set_input_files(long_clip)
    if not script:
        page.get_by_role("button", name="Keep them").click()
    page.get_by_text("This is 4:00 long; the limit is 2:00.").wait_for(timeout=30_000)
    assert library.one("SELECT count(*) FROM recording") == 0
    uploads = []
    page.on("request", lambda request: uploads.append(request.post_data_buffer or b""))
    page.get_by_role("button", name=choice).click()
    expect(page.get_by_text("added.")).to_be_visible(timeout=60_000)
    # The file is not sent a second time.
    assert max(map(len, uploads)) < 1000
    if script and count == 1:
        expect(page.get_by_text("Added: the first 2 minutes of IMG_0042.mp4")).to_be_visible()
    assert page.locator(".naming").count() == count
    if count == 2:
        # The parts are told apart by their numbers.
        shown = page.locator(".came a").all_inner_texts()
        assert [words[-8:] for words in shown] == ["(1 of 2)", "(2 of 2)"], shown
    lengths = [row[0] for row in library.sql("SELECT duration FROM recording")]
    assert len(lengths) == count and all(119 < length < 120.1 for length in lengths), lengths
    names = [row[0] for row in library.sql("SELECT originalFilename FROM recording")]
    assert set(names) == {"IMG_0042.mp4"}
    library.expect_sound()


@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGKILL])
def test_a_long_clip_without_a_choice_leaves_nothing(library, serve, open_page, long_clip, how):
    watched = open_page(serve()).login()
    page = watched.goto("/record")
    page.locator("#files").set_input_files(long_clip)
    page.get_by_role("button", name="Split it").wait_for(timeout=30_000)
    watched.server.process.send_signal(how)
    watched.server.process.wait(10)
    # The next change removes what a killed server has left.
    library.holdfast("craving", "log", "--intensity", "1")
    library.expect_sound()


def test_a_choice_works_once(library, serve, open_page, long_clip):
    watched = open_page(serve()).login()
    page = watched.goto("/record")
    answers = []
    page.on("response", lambda answer: answers.append(answer.url))
    page.locator("#files").set_input_files(long_clip)
    page.get_by_role("button", name="Keep the first 2 minutes").click(timeout=30_000)
    expect(page.get_by_text("added.")).to_be_visible(timeout=60_000)
    choice = next(url for url in answers if "/choice" in url)
    status = "async (url) => (await fetch(url, {method: 'POST'})).status"
    assert page.evaluate(status, choice) == 409
    assert page.evaluate(status, choice.replace("trim", "refuse")) == 422
    assert library.one("SELECT count(*) FROM recording") == 1


def test_refusals_are_said_as_people_say_them(library, serve, open_page, tmp_path):
    flv = tmp_path / "old.flv"
    subprocess.run(["ffmpeg", "-v", "error", "-f", "lavfi", "-i", "color=s=64x48:d=1",
                    "-c:v", "flv1", flv], check=True)
    watched = open_page(serve()).login()
    page = watched.goto("/record")
    page.locator("#files").set_input_files([fixture("photo.jpg"), fixture("photo.heic"), str(flv)])
    # Past the time after which a stalled worker is ended, whose sentence then shows.
    expect(page.locator("[data-uploads] [role=alert]")).to_have_count(3, timeout=120_000)
    said = sorted(page.locator("[data-uploads] [role=alert]").all_inner_texts())
    assert said == ["Holdfast can't read FLV files. Convert it to MP4.",
                    "This is a photo, not a recording.", "This is a photo, not a recording."]


@pytest.mark.parametrize("script", [True, False])
def test_what_came_in_is_named(library, serve, open_page, script):
    watched = open_page(serve(), java_script_enabled=script).login()
    page = watched.goto("/record")
    page.locator("#files").set_input_files(fixture("aac.m4a"))
    if not script:
        page.get_by_role("button", name="Keep them").click()
    page.get_by_label("Name it").fill("Why I <b>stopped</b>", timeout=30_000)
    page.locator(".naming").get_by_role("button", name="Save").click()
    page.get_by_text("Saved.").wait_for()
    assert library.one("SELECT title FROM recording") == "Why I <b>stopped</b>"
    assert page.get_by_text("Why I <b>stopped</b>").first.is_visible()


# Choosing a recording

@pytest.mark.parametrize("script", [True, False])
def test_a_form_offers_every_recording_and_what_tells_them_apart(
        library, serve, open_page, script):
    library.imports("portrait.mov", "aac.m4a")
    one = library.one("SELECT id FROM recording WHERE type = 'video'")
    library.holdfast("edit", one, "--title", "The lake, très tôt")
    for number in range(25):
        library.holdfast("import", "--allow-duplicates", "--title", f"Clip {number}",
                         fixture("aac.m4a"))
    watched = open_page(serve(), java_script_enabled=script).login()
    page = watched.goto("/craving")
    page.get_by_text("More details (optional)").click()
    options = page.locator(".option")
    if not script:
        page.get_by_role("link", name="Show all recordings").click()
    else:
        # A large library does not slow the form down: the rest comes for the search.
        assert options.count() == 25
        page.get_by_label("Find a recording").focus()
    expect(options).to_have_count(28)
    lake = options.filter(has_text="The lake")
    assert re.search(r"Video\s+0:02\s+Sat 25 Oct", lake.text_content())
    assert lake.locator("img[src^='/thumbnails/']").count() == 1
    if script:
        page.get_by_label("Find a recording").fill("TRES lake")
        assert [option for option in options.all() if option.is_visible()][0].text_content() \
            == lake.text_content()
        assert sum(option.is_visible() for option in options.all()) == 1
        page.get_by_label("Find a recording").press("Enter")
        page.get_by_label("Find a recording").fill("nothing like it")
        assert page.get_by_text("No recordings match.").is_visible()
        page.get_by_label("Find a recording").fill("lake")
    else:
        assert not page.get_by_label("Find a recording").is_visible()
    lake.locator("input").check()
    page.get_by_role("button", name="Save").click()
    page.wait_for_url("**/logged**")
    assert library.sql("SELECT recordingId FROM craving") == [(one,)]
    # It stays chosen, and can be removed.
    page = watched.goto("/history")
    page.locator(".entries a").first.click()
    assert page.locator(".option input:checked").get_attribute("value") == one
    page.locator(".option input").first.check()
    page.get_by_role("button", name="Keep changes").click()
    assert library.sql("SELECT recordingId FROM craving") == [(None,)]


# What was done, and what is gone

def test_every_change_says_so(library, serve, open_page):
    library.imports("portrait.mov")
    recording = library.one("SELECT id FROM recording")
    watched = open_page(serve()).login()
    page = watched.goto("/craving")
    page.get_by_role("button", name="Save").click()
    page.wait_for_url("**/logged**")
    page.get_by_role("button", name="Undo").click()
    until_said(watched, "Undone. Nothing was logged.")
    library.holdfast("craving", "log", "--intensity", "4")
    page = watched.goto(f"/recordings/{recording}")
    page.get_by_text("Link to a craving").click()
    page.get_by_role("button", name="Link it").click()
    until_said(watched, "Linked.")
    page.get_by_text("Edit", exact=True).click()
    page.get_by_role("button", name="Keep changes").click()
    until_said(watched, "Saved.")
    page = watched.goto("/history")
    page.locator(".entries a").first.click()
    page.get_by_text("Delete this entry").click()
    page.get_by_role("button", name="Delete it").click()
    until_said(watched, "Deleted.")
    page = watched.goto(f"/recordings/{recording}/delete")
    page.get_by_role("button", name="Delete").click()
    until_said(watched, "The recording was deleted.")
    # Back from there.
    page = watched.goto(f"/recordings/{recording}")
    assert page.get_by_role("alert").inner_text() == "This recording was deleted."
    assert page.get_by_role("link", name="Recordings").count() >= 1


def test_another_word_keeps_the_page_and_its_undo(library, serve, open_page):
    watched = open_page(serve()).login()
    page = watched.goto("/craving?back=/history")
    page.get_by_role("button", name="Save").click()
    page.wait_for_url("**/logged**")
    here, word = page.url, page.locator(".message p").inner_text()
    page.get_by_role("button", name="Another one").click()
    expect(page.locator(".message p")).not_to_have_text(word)
    assert page.url == here
    page.get_by_role("button", name="Undo").click()
    page.wait_for_url("**/history")
    assert library.one("SELECT count(*) FROM craving") == 0


@pytest.mark.parametrize("script", [True, False])
def test_after_erasing_a_page_that_was_kept_is_asked_for_again(
        library, serve, open_page, script):
    library.imports("aac.m4a")
    recording = library.one("SELECT id FROM recording")
    watched = open_page(serve(), java_script_enabled=script).login()
    cookies = {one["name"]: one["value"] for one in watched.page.context.cookies()}
    watched.goto(f"/recordings/{recording}")
    page = watched.goto("/settings/erase")
    page.locator("#word").fill("delete")
    page.get_by_role("button", name="Delete everything").click()
    until_said(watched, "Everything was deleted.")
    name = next(name for name in cookies if name.startswith("holdfast-"))
    renewed = {one["name"]: one["value"] for one in watched.page.context.cookies()}
    assert renewed[name] != cookies[name]
    page.go_back()
    page.go_back()
    assert "aac" not in page.inner_text("main")
    page.goto(watched.server.origin + "/recordings")
    if script:
        # The browser of this test keeps no pages; another one says so by this event.
        with page.expect_navigation():
            page.evaluate("dispatchEvent(new PageTransitionEvent('pageshow', {persisted: true}))")


# The page of a recording

def test_next_goes_through_all_and_plays(library, serve, open_page):
    library.imports("aac.m4a", "voice.wav", "portrait.mov", "hevc8.mp4")
    watched = open_page(serve()).login()
    page = watched.goto("/recordings/" + library.one("SELECT max(id) FROM recording"))
    seen = []
    for _ in range(4):
        seen.append(page.url.rpartition("/")[2].partition("?")[0])
        page.locator("a.next").click()
        page.wait_for_url(lambda url: seen[-1] not in url)
        assert page.locator("[autoplay]").count() == 1
    assert len(set(seen)) == 4 and seen[0] in page.url


def test_a_recording_names_what_it_helped_with(library, serve, open_page):
    library.imports("aac.m4a")
    recording = library.one("SELECT id FROM recording")
    library.holdfast("journal", "enable", "food")
    library.holdfast("food", "log", "--name", "Toast", "--quantity", "1", "--unit", "slice",
                     "--calories", "80", "--protein", "3", "--carbohydrates", "14", "--fat", "1",
                     "--recording", recording)
    watched = open_page(serve(), java_script_enabled=False).login()
    page = watched.goto(f"/recordings/{recording}")
    assert "elped with" not in page.inner_text("main .detail")
    for intensity in (8, 3):
        library.holdfast("craving", "log", "--intensity", str(intensity), "--recording", recording)
    page = watched.goto(f"/recordings/{recording}")
    page.get_by_role("link", name="helped with 2 cravings").click()
    assert page.get_by_role("heading", name="Helped with 2 cravings").is_visible()
    lines = page.locator("#helped li").all_inner_texts()
    assert [re.sub(r"\d\d:\d\d", "12:00", line) for line in lines] == [
        "Today 12:00, 3 of 10", "Today 12:00, 8 of 10"]
    # Another recording says what a link would replace.
    library.imports("voice.wav")
    other = library.one("SELECT id FROM recording ORDER BY createdAt DESC")
    page = watched.goto(f"/recordings/{other}")
    options = page.locator("#craving option").all_text_contents()
    assert len(options) == 2 and all("(instead of “" in option for option in options), options
    page = watched.goto(f"/recordings/{recording}")
    page.locator("#helped a").first.click()
    assert page.locator("#intensity").input_value() == "3"
    page = watched.goto(f"/recordings/{recording}")
    page.get_by_role("link", name="Food: Toast").click()
    assert page.locator("#name").input_value() == "Toast"


@pytest.mark.parametrize("name,kind", [("voice.wav", "audio"), ("portrait.mov", "video")])
def test_the_player_is_used_with_keys_and_a_finger(library, serve, open_page, name, kind):
    library.imports(name)
    recording = library.one("SELECT id FROM recording")
    watched = open_page(serve(), has_touch=True).login()
    page = watched.goto(f"/recordings/{recording}")
    time = f"document.querySelector('{kind}').currentTime"
    paused = f"document.querySelector('{kind}').paused"
    toggle = page.locator("[data-toggle]")
    expect(toggle).to_be_focused()
    assert toggle.bounding_box()["width"] >= 72
    assert not page.evaluate(f"document.querySelector('{kind}').controls")
    # A tap on the waveform goes there.
    position = page.get_by_label("Position")
    box = position.bounding_box()
    page.touchscreen.tap(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    length = page.evaluate(f"document.querySelector('{kind}').duration")
    assert abs(page.evaluate(time) - length / 2) < length / 8
    position.press("Home")
    assert page.evaluate(time) == 0
    assert position.get_attribute("aria-valuetext").startswith("0:00 of 0:0")
    position.press("ArrowRight")
    assert page.evaluate(time) > length / 2
    page.get_by_role("button", name="15 seconds back").click()
    assert page.evaluate(time) == 0
    position.press("Space")
    until(page, f"{time} > 0.05")
    position.press("Space")
    until(page, paused)
    assert toggle.get_attribute("aria-label") == "Play"
    toggle.click()
    until(page, f"!{paused}")
    if kind == "video":
        picture = page.locator("video").bounding_box()
        ratio = page.locator("video").evaluate("video => video.videoWidth / video.videoHeight")
        assert ratio < 1 and abs(picture["width"] / picture["height"] - ratio) < 0.02
    watched.expect_quiet()


@pytest.mark.parametrize("name,kind", [("voice.wav", "audio"), ("portrait.mov", "video")])
def test_without_a_script_the_browsers_own_controls_play(library, serve, open_page, name, kind):
    library.imports(name)
    watched = open_page(serve(), java_script_enabled=False).login()
    page = watched.goto("/recordings/" + library.one("SELECT id FROM recording"))
    assert page.locator(f"{kind}[controls]").is_visible()
    assert not page.locator("[data-toggle]").is_visible()


# The list

@pytest.mark.parametrize("script", [True, False])
def test_filters_apply_at_once_and_are_removed(library, serve, open_page, script):
    library.imports("aac.m4a", "portrait.mov")
    watched = open_page(serve(), java_script_enabled=script).login()
    page = watched.goto("/recordings")
    assert page.locator(".sorts a").all_inner_texts() == [
        "Newest", "Most played", "Longest", "Title"]
    page.locator(".links a", has_text="Sound").click()
    expect(page.locator(".recording")).to_have_count(1)
    page.get_by_role("link", name="Longest").click()
    page.get_by_role("link", name="Milestone").click()
    expect(page.get_by_text("No recordings match.")).to_be_visible()
    page.get_by_role("link", name="Milestone").click()
    expect(page.locator(".recording")).to_have_count(1)
    assert page.locator("[aria-current=true]").all_inner_texts() == ["Sound", "Longest"]
    page.locator("#q").fill("portrait")
    page.locator("#q").press("Enter")
    page.wait_for_url("**q=portrait**")
    expect(page.get_by_text("No recordings match.")).to_be_visible()
    page.locator(".links a", has_text="Sound").click()
    expect(page.locator(".recording")).to_have_count(1)


def test_new_pages_look_sound(library, serve, open_page, long_clip):
    watched = open_page(serve()).login()
    look(watched, "/recordings", "recordings-empty")
    library.imports("portrait.mov", "voice.wav", "aac.m4a")
    recording = library.one("SELECT id FROM recording WHERE type = 'audio' LIMIT 1")
    library.holdfast("craving", "log", "--intensity", "8", "--recording", recording)
    craving = library.one("SELECT id FROM craving")
    for path in (f"/recordings/{recording}", f"/craving/{craving}", "/recordings?type=video",
                 "/recordings?q=nothing"):
        look(watched, path, name_of(path) + "-new")


# Jobs, counted

class Taps:
    """Counts what a user does."""

    def __init__(self):
        self.count = 0

    def click(self, locator):
        self.count += 1
        locator.click()


def test_a_recording_plays_after_one_tap(library, serve, open_page):
    library.imports("voice.wav")
    page = open_page(serve()).login().page
    taps = Taps()
    taps.click(page.locator(".recording a").first)
    until(page, "document.querySelector('audio')?.currentTime > 0")
    assert taps.count == 1


def test_a_memo_is_kept_after_three_taps(library, serve, open_page):
    page = open_page(serve(), permissions=["microphone"]).login().goto("/record")
    taps = Taps()
    taps.click(page.get_by_role("button", name="Record sound"))
    expect(page.locator("[data-timer]")).to_have_text("0:01 of 2:00")
    taps.click(page.get_by_role("button", name="Stop"))
    # It shows that something was heard.
    assert page.locator("[data-heard]").evaluate("""canvas => canvas.getContext('2d')
        .getImageData(0, 0, canvas.width, canvas.height).data.some(value => value > 0)""")
    taps.click(page.get_by_role("button", name="Keep", exact=True))
    page.wait_for_url("**/recordings/*", timeout=30_000)
    expect(page.locator("[data-notice]")).to_have_text("Added to your library.")
    page.locator("[data-toggle]").wait_for()
    assert taps.count == 3
    assert library.one("SELECT count(*) FROM recording") == 1


def test_a_recording_is_found_by_words_in_two_steps(library, serve, open_page):
    library.imports("voice.wav", "aac.m4a")
    page = open_page(serve()).login().goto("/recordings")
    page.locator("#q").fill("aac")
    page.keyboard.press("Enter")
    expect(page.locator(".recording")).to_have_count(1)
    # The keyboard is at the results.
    expect(page.get_by_role("status")).to_have_text("1 recording")
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.closest('.recording') !== null")


def test_a_phones_clip_of_four_minutes_is_kept_after_three_taps(
        library, serve, open_page, long_clip):
    page = open_page(serve()).login().page
    taps = Taps()
    taps.click(page.locator("main a[href='/record']"))
    with page.expect_file_chooser() as chooser:
        taps.click(page.get_by_label("Choose recordings, or drop them here"))
    chooser.value.set_files(long_clip)
    page.get_by_role("button", name="Keep the first 2 minutes").wait_for(timeout=30_000)
    taps.click(page.get_by_role("button", name="Keep the first 2 minutes"))
    expect(page.get_by_text("added.")).to_be_visible(timeout=60_000)
    assert taps.count == 3
    assert library.one("SELECT count(*) FROM recording") == 1


def test_the_way_back_from_recording_keeps_nothing(library, serve, open_page):
    page = open_page(serve(), permissions=["microphone"]).login().goto("/record")
    page.get_by_role("button", name="Record sound").click()
    expect(page.locator("[data-timer]")).to_have_text("0:01 of 2:00")
    page.on("dialog", lambda dialog: dialog.accept())
    page.locator("[data-back]").click()
    expect(page.get_by_role("button", name="Record sound")).to_be_visible()
    assert library.one("SELECT count(*) FROM recording") == 0
    page.get_by_role("link", name="Recordings").last.click()
    page.wait_for_url("**/recordings")
