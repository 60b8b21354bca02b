"""The upkeep of a library: backups, checks, exports."""

import fcntl
import json
import os
import socket
import sqlite3
import stat
import threading
import time
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe

from conftest import picture, with_mounts
from test_safety import FORM, Client

EVENTS = {**FORM, "Accept": "text/event-stream, application/problem+json"}


def events(client, path, body=b"", headers=EVENTS):
    """Returns the events in an answer, as a list of names and documents."""
    response = client("POST", path, body, headers)
    assert response.status == 200, response.body
    assert response.headers["Content-Type"] == "text/event-stream"
    lines = [part.split("\n") for part in response.body.decode().split("\n\n") if part]
    return [(name.removeprefix("event: "), json.loads(data.removeprefix("data: ")))
            for name, data in lines]


def bags(folder):
    return sorted(path for path in Path(folder).iterdir() if not path.name.startswith("."))


# Exports.

def test_exports_are_the_command_s(library, serve, open_page, tmp_path):
    library.imports("aac.m4a")
    for number in range(3):
        library.holdfast("craving", "log", "--intensity", "4", "--notes", f'"={number}", täglich')
    library.holdfast("usage", "log", "--method", "Vape", "--amount", "2")
    watched = open_page(serve(), java_script_enabled=False).login()
    # The kind word on Home is counted after its page.
    while library.one("SELECT sum(timesShown) FROM message") == 0:
        time.sleep(0.1)
    library.holdfast("export", "--format", "csv", "--output", str(tmp_path / "tables"))
    library.holdfast("export", "--format", "json", "--output", str(tmp_path / "all.json"))
    page = watched.goto("/settings")
    with page.expect_download() as download:
        page.get_by_role("link", name="JSON").click()
    assert download.value.path().read_bytes() == (tmp_path / "all.json").read_bytes()
    assert download.value.suggested_filename.startswith("holdfast-20")
    page.get_by_text("for a spreadsheet").click()
    shown = page.locator("details li a").all_inner_texts()
    assert shown[:3] == ["Recordings · 1", "Cravings · 3", "Usage · 1"], shown
    for name in ["recordings", "cravings", "usage", "messages"]:
        with page.expect_download() as download:
            page.locator(f"a[href='/export/{name}.csv']").click()
        assert download.value.path().read_bytes() == (tmp_path / f"tables/{name}.csv").read_bytes()
    client = Client(watched.server)
    client.cookie = "; ".join(f"{c['name']}={c['value']}" for c in page.context.cookies())
    for name in ["secrets.csv", "cravings", "..%2fcatalog.sqlite", "craving.csv"]:
        assert client("GET", f"/export/{name}").status == 404, name


def test_what_an_app_logged_comes_in_without_a_script(library, serve, open_page, tmp_path):
    documents = tmp_path / "Cravey.json", tmp_path / "own.json", tmp_path / "notes.json"
    documents[0].write_text(json.dumps({
        "cravings": [
            {"id": "00000000-0000-4000-8000-000000000001", "timestamp": 782000000, "intensity": 8,
             "triggers": ["Anxious"], "wasManagedSuccessfully": True},
            {"id": "00000000-0000-4000-8000-000000000002", "timestamp": "yesterday",
             "intensity": 3}]}))
    library.holdfast("craving", "log", "--intensity", "4")
    library.holdfast("export", "--format", "json", "--output", str(documents[1]))
    documents[2].write_text('{"shopping": []}')
    page = open_page(serve(), java_script_enabled=False).login().goto("/settings")
    page.get_by_role("link", name="Bring in a file").click()
    page.get_by_label("Files (JSON)").set_input_files(documents)
    page.get_by_role("button", name="Bring it in").click()
    shown = page.locator("main").inner_text()
    assert "Cravings: 1 new, 1 not kept." in shown, shown
    assert "wasManagedSuccessfully" in shown and '"yesterday" is not a time' in shown, shown
    assert "Cravings: 1 already here." in shown, shown
    assert "not a document of Holdfast" in page.get_by_role("alert").inner_text()
    assert library.one("SELECT count(*) FROM craving") == 2
    # Nothing of the documents stays.
    assert not list(Path(library.path, ".staging").iterdir())



def test_a_slow_download_of_an_export_does_not_delay_other_requests(library, serve):
    with sqlite3.connect(f"{library.path}/catalog.sqlite") as database:
        database.execute(
            """WITH RECURSIVE number (n) AS (
              SELECT 0 UNION ALL SELECT n + 1 FROM number WHERE n < 19999)
            INSERT INTO craving (id, timestamp, timestampOffset, intensity, notes, createdAt)
            SELECT printf('%08d-0000-4000-8000-000000000000', n),
              strftime('%Y-%m-%d %H:%M:%f', 1761393600 + 60 * n, 'unixepoch'), 0, 5,
              hex(zeroblob(200)), '2025-10-25 12:00:00.000'
            FROM number""")
    server = serve()
    client = Client(server).login()
    slow = socket.create_connection(("127.0.0.1", server.port))
    slow.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    slow.send(f"GET /export.json HTTP/1.1\r\nHost: {client.host}\r\n"
              f"Cookie: {client.cookie}\r\n\r\n".encode())
    slow.recv(1000)
    time.sleep(1)
    begin = time.monotonic()
    assert client("GET", "/history").status == 200
    assert client("POST", "/craving", b"intensity=5", FORM).status == 303
    assert time.monotonic() - begin < 8
    status = Path(f"/proc/{server.process.pid}/status").read_text()
    resident = int(status.split("VmRSS:")[1].split()[0])
    assert resident < 300_000, resident
    slow.close()


# Backups.

@pytest.mark.parametrize("script", [True, False])
def test_back_up_now(library, serve, open_page, tmp_path, script):
    library.imports("aac.m4a", "portrait.mov")
    folder = tmp_path / "usb <b>&"
    watched = open_page(serve(), java_script_enabled=script).login()
    page = watched.goto("/settings")
    assert "No backup yet" in page.inner_text("main")
    page.get_by_label("Folder for backups").fill(str(folder))
    page.get_by_role("button", name="Back up to this folder").click()
    page.get_by_text("2 recordings are safe in").wait_for()
    assert len(bags(folder)) == 1
    assert library.holdfast("backup", "verify", str(folder), library=False).returncode == 0
    page = watched.goto("/settings")
    assert "Last backup: today" in page.inner_text("main")
    assert page.get_by_label("Folder for backups").input_value() == str(folder)
    # The library remembers the folder, and only its owner can read it. A backup does not name it.
    marker = Path(library.path, "holdfast.json")
    assert json.loads(marker.read_text())["backupFolder"] == str(folder)
    assert stat.S_IMODE(marker.stat().st_mode) == 0o600
    page.get_by_role("button", name="Back up now").click()
    page.get_by_text("recordings are safe in “usb <b>&”").wait_for()
    for bag in bags(folder):
        assert "backupFolder" not in (bag / "data/holdfast.json").read_text()
    assert len(bags(folder)) == 2
    # To delete everything does not mean this folder, although it is on the same disk.
    assert f"Your backup in {folder} stays." in watched.goto("/settings/erase").inner_text("main")
    library.expect_sound()
    watched.expect_quiet()
    watched.server.stop()
    page = open_page(serve()).login().goto("/settings")
    assert page.get_by_label("Folder for backups").input_value() == str(folder)
    os.rename(folder, tmp_path / "away")
    page.reload()
    assert "Is its disk connected?" in page.inner_text("main")
    uuid = json.loads(marker.read_text())["uuid"]
    library.holdfast("erase", "--everything", "--yes", uuid)
    assert "backupFolder" not in marker.read_text()


def test_a_backup_that_cannot_be_made_says_why(library, serve, open_page, tmp_path):
    library.imports("aac.m4a")
    watched = open_page(serve()).login()
    page = watched.goto("/settings")
    for folder, words in [("usb", "from the first slash"), (str(tmp_path / "no/such"), "no"),
                          (library.path, "")]:
        page.get_by_label("Folder for backups").fill(folder)
        page.get_by_role("button", name="Back up to this folder").click()
        page.locator(".panel [role=alert]").wait_for()
        text = page.inner_text(".panel")
        assert words in text and "--" not in text and len(text) > 20, text
    client = Client(serve()).login()
    assert b"from the first slash" in client("POST", "/settings/backup", b"folder=usb", FORM).body
    assert b"the folder is missing" in client("POST", "/settings/backup", b"", FORM).body.lower()
    library.expect_sound()


def begin_backup(server, folder):
    """Requests a backup as a page does. Returns the connection."""
    client = Client(server).login()
    body = f"folder={folder}".encode()
    connection = socket.create_connection(("127.0.0.1", server.port))
    connection.send((f"POST /settings/backup HTTP/1.1\r\nHost: {client.host}\r\n"
                     f"Cookie: {client.cookie}\r\nOrigin: {server.origin}\r\n"
                     f"Content-Type: application/x-www-form-urlencoded\r\n"
                     f"Accept: text/event-stream\r\nContent-Length: {len(body)}\r\n\r\n").encode()
                     + body)
    connection.recv(50)
    return connection


@pytest.mark.parametrize("closes", [True, False])
def test_the_server_s_end_undoes_a_backup(library, serve, tmp_path, closes):
    library.imports("aac.m4a", "portrait.mov", "voice.wav", "hevc8.mp4", "hevc10.mov", "odd.webm")
    folder = tmp_path / "usb"
    # The disk is slow: each file takes a second.
    server = serve(within=["strace", "-D", "-f", "-qq", "-o", str(tmp_path / "trace"), 
                           "-e", "trace=utimensat", "-e", "inject=utimensat:delay_enter=1000000"])
    connection = begin_backup(server, folder)
    if closes:
        connection.close()
    for _ in range(100):
        if (list(folder.glob("*.partial/data/Recordings/*/*"))
                + list(folder.glob("*.partial/data/Recordings/*.m*"))):
            break
        time.sleep(0.1)
    assert [bag.name[-8:] for bag in bags(folder)] == [".partial"]
    begin = time.monotonic()
    server.process.terminate()
    assert server.process.wait(20) == 0
    assert time.monotonic() - begin < 8
    assert bags(folder) == []
    library.expect_sound()
    library.holdfast("backup", str(folder))
    assert len(bags(folder)) == 1


def test_a_backup_on_the_library_s_own_disk_says_so(library, serve, open_page, tmp_path):
    library.imports("aac.m4a")
    inside = with_mounts("mount -t tmpfs none /mnt && mkdir '/mnt/My stick' && "
                         "mount -t tmpfs none '/mnt/My stick'")
    page = open_page(serve(within=inside)).login().goto("/settings")
    # A disk that is connected is a button, and a path is only typed for another folder.
    page.get_by_role("button", name="Back up to My stick").wait_for()
    assert not page.get_by_label("Folder for backups").is_visible()
    page.get_by_text("Another folder").click()
    page.get_by_label("Folder for backups").fill(str(tmp_path / "here"))
    for button, folder, is_warned in [
            ("Back up to this folder", str(tmp_path / "here"), True),
            ("Back up to My stick", "/mnt/My stick/holdfast", False),
            ("Back up now to “My stick”", "/mnt/My stick/holdfast", False)]:
        page.get_by_role("button", name=button).click()
        page.get_by_text("1 recording is safe in").wait_for()
        result = page.inner_text(".panel")
        assert ("on the same disk as the library" in result) == is_warned, result
        page.reload()
        text = page.inner_text("main")
        assert "Last backup: today" in text
        assert ("on the same disk as the library" in text) == is_warned, text
        assert page.get_by_label("Folder for backups").input_value() == folder
    assert page.get_by_role("button", name="Back up to My stick").count() == 0


def test_a_library_on_a_disk_that_can_only_be_read(library, serve, open_page, tmp_path):
    library.imports("aac.m4a", "portrait.mov")
    library.holdfast("craving", "log", "--intensity", "4")
    inside = with_mounts(
        f"mount --bind '{library.path}' '{library.path}' && "
        f"mount -o remount,bind,ro '{library.path}'")
    watched = open_page(serve(within=inside)).login()
    for path in ["/", "/recordings", "/history", "/settings", "/progress"]:
        page = watched.goto(path)
        assert page.locator("h1").count() == 1, path
    # Pictures that the library does not keep yet are still drawn.
    for kind in ["audio", "video"]:
        id = library.one(f"SELECT id FROM recording WHERE type = '{kind}'")
        page = watched.goto(f"/recordings/{id}")
        drawn = page.locator("img").evaluate_all("all => all.map(image => image.naturalWidth)")
        assert all(width > 0 for width in drawn) and (drawn or kind == "video"), (kind, drawn)
        assert page.locator("audio, video").evaluate("player => player.error") is None
    watched.expect_quiet()
    client = Client(watched.server)
    client.cookie = "; ".join(f"{c['name']}={c['value']}" for c in page.context.cookies())
    told = events(client, "/settings/verify", b"deep=1")
    assert "2 read whole" in told[-1][1]["text"] and "as it should be" in told[-1][1]["text"], told
    refused = client("POST", "/craving", b"intensity=5", FORM)
    assert refused.status == 403 and b"make the disk writable" in refused.body, refused.body
    # The library need not be writable for a backup.
    page = watched.goto("/settings")
    page.get_by_label("Folder for backups").fill(str(tmp_path / "usb"))
    page.get_by_role("button", name="Back up to this folder").click()
    page.get_by_text("2 recordings are safe in").wait_for()
    watched.server.stop()
    assert library.sql("SELECT intensity FROM craving") == [(4,)]
    library.expect_sound()


def test_a_backup_goes_on_when_its_page_is_closed(library, serve, tmp_path):
    library.imports("aac.m4a", "portrait.mov", "voice.wav")
    folder = tmp_path / "usb"
    begin_backup(serve(), folder).close()
    for _ in range(100):
        if folder.exists() and bags(folder):
            break
        time.sleep(0.1)
    assert len(bags(folder)) == 1
    # The folder is busy until the backup has removed older ones.
    for _ in range(50):
        verified = library.holdfast("backup", "verify", str(folder), library=False, check=False)
        if verified.returncode == 0:
            break
        time.sleep(0.1)
    assert verified.returncode == 0, verified.stderr


# Checks.

def test_every_byte_is_read_on_request(library, serve, open_page):
    library.imports("aac.m4a", "voice.wav", "portrait.mov")
    client = Client(serve()).login()
    told = events(client, "/settings/verify", b"deep=1")
    assert [name for name, _ in told].count("progress") >= 1
    assert told[-1][0] == "finished" and "3 read whole" in told[-1][1]["text"]
    assert library.one("SELECT count(*) FROM recording WHERE verifiedAt IS NOT NULL") == 3
    path = os.path.join(library.path, library.one("SELECT filePath FROM recording ORDER BY id"))
    content = bytearray(Path(path).read_bytes())
    content[len(content) // 2] ^= 1
    Path(path).write_bytes(content)
    # A check of names and sizes alone finds nothing.
    assert "as it should be" in events(client, "/settings/verify")[-1][1]["text"]
    told = events(client, "/settings/verify", b"deep=1")
    assert "1 thing found" in told[-1][1]["text"] and told[-1][1]["repair"] is True
    assert any(
        name == "line" and os.path.basename(path) in data["text"] for name, data in told)
    assert "--" not in json.dumps(told)
    # The same without a script.
    page = client("POST", "/settings/verify", b"deep=1", FORM).body.decode()
    assert "1 thing found" in page and 'action="/settings/repair"' in page and "--" not in page
    page = client("POST", "/settings/repair", b"", FORM).body.decode()
    assert "1 thing found, 0 repaired" in page and "Not repaired" in page and "--" not in page, page
    assert 'action="/settings/repair"' not in page


def test_what_is_found_can_be_repaired_from_the_backup(library, serve, open_page, tmp_path):
    library.imports("aac.m4a", "portrait.mov")
    watched = open_page(serve()).login()
    page = watched.goto("/settings")
    page.get_by_label("Folder for backups").fill(str(tmp_path / "usb"))
    page.get_by_role("button", name="Back up to this folder").click()
    page.get_by_text("are safe in").wait_for()
    path = Path(library.path, library.one("SELECT filePath FROM recording WHERE type = 'audio'"))
    content = path.read_bytes()
    path.unlink()
    stray = Path(library.path, "Recordings/stray.txt")
    stray.write_text("x")
    stray.chmod(0o600)
    page.get_by_role("button", name="Check the files").click()
    page.get_by_text("2 things found").wait_for()
    found = [violation["id"] for violation in Axe().run(page).response["violations"]
             if violation["impact"] in ("serious", "critical")]
    assert found == []
    picture(page, "settings-found", full_page=True)
    page.get_by_role("button", name="Repair").click()
    page.get_by_text("2 things found, 2 repaired").wait_for()
    assert path.read_bytes() == content
    assert list(Path(library.path, ".quarantine").rglob("stray.txt"))
    library.expect_sound()
    watched.expect_quiet()


def test_the_privacy_check(library, serve, open_page):
    library.imports("aac.m4a")
    watched = open_page(serve()).login()
    page = watched.goto("/settings")
    page.get_by_role("button", name="Check privacy").click()
    page.get_by_text("No privacy problems found.").wait_for()
    path = library.one("SELECT filePath FROM recording")
    os.chmod(os.path.join(library.path, path), 0o644)
    page.get_by_role("button", name="Check privacy").click()
    page.get_by_text("1 thing found").wait_for()
    text = page.inner_text(".panel")
    assert path in text and "mode 644" in text, text
    watched.expect_quiet()
    client = Client(serve()).login()
    assert b"mode 644" in client("POST", "/settings/privacy", b"", FORM).body


# Waiting.

def test_changes_beside_a_held_lock_are_all_refused_in_time(library, serve):
    client = Client(serve()).login()
    assert client("POST", "/craving", b"intensity=5", FORM).status == 303
    answers = []

    def change(delay):
        time.sleep(delay)
        begin = time.monotonic()
        response = client("POST", "/craving", b"intensity=6", FORM, timeout=60)
        answers.append((response.status, time.monotonic() - begin, response.body))

    with open(os.path.join(library.path, ".lock")) as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        threads = [threading.Thread(target=change, args=(delay,)) for delay in [0, 0, 0, 0, 2, 6]]
        for thread in threads:
            thread.start()
        time.sleep(1)
        # Requests that only read do not wait.
        begin = time.monotonic()
        assert client("GET", "/history").status == 200
        assert time.monotonic() - begin < 2
        for thread in threads:
            thread.join()
    assert [status for status, _, _ in answers] == [503] * 6
    assert max(seconds for _, seconds, _ in answers) < 12.5, answers
    assert all(b"another program is writing" in body.lower() for _, _, body in answers)
    assert client("POST", "/craving", b"intensity=7", FORM).status == 303
    assert library.sql("SELECT intensity FROM craving ORDER BY intensity") == [(5,), (7,)]


def test_another_port_beside_a_running_server_is_said(serve):
    first = serve()
    second = serve("--port", str(first.port - 1 if first.port > 2000 else first.port + 1))
    assert second.process.wait(10) == 0 and second.port == first.port
    words = second.process.stderr.read()
    assert f"keeps its port, {first.port}" in words, words
    third = serve("--port", str(first.port))
    assert third.process.wait(10) == 0 and "keeps its port" not in third.process.stderr.read()
