"""Photos of the faith journal's entries."""

import sqlite3
from pathlib import Path

import pytest

from conftest import fixture
from looking import look
from test_pages import until
from test_safety import Client


@pytest.fixture
def photos(tmp_path):
    """A JPEG with a mark in its metadata, as that of a place would be, and the same without."""
    plain = Path(fixture("photo.jpg")).read_bytes()
    marked = tmp_path / "beach.jpg"
    exif = b"Exif\0\0MM\0*\0\0\0\x08\0\0\0\0\0\0" + b"SECRETPLACE"
    marked.write_bytes(
        plain[:2] + b"\xff\xe1" + (len(exif) + 2).to_bytes(2, "big") + exif + plain[2:])
    return [str(marked), fixture("photo.jpg")]


def stored(library):
    return sorted(Path(library.path, "Recordings").glob("Photos/*"))


@pytest.mark.parametrize("script", [True, False])
def test_photos_are_added_to_an_entry_and_removed(library, serve, open_page, photos, script):
    library.holdfast("journal", "enable", "faith")
    server = serve()
    watched = open_page(server, java_script_enabled=script).login()
    page = watched.goto("/faith/new")
    # One button saves the words and the photos, of a new entry and of one that is changed.
    words = 'By the sea, "still" & größer'
    page.locator("#content").fill(words)
    page.locator("#files").set_input_files(photos[:1])
    if script:
        assert page.locator("#add-photos [role=status]").inner_text() == "beach.jpg"
    page.get_by_role("button", name="Save", exact=True).click()
    page.wait_for_url("**/faith?done=entry")
    assert library.sql("SELECT title, content FROM journalEntry") == [(words, words)]
    page.locator(".entries .pictured").click()
    page.get_by_text("Edit, or add photos").click()
    page.locator("#content").fill(words + "\nagain")
    page.locator("#files").set_input_files(photos[1:])
    page.get_by_role("button", name="Keep changes").click()
    page.locator(".photos li").nth(1).wait_for()
    assert library.one("SELECT content FROM journalEntry") == words + "\nagain"
    assert page.locator(".done").inner_text() == "Saved."
    assert len(stored(library)) == 2
    assert not any(b"SECRETPLACE" in file.read_bytes() for file in stored(library))
    assert page.locator(".photos img").evaluate_all("all => all.map(e => e.alt)") == [
        "Photo 1 of 2", "Photo 2 of 2"]
    # Each one is shown, and served as a thumbnail is.
    until(
        page, "[...document.querySelectorAll('.photos img')].every(e => e.naturalWidth > 0)")
    address = page.locator(".photos a").first.get_attribute("href")
    client = Client(server, watched.page.context.cookies()[0]["name"] + "="
                    + watched.page.context.cookies()[0]["value"])
    answer = client("GET", address)
    assert answer.status == 200 and answer.body in [f.read_bytes() for f in stored(library)]
    assert answer.headers["Content-Type"] == "image/jpeg"
    assert answer.headers["Cache-Control"] == "private, no-store"
    assert client("GET", address, headers={"If-None-Match": answer.headers["ETag"]}).status == 304
    assert Client(server)("GET", address).status == 401
    page = watched.goto("/faith/entries")
    assert page.locator(".pictured img").get_attribute("src") == address
    page.locator(".entries a").first.click()
    page.get_by_text("Remove").first.click()
    page.get_by_role("button", name="Delete it").first.click()
    page.wait_for_url("**#photos")
    assert page.locator(".photos li").count() == 1 and len(stored(library)) == 1
    page.get_by_text("Delete this entry").click()
    page.locator("main > .sure, main details.sure").last.get_by_role("button").click()
    page.wait_for_url("**/faith/entries")
    assert stored(library) == []
    library.expect_sound()
    watched.expect_quiet()


def test_what_is_not_a_photo_is_refused_by_its_name_and_the_words_are_saved(
        library, serve, open_page, photos):
    library.holdfast("journal", "enable", "faith")
    library.holdfast("faith", "entry", "write", "--title", "By the sea")
    entry = library.one("SELECT id FROM journalEntry")
    page = open_page(serve()).login().goto(f"/faith/entries/{entry}")
    page.get_by_text("Edit, or add photos").click()
    page.locator("#content").fill("Long words")
    page.locator("#files").set_input_files([photos[0], fixture("aac.m4a")])
    page.get_by_role("button", name="Keep changes").click()
    alert = page.get_by_role("alert")
    alert.wait_for()
    assert "aac.m4a" in alert.inner_text() and "upload" not in alert.inner_text()
    assert stored(library) == [] and library.one("SELECT count(*) FROM entryPhotoFile") == 0
    assert library.one("SELECT content FROM journalEntry") == "Long words"
    page.get_by_role("link", name="Choose photos again").click()
    assert page.locator("#files").is_visible()
    # A photo is enough for an entry, and a file that is no photo is not.
    for file, count in ((fixture("aac.m4a"), 1), (photos[0], 2)):
        page.goto(page.url.split("/faith/")[0] + "/faith/new")
        page.locator("#files").set_input_files(file)
        page.get_by_role("button", name="Save", exact=True).click()
        page.wait_for_load_state()
        assert library.one("SELECT count(*) FROM journalEntry") == count
    assert library.one("SELECT title FROM journalEntry ORDER BY createdAt DESC") == "Photo"
    library.expect_sound()


def test_a_photo_that_is_too_large_is_refused_before_all_of_it_came(
        library, serve):
    library.holdfast("journal", "enable", "faith")
    library.holdfast("faith", "entry", "write", "--title", "By the sea")
    entry = library.one("SELECT id FROM journalEntry")
    server = serve()
    client = Client(server).login()
    part = (b'--b\r\nContent-Disposition: form-data; name="title"\r\n\r\nThe sea\r\n'
            b'--b\r\nContent-Disposition: form-data; name="photos"; filename="x.jpg"\r\n\r\n'
            + bytes(50_000_001) + b"\r\n--b--\r\n")
    answer = client("POST", f"/faith/entries/{entry}", part,
                    {"Content-Type": "multipart/form-data; boundary=b"})
    assert answer.status == 413 and b"50 MB" in answer.body
    assert library.one("SELECT title FROM journalEntry") == "The sea"
    library.expect_sound()


def test_the_photos_look_sound(library, serve, open_page, photos):
    library.holdfast("journal", "enable", "faith")
    library.holdfast("faith", "entry", "write", "--title", "By the sea", "--content",
                     "Still waters.", *[word for file in photos for word in ("--photo", file)])
    entry = library.one("SELECT id FROM journalEntry")
    with sqlite3.connect(f"{library.path}/catalog.sqlite") as database:
        database.execute("INSERT INTO entryPhoto VALUES (?, 0, 'photos/7.jpg')", (entry,))
    watched = open_page(serve()).login()
    text = watched.goto(f"/faith/entries/{entry}").inner_text("main")
    assert "A photo from the app is not here: 7.jpg" in text
    for path, name in [(f"/faith/entries/{entry}?edit=1", "photos-edit"),
                       (f"/faith/entries/{entry}", "photos"), ("/faith/entries", "photo-list"),
                       ("/faith/new", "photo-new")]:
        look(watched, path, name)
