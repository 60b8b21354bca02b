"""Recordings that the browser cannot play as they are stored, and the rest of the player's page."""

import datetime
import json
import subprocess
import time
from pathlib import Path

from conftest import fixture
from test_pages import until
from test_safety import FORM, Client


def streams(path):
    found = subprocess.run(
        ["ffprobe", "-v", "error", "-show_streams", "-of", "json", path], capture_output=True,
        check=True)
    return {stream["codec_type"]: stream for stream in json.loads(found.stdout)["streams"]}


def cached(library):
    return sorted(Path(library.path, ".cache").glob("*"))


def expect_one_play(library, page):
    # A busy machine plays a video slowly, too.
    for _ in range(300):
        if library.one("SELECT playCount FROM recording") == 1:
            return
        page.wait_for_timeout(100)
    raise AssertionError("the play was not counted")


def expect_copy(library, page, kind, length):
    """The page plays the copy to its end, and scrubs in it."""
    until(page, f"document.querySelector('{kind}').src.endsWith('/copy')", 60)
    until(page, f"document.querySelector('{kind}').readyState >= 2")
    assert abs(page.evaluate(f"document.querySelector('{kind}').duration") - length) < 0.2
    page.evaluate(f"document.querySelector('{kind}').currentTime = {length * 0.7}")
    until(page, f"!document.querySelector('{kind}').seeking")
    page.evaluate(f"document.querySelector('{kind}').play()")
    until(page, f"document.querySelector('{kind}').ended")
    expect_one_play(library, page)
    assert page.locator("[data-unplayable]").is_hidden()
    assert page.locator("[data-copying]").is_hidden()


def test_hevc_plays_as_a_copy(library, serve, open_page):
    library.holdfast("import", "--video", "hevc", fixture("hevc8.mp4"))
    (recording, length), = library.sql("SELECT id, duration FROM recording")
    watched = open_page(serve()).login()
    page = watched.page
    page.goto(watched.server.origin + f"/recordings/{recording}")
    expect_copy(library, page, "video", length)
    assert page.evaluate("document.querySelector('video').videoWidth") > 0
    copy, = cached(library)
    assert oct(copy.stat().st_mode & 0o777) == "0o600"
    assert oct(copy.parent.stat().st_mode & 0o777) == "0o700"
    found = streams(copy)
    assert found["video"]["codec_name"] == "h264" and found["video"]["pix_fmt"] == "yuv420p"
    assert found["audio"]["codec_name"] == "aac" if "audio" in found else True
    # The next page does not make it again.
    before = copy.stat()
    page.goto(watched.server.origin + f"/recordings/{recording}")
    until(page, "document.querySelector('video').src.endsWith('/copy')")
    assert cached(library)[0].stat().st_ino == before.st_ino
    library.expect_sound()
    assert library.holdfast("doctor", "--privacy", check=False).returncode == 0
    # It is deleted with its recording.
    library.holdfast("delete", "--yes", recording)
    assert cached(library) == []


def test_a_copy_that_is_being_made_goes_with_its_recording(library, serve, tmp_path):
    clip = tmp_path / "clip.mov"
    subprocess.run(
        ["ffmpeg", "-v", "error", "-f", "lavfi", "-i",
         "testsrc2=size=1280x720:rate=30:duration=10", "-c:v", "libx265", "-preset", "ultrafast",
         "-x265-params", "log-level=none", "-tag:v", "hvc1", clip],
        check=True)
    for _ in range(2):
        library.holdfast("import", "--allow-duplicates", str(clip))
    client = Client(serve()).login()
    first, second = [row[0] for row in library.sql("SELECT id FROM recording ORDER BY createdAt")]
    staging = Path(library.path, ".staging")
    for change in [lambda: client("DELETE", f"/api/1/recordings/{first}"),
                   lambda: client("POST", "/settings/erase", b"word=delete", FORM)]:
        recording = library.sql("SELECT id FROM recording ORDER BY createdAt")[0][0]
        assert client("POST", f"/api/1/recordings/{recording}/copy", b"{}",
                      {"Content-Type": "application/json"}).status == 202
        for _ in range(100):
            if any(staging.glob("*/copy")):
                break
            time.sleep(0.05)
        assert any(staging.glob("*/copy"))
        assert change().status in (204, 303)
        assert not any(staging.glob("*/copy"))
        assert cached(library) == []
    assert library.one("SELECT count(*) FROM recording") == 0
    library.expect_sound()


def test_alac_plays_as_a_copy(library, serve, open_page):
    library.holdfast("import", "--audio", "alac", fixture("voice.wav"))
    (recording, length), = library.sql("SELECT id, duration FROM recording")
    stored = next(Path(library.path, "Recordings").glob("*.m4a"))
    assert streams(stored)["audio"]["codec_name"] == "alac"
    watched = open_page(serve()).login()
    page = watched.page
    page.goto(watched.server.origin + f"/recordings/{recording}")
    expect_copy(library, page, "audio", length)
    assert streams(cached(library)[0])["audio"]["codec_name"] == "aac"
    library.holdfast("erase", "--everything", "--yes",
                     json.loads(Path(library.path, "holdfast.json").read_text())["uuid"])
    assert not Path(library.path, ".cache").exists()


def test_a_copy_without_a_script(library, serve, open_page):
    library.holdfast("import", "--video", "hevc", fixture("hevc8.mp4"))
    recording = library.one("SELECT id FROM recording")
    watched = open_page(serve(), java_script_enabled=False).login()
    page = watched.goto(f"/recordings/{recording}")
    page.get_by_text("Trouble playing?").click()
    page.get_by_role("button", name="Make that copy").click()
    page.wait_for_url("**?copy&play")
    assert page.locator("video").get_attribute("src") == f"/media/{recording}/copy"
    assert len(cached(library)) == 1


def test_a_tap_plays(library, serve, open_page):
    library.imports("portrait.mov")
    watched = open_page(serve()).login()
    page = watched.page
    page.locator(".recording a").first.click()
    page.wait_for_url("**?play")
    until(page, "document.querySelector('video').ended")
    expect_one_play(library, page)


def test_choose_the_picture(library, serve, open_page):
    library.imports("portrait.mov")
    recording = library.one("SELECT id FROM recording")
    before = library.one("SELECT thumbnailSHA256 FROM recording")
    watched = open_page(serve()).login()
    page = watched.goto(f"/recordings/{recording}")
    page.get_by_role("link", name="Change thumbnail").click()
    page.wait_for_load_state("networkidle")
    assert page.evaluate("document.querySelector('.strip img').naturalWidth") > 300
    page.locator(".moments button").nth(5).click()
    page.wait_for_url(f"**/recordings/{recording}")
    assert library.one("SELECT thumbnailSHA256 FROM recording") != before
    watched.expect_quiet()
    library.expect_sound()


def test_link_a_craving_from_the_recording(library, serve, open_page):
    library.imports("aac.m4a")
    library.holdfast("craving", "log", "--intensity", "7")
    recording = library.one("SELECT id FROM recording")
    watched = open_page(serve(), java_script_enabled=False).login()
    page = watched.goto(f"/recordings/{recording}")
    page.get_by_text("Link to a craving it helped with").click()
    page.get_by_role("button", name="Link it").click()
    assert library.one("SELECT recordingId FROM craving") == recording
    assert "helped with 1 craving" in page.inner_text("main")


def test_an_earlier_craving_is_linked_by_its_month(library, serve, open_page):
    """Only the newest twenty could be chosen."""
    library.imports("aac.m4a")
    old = datetime.date.today().replace(day=1) - datetime.timedelta(days=40)
    library.holdfast("craving", "log", "--intensity", "9", "--at", f"{old} 12:00")
    for _ in range(21):
        library.holdfast("craving", "log", "--intensity", "3")
    recording = library.one("SELECT id FROM recording")
    watched = open_page(serve(), java_script_enabled=False).login()
    page = watched.goto(f"/recordings/{recording}")
    page.get_by_text("Link to a craving it helped with").click()
    assert page.locator("#craving option").count() == 20
    page.get_by_role("link", name="An earlier one").click()
    assert page.locator("main h2").inner_text() == f"{datetime.date.today():%B %Y}"
    assert page.locator("#craving option").count() == 21
    # Months without cravings are skipped.
    page.get_by_role("link", name="Earlier").click()
    assert page.locator("main h2").inner_text() == f"{old:%B %Y}"
    assert page.locator("#craving option").count() == 1
    page.get_by_role("button", name="Link it").click()
    assert library.sql("SELECT intensity FROM craving WHERE recordingId IS NOT NULL") == [(9,)]
    assert "helped with 1 craving" in page.inner_text("main")
