"""Kind words: which one is shown, what counts, and one's own words."""

import fcntl
import http.client
import os
import subprocess
import time

from conftest import HOLDFAST, WEB

WORDS = ".message p"


def until_true(condition):
    # A busy machine is slow.
    for _ in range(100):
        if condition():
            return
        time.sleep(0.1)
    assert condition()


def counts(library):
    return library.sql("SELECT content FROM message WHERE timesShown > 0")


def test_a_word_counts_once_in_a_session_and_stays(library, serve, open_page):
    library.imports("aac.m4a")
    server = serve()
    watched = open_page(server).login()
    first = watched.page.inner_text(WORDS)
    until_true(lambda: counts(library) == [(first,)])
    # A reload neither takes the word away nor counts it again.
    watched.goto("/recordings")
    assert watched.goto("/").inner_text(WORDS) == first
    watched.page.get_by_role("button", name="Another one").click()
    watched.page.wait_for_url(server.origin + "/")
    second = watched.page.inner_text(WORDS)
    assert second != first
    until_true(lambda: len(counts(library)) == 2)
    assert library.one("SELECT max(timesShown) FROM message") == 1
    # Another session has another word, because the shown ones are counted.
    server.link = new_link(library, serve.session)
    other = open_page(server).login()
    assert other.page.inner_text(WORDS) not in (first, second)


def new_link(library, session):
    """Another link to the running server, as `holdfast serve` prints it."""
    return subprocess.run(
        [HOLDFAST, "serve", "--library", library.path, "--quiet"], capture_output=True, text=True,
        env={**os.environ, "HOLDFAST_WEB": WEB,
             "XDG_RUNTIME_DIR": str(session)}).stdout.strip()


def test_a_prefetch_counts_nothing(library, serve, open_page):
    library.imports("aac.m4a")
    watched = open_page(serve()).login()
    until_true(lambda: len(counts(library)) == 1)
    before = library.one("SELECT sum(timesShown) FROM message")
    library.holdfast("craving", "log", "--intensity", "3", "--trigger", "Anxious")
    entry = library.one("SELECT id FROM craving")
    cookie = watched.page.context.cookies()[0]
    # A script cannot set these headers.
    for method, headers in (("GET", {"Sec-Purpose": "prefetch;prerender"}),
                            ("GET", {"Purpose": "prefetch"}), ("HEAD", {})):
        connection = http.client.HTTPConnection("127.0.0.1", watched.server.port)
        connection.request(method, f"/craving/{entry}/logged?back=/", headers={
            "Host": watched.server.origin[7:], "Cookie": f"{cookie['name']}={cookie['value']}",
            **headers})
        assert connection.getresponse().status == 200
        connection.close()
    assert library.one("SELECT sum(timesShown) FROM message") == before
    # The page itself counts.
    watched.goto(f"/craving/{entry}/logged?back=/")
    until_true(lambda: library.one("SELECT sum(timesShown) FROM message") == before + 1)


def test_a_page_does_not_wait_to_count(library, serve, open_page):
    library.imports("aac.m4a")
    watched = open_page(serve())
    # Another program writes for a long time.
    lock = os.open(os.path.join(library.path, ".lock"), os.O_RDWR)
    fcntl.flock(lock, fcntl.LOCK_EX)
    watched.login()
    shown = watched.page.inner_text(WORDS)
    assert watched.goto("/").inner_text(WORDS) == shown
    assert counts(library) == []
    os.close(lock)
    watched.goto("/")
    until_true(lambda: counts(library) == [(shown,)])


def test_another_one_after_logging_keeps_undo_and_the_page(library, serve, open_page):
    watched = open_page(serve()).login()
    page = watched.goto("/craving?back=/history")
    page.get_by_role("button", name="Save").click()
    page.get_by_role("button", name="Undo").wait_for()
    first, address = page.inner_text(WORDS), page.url
    page.get_by_role("button", name="Another one").click()
    page.wait_for_load_state("networkidle")
    assert page.url == address and page.inner_text(WORDS) != first
    assert page.get_by_role("button", name="Undo").is_visible()
    page.get_by_role("link", name="Done").click()
    assert page.url.endswith("/history")


def test_own_words_are_edited_and_put_in_order(library, serve, open_page):
    watched = open_page(serve(), java_script_enabled=False).login()
    page = watched.goto("/messages")
    for words in ("One", "Two", "Three"):
        page.get_by_label("A word of your own").fill(words)
        page.get_by_role("button", name="Add").click()
    own = "SELECT content FROM message WHERE isCustom ORDER BY category, priority, timesShown, id"
    page.get_by_role("link", name="Edit “Two”").click()
    page.get_by_label("Your words").fill("Second")
    page.get_by_role("button", name="Keep changes").click()
    assert sorted(library.sql(own)) == [("One",), ("Second",), ("Three",)]
    for words in ("Three", "Second"):
        # Each press moves the word one place.
        for _ in range(2):
            button = page.get_by_role("button", name=f"Show earlier “{words}”")
            if button.count():
                button.click()
    assert library.sql(own)[0] == ("Second",) and library.sql(own)[1] == ("Three",)
    shown = page.locator(".entries p").all_inner_texts()
    assert [words for words in shown if words in ("One", "Second", "Three")] == [
        "Second", "Three", "One"]
    # Hidden words are pale, but not their buttons, which look like what they are.
    hidden = page.locator(".entries li").filter(has_text="Second")
    hidden.get_by_role("button", name="Hide").click()
    opacity = "e => getComputedStyle(e).opacity"
    assert hidden.evaluate(opacity) == "1" and hidden.locator("p").evaluate(opacity) < "1"
    line = "e => getComputedStyle(e).textDecorationLine"
    assert hidden.get_by_role("link", name="Edit").evaluate(line) == "underline"
    # Words that came with the library stay as they are.
    other = library.one("SELECT id FROM message WHERE NOT isCustom LIMIT 1")
    assert page.locator(f'a[href="/messages/{other}"]').count() == 0


def test_a_place_can_be_taken_away(library, serve, open_page):
    library.holdfast("craving", "log", "--intensity", "4", "--location", "Work")
    library.holdfast("craving", "log", "--intensity", "6", "--location", "52.5,13.25")
    watched = open_page(serve(), java_script_enabled=False).login()
    for words, intensity in (("Work", 4), ("Current Location", 6)):
        entry = library.one(f"SELECT id FROM craving WHERE intensity = {intensity}")
        page = watched.goto(f"/craving/{entry}")
        assert page.get_by_label(words, exact=True).is_checked()
        page.get_by_role("button", name="Keep changes").click()
        stored = f"SELECT location FROM craving WHERE id = '{entry}'"
        assert library.one(stored) in ("Work", "52.5,13.25")
        page = watched.goto(f"/craving/{entry}")
        page.get_by_label("Not said").check(force=True)
        page.get_by_role("button", name="Keep changes").click()
        assert library.one(stored) is None


def test_settings_show_the_backup_of_the_command(library, serve, open_page, tmp_path):
    library.imports("aac.m4a")
    library.holdfast("backup", str(tmp_path / "stick"))
    text = open_page(serve()).login().goto("/settings").inner_text("main")
    assert "Last backup: " in text and "No backup yet" not in text, text


def test_a_habit_over_its_limit_is_not_to_do(library, serve, open_page):
    library.holdfast("journal", "enable", "habits")
    library.holdfast("habit", "add", "Coffee", "--type", "breaking", "--goal", "1",
                     "--baseline", "4")
    watched = open_page(serve(), java_script_enabled=False).login()
    page = watched.goto("/habits")
    for _ in range(2):
        page.get_by_role("button", name="+1 Coffee").click()
    text = page.inner_text(".habit")
    assert "Over your limit" in text and "To do" not in text, text
