"""A library, the server of its pages, and a real browser that shows them."""

import os
import re
import shutil
import sqlite3
import subprocess
import tempfile
import time
from contextlib import suppress
from pathlib import Path

import pytest
from playwright.sync_api import Error, TimeoutError, sync_playwright

# It is about noon in this zone (whose names count westwards), so that today is still today when a
# test ends.
os.environ["TZ"] = f"Etc/GMT{time.gmtime().tm_hour - 12:+d}"
time.tzset()

ROOT = Path(__file__).resolve().parents[3]
HOLDFAST = os.environ["HOLDFAST_PROGRAM"]
WEB = os.environ["HOLDFAST_WEB"]
CHROMIUM = shutil.which("chromium-headless-shell")
PICTURES = os.environ.get("HOLDFAST_PICTURES")


def picture(page, name, **options):
    """Keeps a picture of the page in $HOLDFAST_PICTURES, if that is set."""
    if PICTURES:
        os.makedirs(PICTURES, exist_ok=True)
        page.screenshot(path=f"{PICTURES}/{name}.png", **options)


def fixture(name):
    return str(ROOT / "fixtures" / name)


class Library:
    """A library in its own folder, and the contents that other programs see in it."""

    def __init__(self, folder):
        self.path = str(folder)
        self.holdfast("init", self.path, library=False)

    def holdfast(self, *arguments, library=True, check=True):
        words = [HOLDFAST, *arguments] + (["--library", self.path] if library else [])
        return subprocess.run(words, check=check, capture_output=True, text=True)

    def imports(self, *names):
        self.holdfast("import", *map(fixture, names))

    def sql(self, query):
        with sqlite3.connect(f"file:{self.path}/catalog.sqlite?mode=ro", uri=True) as database:
            return database.execute(query).fetchall()

    def one(self, query):
        return self.sql(query)[0][0]

    def expect_sound(self):
        result = self.holdfast("verify", "--deep", check=False)
        assert result.returncode == 0, result.stdout + result.stderr
        left = list(Path(self.path, ".staging").iterdir())
        assert left == [], left


class Server:
    """`holdfast serve`, as a user starts it."""

    def __init__(self, library, *options, environment=None, within=()):
        self.process = subprocess.Popen(
            [*within, HOLDFAST, "serve", "--library", library.path, *options],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
            env={**os.environ, "HOLDFAST_WEB": WEB, **(environment or {})})
        self.link = self.process.stdout.readline().strip()
        assert self.link.startswith("http://"), self.link + self.process.stderr.read()
        self.origin = re.match(r"http://[^/]+", self.link)[0]
        self.port = int(self.origin.rsplit(":", 1)[1])

    def stop(self):
        self.process.terminate()
        self.process.wait(10)


@pytest.fixture
def library(tmp_path):
    return Library(tmp_path / "library")


@pytest.fixture
def serve(library):
    """Starts servers, and stops them afterwards."""
    # A socket's path must be short.
    session = Path(tempfile.mkdtemp(prefix="hf-"))
    servers = []

    def start(*options, within=()):
        server = Server(
            library, *options, environment={"XDG_RUNTIME_DIR": str(session)}, within=within)
        servers.append(server)
        return server

    start.session = session
    yield start
    for server in servers:
        server.stop()
    shutil.rmtree(session)


def with_mounts(script):
    """Words before a command, so that it alone sees the mounts of a shell script."""
    return ["unshare", "-Urm", "sh", "-c", f'set -e; {script}; exec "$@"', "sh"]


@pytest.fixture(scope="session")
def browser():
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=CHROMIUM,
            args=["--no-sandbox", "--use-fake-device-for-media-stream",
                  "--use-fake-ui-for-media-stream", "--autoplay-policy=no-user-gesture-required"])
        yield browser
        browser.close()


class Watched:
    """A page whose requests and complaints are all kept."""

    def __init__(self, context, server):
        self.server = server
        self.page = context.new_page()
        self.requests, self.complaints = [], []
        self.page.on("request", lambda request: self.requests.append(request.url))
        self.page.on("console", self._note)
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))

    def _note(self, message):
        if message.type in ("error", "warning"):
            self.complaints.append(message.text)

    def login(self):
        self.page.goto(self.server.link)
        self.page.wait_for_url(self.server.origin + "/")
        return self

    def goto(self, path):
        self.page.goto(self.server.origin + path)
        return self.page

    def expect_quiet(self):
        """Expects no complaint, and no request to another server."""
        # A player keeps its connection while its copy is made, or while it has read enough.
        with suppress(TimeoutError):
            self.page.wait_for_load_state("networkidle", timeout=5000)
        assert self.complaints == []
        away = [url for url in self.requests
                if not url.startswith((self.server.origin + "/", "blob:" + self.server.origin))]
        assert away == [], away


@pytest.fixture
def open_page(browser):
    """Opens pages in separate contexts: each is another browser for the server."""
    contexts = []

    def start(server, **options):
        context = browser.new_context(**{"viewport": {"width": 390, "height": 844}, **options})
        contexts.append(context)
        return Watched(context, server)

    yield start
    for context in contexts:
        for page in context.pages:
            # A failure's report shows what a person saw.
            with suppress(Error):
                print(page.url, page.inner_text("body", timeout=1000), sep="\n")
        context.close()
