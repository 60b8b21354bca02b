"""What was said: beside the player, as captions, in search, and corrected by a person."""

import json
import shutil
from pathlib import Path

from conftest import fixture


def say(library, tmp_path):
    """Gives the only recording two sentences, as a program would have heard them."""
    recording = library.one("SELECT id FROM recording")
    path = tmp_path / "said.json"
    path.write_text(json.dumps({
        "format": "holdfast", "schemaVersion": 2,
        "versions": {"recordings": 2, "transcripts": 1}, "recordings": [],
        "transcripts": [{
            "id": recording, "state": "words", "source": "program", "program": "whisper-cli",
            "language": "en", "isLanguageDoubtful": False,
            "segments": [
                {"startTime": 0, "endTime": 700, "text": "I stopped at the <lighthouse>."},
                {"startTime": 700, "endTime": 1400, "text": "It was cold."}],
            "createdAt": "2026-01-02T03:04:05.000Z"}]}))
    library.holdfast("import-data", str(path))
    return recording


def test_a_wide_screen_has_the_words_beside_the_player(library, serve, open_page, tmp_path):
    library.imports("portrait.mov")
    recording = say(library, tmp_path)
    for width, is_beside in ((1440, True), (390, False)):
        watched = open_page(serve(), viewport={"width": width, "height": 844}).login()
        page = watched.goto(f"/recordings/{recording}")
        player = page.locator(".player").bounding_box()
        said = page.locator(".said").bounding_box()
        assert (said["x"] >= player["x"] + player["width"]) == is_beside
        assert (said["y"] < player["y"] + player["height"]) == is_beside
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        # What follows the player stays below it.
        facts = page.locator(".facts").bounding_box()
        assert facts["x"] < player["x"] + 1
        assert facts["y"] >= player["y"] + player["height"]


def test_a_sentence_plays_and_a_search_leads_to_it(library, serve, open_page, tmp_path):
    library.imports("portrait.mov")
    recording = say(library, tmp_path)
    watched = open_page(serve()).login()
    page = watched.goto("/recordings?q=LIGHTHOUSE")
    hit = page.locator("li.recording .hit")
    assert hit.inner_text() == "0:00 I stopped at the <lighthouse>."
    assert hit.locator("mark").inner_text() == "lighthouse"
    # Words of a computer are marked as such, and the mark is never cut off.
    mark = page.locator("li.recording").get_by_text("A computer’s words")
    assert mark.is_visible()
    library.imports("aac.m4a")
    page = watched.goto("/recordings?q=walk")
    assert page.locator("li.recording").count() == 0
    assert page.get_by_text("What is said in 1 recording is not written down yet").is_visible()
    other = library.one("SELECT id FROM recording WHERE type = 'audio'")
    library.holdfast("delete", "--yes", other)
    page = watched.goto(f"/recordings/{recording}")
    assert page.get_by_text("A computer wrote these words. They may be wrong.").is_visible()
    page.get_by_text("It was cold.").first.click()
    page.wait_for_function("document.querySelector('video').currentTime >= 0.7")
    # The sentence has the focus, and the space bar plays nevertheless.
    page.evaluate("document.querySelector('video').pause()")
    page.keyboard.press("Space")
    page.wait_for_function("!document.querySelector('video').paused")
    page.evaluate("(v => { v.pause(); v.currentTime = 0; })(document.querySelector('video'))")
    page.keyboard.press("ArrowRight")
    page.wait_for_function("document.querySelector('video').currentTime > 1")
    page.keyboard.press("ArrowLeft")
    page.wait_for_function("document.querySelector('video').currentTime < 0.1")
    page.get_by_text("It was cold.").first.click()
    page.wait_for_function("document.querySelector('video').currentTime >= 0.7")
    track = page.locator("video track")
    assert (track.get_attribute("kind"), track.get_attribute("srclang")) == ("captions", "en")
    cues = page.evaluate("""async () => {
        const track = document.querySelector('video').textTracks[0];
        track.mode = 'showing';
        for (let i = 0; i < 100 && !track.cues?.length; i++) {
            await new Promise(resolve => setTimeout(resolve, 50));
        }
        return [...track.cues].map(cue => [cue.startTime, cue.getCueAsHTML().textContent]);
    }""")
    assert cues == [[0, "I stopped at the <lighthouse>."], [0.7, "It was cold."]]
    assert page.locator("[data-at][aria-current]").inner_text().endswith("It was cold.")
    captions = page.get_by_role("button", name="Captions")
    for pressed, mode in (("false", "hidden"), ("true", "showing")):
        captions.click()
        assert captions.get_attribute("aria-pressed") == pressed
        assert page.evaluate("document.querySelector('video').textTracks[0].mode") == mode
    watched.expect_quiet()


def test_words_are_saved_while_the_recording_plays(library, serve, open_page, tmp_path):
    library.imports("portrait.mov")
    recording = say(library, tmp_path)
    watched = open_page(serve()).login()
    page = watched.goto(f"/recordings/{recording}")
    page.evaluate("document.querySelector('video').loop = true")
    page.get_by_role("button", name="Play", exact=True).click()
    page.get_by_role("button", name="Captions").click()
    for words in ("It was warm.", "It was dark."):
        page.get_by_text("Correct the words").click()
        page.locator("#said-1").fill(words)
        page.locator(".said form").first.get_by_role("button", name="Save").click()
        page.locator(".said ol").get_by_text(words).wait_for()
        assert page.locator(".said").get_by_text("Saved.").is_visible()
        assert library.sql("SELECT text FROM transcriptSegment ORDER BY startTime")[1] == (words,)
    assert page.evaluate("!document.querySelector('video').paused")
    cues = page.evaluate("""async () => {
        const video = document.querySelector('video');
        for (let i = 0; i < 100 && !video.textTracks[0].cues?.length; i++) {
            await new Promise(resolve => setTimeout(resolve, 50));
        }
        return [...video.textTracks[0].cues].map(cue => cue.text);
    }""")
    assert cues[1] == "It was dark."
    # A sentence that was saved plays like the others.
    page.evaluate("document.querySelector('video').pause()")
    page.get_by_text("It was dark.").first.click()
    page.get_by_role("button", name="Pause", exact=True).wait_for()
    # The words of another window are not replaced, and what was typed stays.
    page.get_by_text("Correct the words").click()
    page.locator("#said-1").fill("It was far.")
    lines = tmp_path / "lines"
    lines.write_text("[0:00] I stopped.\n[0:00.700] It was near.\n")
    library.holdfast("transcript", "edit", recording, "--file", str(lines))
    page.locator(".said form").first.get_by_role("button", name="Save").click()
    page.get_by_role("alert").get_by_text("This was changed elsewhere meanwhile").wait_for()
    assert page.locator("#said-1").input_value() == "It was far."
    assert library.sql("SELECT text FROM transcriptSegment ORDER BY startTime")[1] == (
        "It was near.",)


def test_a_person_corrects_the_words_deletes_them_and_wants_none(
        library, serve, open_page, tmp_path):
    library.imports("aac.m4a")
    recording = say(library, tmp_path)
    watched = open_page(serve(), java_script_enabled=False).login()
    page = watched.goto(f"/recordings/{recording}")
    page.get_by_text("Correct the words").click()
    save = page.locator(".said form").first.get_by_role("button", name="Save")
    save.click()
    assert library.one("SELECT source FROM transcript") == "program", "nothing was changed"
    page.get_by_text("Correct the words").click()
    page.locator("#said-1").fill("It was warm.")
    page.set_viewport_size({"width": 390, "height": 400})
    page.locator(".said form").first.get_by_role("button", name="Save").click()
    # The page is at its words, and what was done is in view there.
    assert page.evaluate("scrollY") > 100
    assert page.locator("[data-notice]").bounding_box()["y"] >= 0
    assert library.sql("SELECT startTime, endTime, text FROM transcriptSegment") == [
        (0, 700, "I stopped at the <lighthouse>."), (700, 1400, "It was warm.")]
    assert library.one("SELECT source FROM transcript") == "person"
    assert page.get_by_text("A computer wrote").count() == 0
    page.get_by_text("Correct the words").click()
    page.get_by_text("Delete these words").click()
    assert library.sql("SELECT state FROM transcript") == [("words",)]
    page.get_by_role("button", name="Delete it").click()
    assert page.get_by_text("The words were deleted. The recording is kept.").is_visible()
    assert library.sql("SELECT state FROM transcript") == [("deleted",)]
    page = watched.goto(f"/recordings/{recording}")
    page.locator("summary#said").click()
    page.get_by_role("button", name="Allow a transcript").click()
    assert library.sql("SELECT state FROM transcript") == [("allowed",)]
    page = watched.goto(f"/recordings/{recording}")
    page.locator("summary#said").click()
    page.get_by_role("button", name="Never transcribe it").click()
    assert library.sql("SELECT state FROM transcript") == [("never",)]
    for path in Path(library.path).rglob("*"):
        assert not path.is_file() or b"lighthouse" not in path.read_bytes(), path
    # Only the person has words for it now.
    page = watched.goto(f"/recordings/{recording}")
    page.locator("summary#said").click()
    page.get_by_label("Write it down yourself").fill("Why I stopped.\n\nIt was cold.")
    page.get_by_role("button", name="Save").first.click()
    assert library.sql("SELECT position, text FROM transcriptSegment ORDER BY position") == [
        (0, "Why I stopped."), (1, "It was cold.")]
    assert library.one("SELECT source FROM transcript") == "person"
    assert page.locator(".said li").count() == 2


def test_words_that_were_changed_meanwhile_are_not_replaced(library, serve, open_page, tmp_path):
    library.imports("aac.m4a")
    recording = say(library, tmp_path)
    watched = open_page(serve(), java_script_enabled=False).login()
    page = watched.goto(f"/recordings/{recording}")
    lines = tmp_path / "lines"
    lines.write_text("[0:00.000] Another sentence.\n[0:00.700] It was cold.\n")
    library.holdfast("transcript", "edit", recording, "--file", str(lines))
    page.get_by_text("Correct the words").click()
    page.locator(".said form").first.get_by_role("button", name="Save").click()
    refusal = "This was changed elsewhere meanwhile, so nothing was saved"
    assert page.get_by_text(refusal).is_visible()
    assert library.one("SELECT text FROM transcriptSegment") == "Another sentence."


def test_first_words_are_shown_on_cards_alone_if_a_person_switched_them_on(
        library, serve, open_page, tmp_path):
    source = tmp_path / "IMG_0412.mov"
    shutil.copy(fixture("portrait.mov"), source)
    library.holdfast("import", str(source))
    recording = say(library, tmp_path)
    within = ["env", f"XDG_CONFIG_HOME={tmp_path / 'config'}"]
    watched = open_page(serve(within=within), java_script_enabled=False).login()
    card = "li.recording .title"
    page = watched.goto("/recordings")
    before = page.locator(card).inner_text()
    # The title says when, so the line below it does not.
    facts = page.locator("li.recording .facts").inner_text()
    assert "Oct" in before and "Oct" not in facts and "IMG_0412.mov" in facts, (before, facts)
    watched.goto("/settings").get_by_role("button", name="Show first words").click()
    words = "“I stopped at the <lighthouse>. It was…”"
    for path in ("/recordings", "/"):
        page = watched.goto(path)
        assert page.locator(card).inner_text() == words
        assert page.locator("li.recording").get_by_text("A computer’s words").is_visible()
    page = watched.goto(f"/recordings/{recording}")
    assert "stopped" not in page.title() and "stopped" not in page.locator("h1").inner_text()
    watched.goto("/settings").get_by_role("button", name="Hide first words").click()
    assert watched.goto("/recordings").locator(card).inner_text() == before
