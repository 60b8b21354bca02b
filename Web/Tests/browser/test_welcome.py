"""What a user sees who starts Holdfast from its icon without a library."""

import os
import re
import shutil
import stat
import subprocess
import tempfile
from pathlib import Path

import pytest

from conftest import HOLDFAST, WEB, fixture, picture, with_mounts
from looking import look
from test_pages import until


class Icon:
    """`holdfast serve --open`, as the desktop's icon runs it in a fresh account."""

    def __init__(self, home, session, *options, within=(), **variables):
        self.home = home
        tools = home / "tools"
        tools.mkdir(exist_ok=True)
        # A desktop opens the file that it is given.
        (tools / "xdg-open").write_text(f'#!/bin/sh\necho "$1" >> {home}/opened\n')
        (tools / "xdg-open").chmod(0o755)
        kept = {name: value for name, value in os.environ.items()
                if name not in ("HOLDFAST_LIBRARY", "XDG_DATA_HOME")}
        self.environment = {
            **kept, "HOME": str(home), "XDG_RUNTIME_DIR": str(session), "HOLDFAST_WEB": WEB,
            "PATH": f"{tools}:{kept['PATH']}", **variables}
        self.command = [*within, HOLDFAST, "serve", "--open", *options]
        self.process = subprocess.Popen(
            self.command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
            env=self.environment)
        self.link = self.process.stdout.readline().strip()
        assert self.link.startswith("http://"), self.link + self.process.stderr.read()
        self.origin = re.match(r"http://[^/]+", self.link)[0]

    @property
    def place(self):
        return self.home / ".local/share/holdfast"


@pytest.fixture
def click(tmp_path):
    session, icons = Path(tempfile.mkdtemp(prefix="hf-")), []

    def start(*options, **more):
        icons.append(Icon(tmp_path, session, *options, **more))
        return icons[-1]

    yield start
    for icon in icons:
        icon.process.terminate()
        icon.process.wait(10)
    shutil.rmtree(session)


OFFER = "Make my library"


@pytest.mark.parametrize("script", [True, False])
def test_the_icon_makes_the_first_library_on_a_press(click, open_page, script):
    icon = click()
    watched = open_page(icon, java_script_enabled=script).login()
    page = watched.page
    assert page.title() == "Welcome · Holdfast"
    assert str(icon.place) in page.inner_text("main")
    # Looking makes nothing, not even the folders above.
    assert not icon.place.parent.parent.exists()
    page.get_by_text("My disk is not connected").click()
    page.get_by_role("link", name="Try again").click()
    assert not icon.place.exists()
    page.get_by_role("button", name=OFFER).click()
    page.get_by_text("Your library is ready.").wait_for()
    page.get_by_text("Log a craving").wait_for()
    assert (icon.place / "holdfast.json").is_file()
    assert stat.S_IMODE(icon.place.stat().st_mode) == 0o700
    watched.goto("/recordings")
    # A second click on the icon leads to the same server.
    again = subprocess.run(icon.command, env=icon.environment, capture_output=True, text=True)
    assert again.stdout.startswith(icon.origin), again.stdout + again.stderr
    if script:
        watched.expect_quiet()


def test_the_icon_opens_one_server_before_there_is_a_library(click):
    icon = click()
    again = subprocess.run(icon.command, env=icon.environment, capture_output=True, text=True)
    assert again.stdout.startswith(icon.origin), again.stdout + again.stderr


def test_welcome_looks_sound(click, open_page):
    watched = open_page(click()).login()
    for words in ("My disk is not connected", "I have a backup", "It is in another folder"):
        watched.page.get_by_text(words).click()
    text = watched.page.inner_text("main")
    assert "holdfast restore BACKUP --to" in text and "--library FOLDER" in text, text
    # Nothing has the focus at first, so the page begins at its top.
    assert watched.page.locator("[autofocus]").count() == 0
    look(watched, "/", "welcome-first")


def dangling(home):
    (home / ".local/share").mkdir(parents=True)
    (home / ".local/share/holdfast").symlink_to("/media/gone/holdfast")


def dangling_above(home):
    (home / ".local").mkdir()
    (home / ".local/share").symlink_to("/media/gone")


def empty_folder(home):
    # An empty folder may be the mount point of a disk that is away.
    (home / ".local/share/holdfast").mkdir(parents=True)


def other_things(home):
    empty_folder(home)
    (home / ".local/share/holdfast/notes.txt").write_text("mine")


@pytest.mark.parametrize("prepare", [dangling, dangling_above, empty_folder, other_things])
def test_no_library_is_offered_where_one_may_be_missing(click, open_page, tmp_path, prepare):
    prepare(tmp_path)
    before = sorted(map(str, tmp_path.rglob("*")))
    icon = click()
    expect_no_offer(open_page(icon).login(), icon.place)
    made = {path for path in map(str, tmp_path.rglob("*")) if "tools" not in path}
    assert made <= {*before, str(tmp_path / "opened")}, made


@pytest.mark.parametrize("way", ["option", "variable", "data", "fstab"])
def test_no_library_is_offered_at_a_place_that_was_named(click, open_page, tmp_path, way):
    place = tmp_path / "disk/holdfast"
    if way == "option":
        icon = click("--library", str(place))
    elif way == "variable":
        icon = click(HOLDFAST_LIBRARY=str(place))
    elif way == "data":
        place = Path("/nowhere/disk/holdfast")
        icon = click(XDG_DATA_HOME="/nowhere/disk")
    else:
        # The disk of the data is known to the system, and away.
        place.parent.mkdir()
        table = tmp_path / "fstab"
        table.write_text(f"# disks\nUUID=1\t{place.parent} ext4 noauto 0 0\n")
        icon = click(
            within=with_mounts(f"mount --bind {table} /etc/fstab"),
            XDG_DATA_HOME=str(place.parent))
    watched = open_page(icon).login()
    expect_no_offer(watched, place)
    # The server finds the library when it comes.
    if way in ("option", "variable"):
        place.parent.mkdir()
        subprocess.run([HOLDFAST, "init", str(place)], check=True, capture_output=True)
        watched.page.get_by_role("link", name="Try again").click()
        watched.page.get_by_text("Log a craving").wait_for()


def expect_no_offer(watched, place):
    text = watched.page.inner_text("main")
    assert watched.page.get_by_role("button", name=OFFER).count() == 0, text
    assert "There is no library in" in text and str(place) in text, text
    assert watched.page.get_by_role("link", name="Try again").count() == 1
    # Nor does the address make one.
    status = watched.page.evaluate(
        "fetch('/welcome/library', {method: 'POST'}).then(answer => answer.status)")
    assert status == 503 and not (place / "holdfast.json").exists()


def test_a_library_that_goes_away_is_not_made_again(click, open_page):
    icon = click()
    watched = open_page(icon).login()
    watched.page.get_by_role("button", name=OFFER).click()
    watched.page.get_by_text("Log a craving").wait_for()
    shutil.move(icon.place, icon.home / "away")
    watched.goto("/")
    expect_no_offer(watched, icon.place)


def test_without_open_the_command_says_it(tmp_path):
    answer = subprocess.run(
        [HOLDFAST, "serve"], capture_output=True, text=True,
        env={**os.environ, "HOME": str(tmp_path), "HOLDFAST_WEB": WEB})
    assert answer.returncode == 1 and "there is no library" in answer.stderr


def test_a_newcomer_finds_the_way_without_documents(click, open_page):
    """From the icon to a backup on a stick, in seventeen taps and two words."""
    icon = click(within=with_mounts(
        "mount -t tmpfs none /mnt && mkdir /mnt/Stick && mount -t tmpfs none /mnt/Stick"))
    page = open_page(icon, permissions=["microphone"]).login().page
    taps = 0

    def tap(locator):
        nonlocal taps
        locator.scroll_into_view_if_needed()
        picture(page, f"newcomer-{taps:02}")
        taps += 1
        locator.click()

    # A library, and its first clip, which is named and played.
    tap(page.get_by_role("button", name=OFFER))
    tap(page.get_by_role("link", name="Keep a recording"))
    with page.expect_file_chooser() as chooser:
        tap(page.get_by_label("Choose recordings, or drop them here"))
    chooser.value.set_files(fixture("voice.wav"))
    page.get_by_label("Name it").fill("Why I stopped")
    tap(page.get_by_role("button", name="Save"))
    tap(page.get_by_role("link", name="Why I stopped").or_(page.locator(".uploads a.play")).first)
    until(page, "document.querySelector('audio')?.currentTime > 0")
    # A craving.
    tap(page.get_by_role("navigation").get_by_role("link", name="Home"))
    tap(page.get_by_role("link", name="Log craving"))
    tap(page.get_by_role("button", name="Save"))
    page.wait_for_url("**/logged**")
    # A memo.
    tap(page.get_by_role("navigation").get_by_role("link", name="Home"))
    tap(page.get_by_role("link", name="Record", exact=True))
    tap(page.get_by_role("button", name="Record sound"))
    page.get_by_text("0:01 of 2:00").wait_for()
    tap(page.get_by_role("button", name="Stop"))
    tap(page.get_by_role("button", name="Keep", exact=True))
    page.wait_for_url("**/recordings/*", timeout=30_000)
    # The clip is found by its words.
    tap(page.get_by_role("navigation").get_by_role("link", name="Recordings"))
    page.locator("#q").fill("stopped")
    tap(page.get_by_role("button", name="Search"))
    page.locator(".recording").wait_for()
    assert page.locator(".recording").count() == 1
    # A backup on the stick.
    tap(page.get_by_role("link", name="Settings"))
    tap(page.get_by_role("button", name="Back up to Stick"))
    page.get_by_text("2 recordings are safe in “Stick”").wait_for()
    picture(page, f"newcomer-{taps:02}")
    assert taps == 17, taps
