"""Attacks by others, which must fail."""

import http.client
import os
import resource
import socket
import stat
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from conftest import HOLDFAST, Server


class Client:
    """A program that speaks HTTP to the server, logged in or not."""

    def __init__(self, server, cookie=None, address="127.0.0.1"):
        self.server, self.cookie, self.address = server, cookie, address
        self.host = server.origin.removeprefix("http://")

    def login(self):
        path = self.server.link.removeprefix(self.server.origin)
        response = self("GET", path)
        assert response.status == 200
        self.cookie = response.headers["Set-Cookie"].split(";")[0]
        return self

    def __call__(self, method, path, body=None, headers=None, host=None, timeout=20):
        connection = http.client.HTTPConnection(self.address, self.server.port, timeout=timeout)
        sent = {"Host": host or self.host}
        if self.cookie:
            sent["Cookie"] = self.cookie
        if method != "GET":
            sent["Origin"] = self.server.origin
        sent.update(headers or {})
        connection.putrequest(method, path, skip_host=True, skip_accept_encoding=True)
        for name, value in sent.items():
            if value is not None:
                connection.putheader(name, value)
        if body is not None:
            connection.putheader("Content-Length", str(len(body)))
        connection.endheaders(body)
        response = connection.getresponse()
        response.body = response.read()
        connection.close()
        return response


FORM = {"Content-Type": "application/x-www-form-urlencoded"}


@pytest.fixture
def server(serve):
    return serve()


def log(client, **headers):
    return client("POST", "/craving", b"intensity=5", {**FORM, **headers})


def listening(table, port):
    """The addresses at which a port is listened on, as the kernel writes them."""
    rows = [line.split() for line in Path(f"/proc/net/{table}").read_text().splitlines()[1:]]
    return [row[1].split(":")[0] for row in rows if row[1].endswith(f":{port:04X}")
            and row[3] == "0A"]


def test_both_loopbacks_are_listened_on_and_nothing_else(server):
    assert listening("tcp", server.port) == ["0100007F"]
    assert listening("tcp6", server.port) == ["00000000000000000000000001000000"]


def test_both_loopbacks_are_one_server(server):
    """A browser tries [::1] first. A cookie and a refusal hold at both addresses."""
    six = Client(server, address="::1").login()
    four = Client(server, cookie=six.cookie)
    for client in [six, four]:
        assert client("GET", "/").status == 200
        assert log(client).status == 303
        assert client("GET", "/", host=f"[::1]:{server.port}").status == 421
        assert client("GET", "/", host=f"localhost:{server.port}").status == 421
    assert Client(server, address="::1")("GET", "/").status == 401


# Starts a program while each of these addresses and ports is listened on.
LISTENING = """
import os, socket, sys
count = int(sys.argv[1])
for name in sys.argv[2:2 + count]:
    address, port = name.rsplit(":", 1)
    listener = socket.create_server((address, int(port)),
                                    family=socket.AF_INET6 if ":" in address else socket.AF_INET)
    listener.set_inheritable(True)
    listener.detach()
os.execvp(sys.argv[2 + count], sys.argv[2 + count:])
"""


def while_others_listen(*addresses, setting_up="true"):
    """Words before a server, so that other programs have these addresses in its own network."""
    script = f'set -e; ip link set lo up; {setting_up}; exec "$@"'
    return ["unshare", "-Urn", "sh", "-c", script, "sh",
            sys.executable, "-c", LISTENING, str(len(addresses)), *addresses]


@pytest.mark.parametrize("address", ["::1", "127.0.0.1", "::", "0.0.0.0"])
def test_a_port_that_another_program_has_at_one_loopback_is_refused(library, address):
    result = subprocess.run(
        [*while_others_listen(f"{address}:40404"), HOLDFAST, "serve", "--port", "40404",
         "--library", library.path],
        capture_output=True, text=True, timeout=60, env={**os.environ, "XDG_RUNTIME_DIR": ""})
    assert (result.returncode, result.stdout) == (1, "")
    assert len(result.stderr.splitlines()) == 1
    assert "another program has " in result.stderr and ":40404" in result.stderr
    assert "use another --port" in result.stderr


def test_a_port_is_chosen_that_is_free_at_both_loopbacks(serve):
    few = "echo 40400 40407 > /proc/sys/net/ipv4/ip_local_port_range"
    taken = [f"::1:{port}" for port in range(40400, 40407) if port != 40403] + ["127.0.0.1:40407"]
    assert serve(within=while_others_listen(*taken, setting_up=few)).port == 40403


def test_without_ipv6_the_other_loopback_is_enough(serve):
    server = serve(within=while_others_listen(setting_up="ip -6 address flush dev lo"))
    assert server.process.poll() is None


def test_a_link_with_a_plain_host_warns_of_other_servers(serve, library):
    for options, warns in [(["--plain-host"], True), (["--plain-host", "--quiet"], True),
                           ([], False)]:
        server = serve(*options)
        server.stop()
        errors = server.process.stderr.read()
        assert ("gives its cookie to every server on 127.0.0.1" in errors) == warns, options


def test_a_link_works_once(server):
    client = Client(server).login()
    assert client("GET", "/").status == 200
    again = Client(server)("GET", server.link.removeprefix(server.origin))
    assert again.status == 401 and b"used already" in again.body
    assert b"run <code>holdfast serve --open</code>." in again.body
    assert b"not connected yet" in Client(server)("GET", "/").body
    old = Client(server, f"holdfast-{server.port}=" + "0" * 64)
    assert b"Holdfast was restarted" in old("GET", "/").body
    # The page that says so has its look, and the browser that opened the link is led Home.
    assert Client(server)("GET", "/assets/style.css").status == 200
    own = client("GET", server.link.removeprefix(server.origin))
    assert own.status == 200 and "set-cookie" not in str(own.headers).lower()


def test_without_a_link_nothing_is_shown(server, library):
    library.imports("aac.m4a")
    recording = library.one("SELECT id FROM recording")
    for path in ["/", "/recordings", f"/media/{recording}", "/export.json",
                 "/api/1/imports/" + recording]:
        response = Client(server)("GET", path)
        assert response.status == 401, path
    assert Client(server, f"holdfast-{server.port}=" + "0" * 64)("GET", "/").status == 401


def test_a_cookie_of_an_earlier_run_is_refused(serve):
    first = serve()
    cookie = Client(first).login().cookie
    port = first.port
    first.stop()
    second = serve("--port", str(port))
    assert Client(second, cookie)("GET", "/").status == 401


def test_other_names_of_this_computer_are_refused(server):
    client = Client(server).login()
    for host in ["evil.example", f"localhost:{server.port}", f"127.0.0.1:{server.port}", "",
                 client.host.split(":")[0]]:
        assert client("GET", "/", host=host or "x").status == 421, host


def test_other_sites_change_nothing(server, library):
    client = Client(server).login()
    assert log(client).status == 303
    for origin in ["http://evil.example", f"http://localhost:{server.port}", "null", None]:
        response = log(client, Origin=origin)
        assert response.status == 403, origin
    for site in ["cross-site", "same-site"]:
        assert log(client, **{"Sec-Fetch-Site": site}).status == 403
        assert client("GET", "/", headers={"Sec-Fetch-Site": site}).status == 403
    assert library.one("SELECT count(*) FROM craving") == 1


def test_paths_lead_nowhere_else(server):
    client = Client(server).login()
    for path in ["/media/../holdfast.json", "/media/%2e%2e%2fcatalog.sqlite",
                 "/assets/../../etc/passwd",
                 "/assets/%2e%2e%2f%2e%2e%2fetc%2fpasswd", "/recordings/..", "//etc/passwd",
                 "/thumbnails/%00", "/recordings/" + "A" * 5000]:
        response = client("GET", path)
        assert response.status in (400, 404), (path, response.status)
        assert b"root:" not in response.body and b"SQLite" not in response.body


def test_headers_are_set(server):
    response = Client(server).login()("GET", "/")
    policy = response.headers["Content-Security-Policy"]
    assert policy.startswith("default-src 'none'")
    assert "unsafe" not in policy and "http" not in policy
    for name, value in {"X-Content-Type-Options": "nosniff", "Referrer-Policy": "same-origin",
                        "Cache-Control": "private, no-store"}.items():
        assert response.headers[name] == value
    assert "Access-Control-Allow-Origin" not in response.headers
    assert b"<script>" not in response.body and b"style=" not in response.body


def test_headers_that_are_too_long_are_refused(server):
    client = Client(server).login()
    try:
        response = client("GET", "/", headers={f"X-{n}": "a" * 10_000 for n in range(1000)})
        assert response.status >= 400
    except (ConnectionError, http.client.HTTPException, socket.timeout):
        pass
    assert client("GET", "/").status == 200


def test_a_file_that_is_too_large_is_refused_before_it_comes(server, library):
    client = Client(server).login()
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=20)
    connection.putrequest("POST", "/api/1/imports?name=x.mov", skip_host=True)
    for name, value in {"Host": client.host, "Cookie": client.cookie, "Origin": server.origin,
                        "Content-Length": str(9_000_000_000)}.items():
        connection.putheader(name, value)
    connection.endheaders(b"some bytes")
    response = connection.getresponse()
    assert response.status == 413
    assert b"8000 MB" in response.read()
    connection.close()
    assert list(Path(library.path, ".staging").iterdir()) == []


def test_slow_clients_keep_nobody_out(server):
    client = Client(server).login()
    slow = []
    for _ in range(1000):
        connection = socket.create_connection(("127.0.0.1", server.port))
        connection.send(b"GET / HTTP/1.1\r\nHost: ")
        slow.append(connection)
    begin = time.monotonic()
    assert client("GET", "/").status == 200
    assert time.monotonic() - begin < 10
    for connection in slow:
        connection.close()


def test_a_second_serve_leads_to_the_first(serve):
    first = serve()
    second = serve()
    assert second.process.wait(10) == 0
    assert second.origin == first.origin and second.link != first.link
    second_client = Client(second).login()
    assert second_client("GET", "/").status == 200


def test_the_socket_is_private(serve):
    serve()
    sockets = list(serve.session.glob("*.socket"))
    assert len(sockets) == 1
    assert stat.S_IMODE(sockets[0].stat().st_mode) == 0o600


def test_an_idle_server_ends(serve):
    server = serve("--idle", "1s")
    assert server.process.wait(20) == 0


class Flood:
    """Clients without a cookie, each of which asks as soon as it has an answer."""

    def __init__(self, server, clients):
        self.server, self.answers, self.over = server, 0, threading.Event()
        self.threads = [threading.Thread(target=self._ask) for _ in range(clients)]

    def _ask(self):
        stranger = Client(self.server)
        while not self.over.is_set():
            # Without a cookie, all of these are refused or the same for all.
            for path in ("/", "/assets/style.css", "/open/" + "0" * 64):
                try:
                    stranger("GET", path)
                except (ConnectionError, http.client.HTTPException):
                    # The server has ended, or it is ending.
                    return
                self.answers += 1

    def __enter__(self):
        for thread in self.threads:
            thread.start()
        return self

    def __exit__(self, *_):
        self.over.set()
        for thread in self.threads:
            thread.join()


def test_requests_without_a_link_do_not_keep_an_idle_server(serve):
    server = serve("--idle", "2s")
    with Flood(server, 1):
        assert server.process.wait(30) == 0


def test_a_flood_of_requests_without_a_link_leaves_the_server_to_its_user(server):
    """With 64 clients, Home took 25 times as long."""
    client = Client(server).login()

    def home():
        begin = time.monotonic()
        assert client("GET", "/").status == 200
        return time.monotonic() - begin

    def median():
        return sorted(home() for _ in range(15))[7]

    home()
    quiet = median()
    with Flood(server, 64) as flood:
        # The first hundred are answered at once.
        while flood.answers < 150:
            time.sleep(0.01)
        flooded = median()
    assert flooded < max(8 * quiet, 0.2), (quiet, flooded)


def test_memory_falls_after_thousands_of_connections(serve):
    resource.setrlimit(resource.RLIMIT_NOFILE, (10_000, resource.getrlimit(
        resource.RLIMIT_NOFILE)[1]))
    server = serve()
    client = Client(server).login()

    def memory():
        status = Path(f"/proc/{server.process.pid}/status").read_text()
        return int(status.split("VmRSS:")[1].split()[0]) // 1000

    client("GET", "/")
    before = memory()
    connections = []
    for _ in range(3000):
        connection = socket.create_connection(("127.0.0.1", server.port))
        connection.send(b"GET / HTTP/1.1\r\nHost: ")
        connections.append(connection)
    assert client("GET", "/").status == 200
    most = memory()
    assert most > before + 20, (before, most)
    for connection in connections:
        connection.close()
    deadline = time.monotonic() + 30
    while memory() > before + (most - before) / 2:
        assert time.monotonic() < deadline, (before, most, memory())
        time.sleep(0.2)


def test_ranges(server, library):
    library.imports("portrait.mov")
    recording, path = library.sql("SELECT id, filePath FROM recording")[0]
    whole = Path(library.path, path).read_bytes()
    size = len(whole)
    client = Client(server).login()

    def get(range=None, **headers):
        fields = {"Range": range} if range else {}
        return client("GET", f"/media/{recording}", headers={**fields, **headers})

    response = get()
    assert (response.status, response.body) == (200, whole)
    assert response.headers["Accept-Ranges"] == "bytes"
    tag = response.headers["ETag"]
    for text, part in {"bytes=0-0": whole[:1], "bytes=0-499": whole[:500],
                       f"bytes=1000-{size * 2}": whole[1000:], "bytes=-500": whole[-500:],
                       f"bytes=-{size * 2}": whole, f"bytes={size - 1}-": whole[-1:]}.items():
        response = get(text)
        assert (response.status, response.body) == (206, part), text
        first = size - len(part) if text.startswith("bytes=-") or text.endswith("-") else int(
            text[6:].split("-")[0])
        assert response.headers["Content-Range"] == f"bytes {first}-{first + len(part) - 1}/{size}"
    for text in [f"bytes={size}-", "bytes=-0", f"bytes={size}-{size + 5}"]:
        response = get(text)
        assert (response.status, response.headers["Content-Range"]) == (
            416, f"bytes */{size}"), text
    # Several ranges, or invalid ones, give the whole file.
    for text in ["bytes=0-1,5-6", "bytes=5-2", "lines=0-1", "bytes=a-b", "bytes=-"]:
        assert get(text).status == 200, text
    assert get("bytes=0-4", **{"If-Range": tag}).status == 206
    assert get("bytes=0-4", **{"If-Range": '"other"'}).status == 200
    assert get(**{"If-None-Match": tag}).status == 304
    head = client("HEAD", f"/media/{recording}")
    assert (head.status, head.body, head.headers["Content-Length"]) == (200, b"", str(size))


def test_a_fault_is_one_sentence_for_a_person_and_a_document_for_a_program(server):
    client = Client(server).login()
    response = client("POST", "/craving", b"intensity=11", FORM)
    assert response.status == 422 and b"1 to 10" in response.body
    import json
    document = client("POST", "/api/1/imports", b"x")
    assert document.headers["Content-Type"] == "application/problem+json"
    body = json.loads(document.body)
    assert body["status"] == 422 and body["code"] == "noName" and body["detail"]


def test_text_that_is_no_form_is_only_text(server, library):
    """A lone per cent sign in a search ended the whole server."""
    client = Client(server).login()
    for query in ["q=50%", "q=%", "q=%zz", "q=<", 'q="', "q=[]^`{|}", "&&==&", "q=%ff%fe", "q=%00",
                  "page=1%", "q=a%0D%0AX:%20y"]:
        assert client("GET", f"/recordings?{query}").status == 200, query
    for body in [b"intensity=5&notes=50%", b"intensity=5&notes=<b>x</b>", b"intensity=5&notes=a%ff",
                 b"intensity=5&notes=a%0D%0Ab", b"intensity=5&notes=\xff\xfe"]:
        assert client("POST", "/craving", body, FORM).status == 303, body
    notes = {row[0] for row in library.sql("SELECT notes FROM craving")}
    assert {"50%", "<b>x</b>", "a\ufffd", "a\nb"} <= notes, notes
    # The error names what a text may not have.
    assert client("POST", "/craving", b"intensity=5&notes=a%00b", FORM).status == 422
    assert client("GET", "/recordings").status == 200


def test_the_server_ends_while_somebody_reads_slowly(serve, library):
    library.imports("portrait.mov")
    path = library.one("SELECT filePath FROM recording")
    os.truncate(os.path.join(library.path, path), 300_000_000)
    server = serve()
    client = Client(server).login()
    connection = socket.create_connection(("127.0.0.1", server.port))
    recording = library.one("SELECT id FROM recording")
    connection.send(f"GET /media/{recording} HTTP/1.1\r\nHost: {client.host}\r\n"
                    f"Cookie: {client.cookie}\r\n\r\n".encode())
    connection.recv(100)
    server.process.terminate()
    assert server.process.wait(10) is not None
    connection.close()


def test_an_import_is_undone_when_the_server_ends(serve, library, tmp_path):
    clip = str(tmp_path / "clip.webm")
    subprocess.run(["ffmpeg", "-v", "error", "-f", "lavfi", "-i",
                    "testsrc2=size=1280x720:duration=60",
                    "-c:v", "libvpx", "-deadline", "realtime", "-cpu-used", "8", clip], check=True)
    server = serve()
    client = Client(server).login()
    import json
    answer = json.loads(client("POST", "/api/1/imports?name=clip.webm",
                               Path(clip).read_bytes()).body)
    events = socket.create_connection(("127.0.0.1", server.port))
    events.send(f"GET /api/1/imports/{answer['id']}/events HTTP/1.1\r\nHost: {client.host}\r\n"
                f"Cookie: {client.cookie}\r\n\r\n".encode())
    events.recv(100)
    server.process.terminate()
    assert server.process.wait(15) is not None
    assert library.one("SELECT count(*) FROM recording") == 0
    library.expect_sound()


def test_a_copy_of_the_library_has_a_server_of_its_own(serve, library, tmp_path):
    import shutil
    from conftest import Library
    first = serve()
    shutil.copytree(library.path, tmp_path / "copy", ignore=shutil.ignore_patterns(".lock"))
    copy = Library.__new__(Library)
    copy.path = str(tmp_path / "copy")
    second = Server(copy, environment={"XDG_RUNTIME_DIR": str(serve.session)})
    assert second.origin != first.origin
    second.stop()


def test_a_stopped_server_keeps_nobody_waiting(serve):
    import signal
    first = serve()
    first.process.send_signal(signal.SIGSTOP)
    begin = time.monotonic()
    second = serve()
    assert time.monotonic() - begin < 15 and second.origin != first.origin
    first.process.send_signal(signal.SIGCONT)


def test_an_entry_of_another_zone_is_changed_by_its_own_clock(serve, library):
    subprocess.run(["env", "TZ=Asia/Tokyo", os.environ["HOLDFAST_PROGRAM"], "craving", "log",
                    "--intensity", "5", "--at", "2025-10-25 20:42", "--library", library.path],
                   check=True, capture_output=True)
    client = Client(serve()).login()
    craving = library.one("SELECT id FROM craving")
    page = client("GET", f"/craving/{craving}").body.decode()
    assert 'value="2025-10-25T20:42"' in page
    body = b"intensity=6&when=2025-10-25T20:37&opened=2025-10-25T20:42"
    assert client("POST", f"/craving/{craving}", body, FORM).status == 303
    assert library.sql("SELECT timestamp, timestampOffset, intensity FROM craving") == [
        ("2025-10-25 11:37:00.000", 540, 6)]


def test_no_entry_is_between_two_pages(serve, library):
    client = Client(serve()).login()
    for number in range(103):
        body = b"intensity=5&when=2026-11-20T10:00&opened=x&notes=n%d" % number
        assert client("POST", "/craving", body, FORM).status == 303
    log(client)
    first = client("GET", "/history").body.decode()
    import re
    shown = re.findall(r">n(\d+)<", first)
    link = re.search(r'href="(/history\?before=[^"]+)"', first)
    while link:
        page = client("GET", link[1].replace("&amp;", "&")).body.decode()
        shown += re.findall(r">n(\d+)<", page)
        link = re.search(r'href="(/history\?before=[^"]+)"', page)
    assert sorted(map(int, shown)) == list(range(103))


def test_pages_answer_head_and_have_words_for_what_is_not_there(server):
    client = Client(server).login()
    assert client("HEAD", "/recordings").status == 200
    missing = client("GET", "/nosuch")
    assert missing.status == 404 and b"There is no such page." in missing.body
    assert b"choose one from 1 to 10" in client("POST", "/craving", b"", FORM).body
