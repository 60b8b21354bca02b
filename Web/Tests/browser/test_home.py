"""Home at one glance, Settings in the order of use, and the ways from the phone."""

import os
import subprocess

from conftest import HOLDFAST


def test_home_is_one_glance_and_a_craving_two_taps(library, serve, open_page):
    library.imports("portrait.mov", "aac.m4a", "voice.wav", "hevc8.mp4")
    watched = open_page(serve()).login()
    page = watched.page
    # All that a hard moment needs is above the tabs of a phone.
    bottom = page.locator("body > nav").bounding_box()["y"]
    for role, name in (("link", "Log craving"), ("link", "Log use"), ("button", "Another one"),
                       ("link", "Record"), ("link", "What you logged")):
        box = page.get_by_role(role, name=name, exact=True).bounding_box()
        assert box["height"] >= 43.9 and box["y"] + box["height"] <= bottom, (name, box, bottom)
    assert page.locator(".recording").count() == 3
    assert "0 plays" not in page.inner_text("main")
    taps = 0
    for role, name in (("link", "Log craving"), ("button", "Save")):
        page.get_by_role(role, name=name).click()
        taps += 1
    page.get_by_text("Saved.").wait_for()
    assert taps == 2 and library.sql("SELECT intensity FROM craving") == [(5,)]
    watched.expect_quiet()


def test_before_anything_was_played_titles_come_first(library, serve, open_page):
    library.imports("portrait.mov", "aac.m4a", "voice.wav", "hevc8.mp4")
    first = library.one("SELECT id FROM recording WHERE originalFilename = 'hevc8.mp4'")
    library.holdfast("edit", first, "--title", "Why I stopped")
    watched = open_page(serve()).login()
    titles = ".recording .title"
    assert watched.page.locator(titles).first.inner_text() == "Why I stopped"
    # What was played is before it.
    played = library.one("SELECT id FROM recording WHERE originalFilename = 'voice.wav'")
    library.holdfast("play", played, "--count-only")
    watched.goto("/")
    assert watched.page.locator(titles).nth(1).inner_text() == "Why I stopped"


def test_settings_begin_with_what_people_choose(library, serve, open_page):
    library.imports("aac.m4a")
    page = open_page(serve()).login().goto("/settings")
    assert page.locator("main h2").all_inner_texts() == [
        "Journals", "Kind words", "Recordings", "Backup", "The files", "Privacy", "Export",
        "Bring in", "Delete", "About"]
    # No table is empty.
    links = page.locator("a[href$='.csv']").evaluate_all("all => all.map(e => e.textContent)")
    assert links and not any(text.endswith(" 0") for text in links), links


def test_the_page_of_the_phone_says_what_is_there(library, serve, open_page, tmp_path):
    shared = tmp_path / "Phone"
    (shared / ".stfolder").mkdir(parents=True)
    (tmp_path / "Other files/.stfolder").mkdir(parents=True)
    session = serve.session
    phone = session / "gvfs/mtp:host=Google_Pixel_8/Internal/DCIM"
    phone.mkdir(parents=True)
    os.environ["HOME"], home = str(tmp_path), os.environ["HOME"]
    try:
        watched = open_page(serve(), java_script_enabled=False).login()
    finally:
        os.environ["HOME"] = home
    page = watched.goto("/settings")
    page.get_by_role("link", name="From the phone").click()
    text = page.inner_text("main")
    assert "Google Pixel 8" in text and "holdfast import --from-phone" in text
    assert str(shared) in text
    escaped = subprocess.run(["systemd-escape", "--path", str(tmp_path / "Other files")],
                             capture_output=True, text=True, check=False).stdout.strip()
    if escaped:
        assert f"'holdfast-watch@{escaped}.service'" in text, (escaped, text)
    assert "\\x20files" in text
    watch = subprocess.Popen(
        [HOLDFAST, "watch", str(shared), "--library", library.path],
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    try:
        watch.stdout.readline()
        page.reload()
        line = page.get_by_text("come into the library by themselves")
        assert str(shared) in line.inner_text()
        assert library.path not in page.inner_text("main")
    finally:
        watch.terminate()
        watch.wait(10)
    page.reload()
    assert "come into the library by themselves" not in page.inner_text("main")
    page.get_by_role("link", name="Choose recordings").click()
    assert page.url.endswith("/record#files")


def test_without_a_phone_the_page_says_what_to_do(library, serve, open_page, tmp_path):
    os.environ["HOME"], home = str(tmp_path), os.environ["HOME"]
    try:
        page = open_page(serve()).login().goto("/phone")
    finally:
        os.environ["HOME"] = home
    text = page.inner_text("main")
    assert "No phone is connected." in text and "No folder is watched." in text
    assert page.locator("ol li").count() == 6
