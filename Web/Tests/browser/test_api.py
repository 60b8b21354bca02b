"""The documents that programs get."""

import json
from pathlib import Path

import pytest

from test_safety import Client
from test_upkeep import events


@pytest.fixture
def client(serve):
    return Client(serve()).login()


def send(client, method, path, document=None):
    body = None if document is None else json.dumps(document).encode()
    response = client(method, path, body, {"Content-Type": "application/json"})
    return response.status, json.loads(response.body) if response.body else None


def test_recordings_are_the_command_s(client, library):
    library.imports("portrait.mov", "aac.m4a", "voice.wav")
    status, page = send(client, "GET", "/api/1/recordings?limit=2")
    assert status == 200 and len(page["items"]) == 2 and page["next"] == 2
    status, rest = send(client, "GET", "/api/1/recordings?limit=2&offset=2")
    assert len(rest["items"]) == 1 and "next" not in rest
    listed = json.loads(library.holdfast("list", "--json").stdout)
    assert page["items"] + rest["items"] == listed
    one = listed[0]["id"]
    shown = json.loads(library.holdfast("show", "--json", one).stdout)
    assert send(client, "GET", f"/api/1/recordings/{one}") == (200, shown)
    status, edited = send(client, "PATCH", f"/api/1/recordings/{one}",
                          {"title": "Why <b>", "purpose": "milestone"})
    assert (status, edited["title"], edited["purpose"]) == (200, "Why <b>", "milestone")
    assert send(client, "GET", "/api/1/recordings?q=why")[1]["items"] == [edited]
    assert send(client, "DELETE", f"/api/1/recordings/{one}")[0] == 204
    assert library.one("SELECT count(*) FROM recording") == 2
    assert send(client, "GET", f"/api/1/recordings/{one}")[0] == 404


def test_cravings_and_usage(client, library):
    library.imports("aac.m4a")
    recording = library.one("SELECT id FROM recording")
    status, craving = send(client, "POST", "/api/1/cravings", {
        "intensity": 8, "triggers": ["Anxious", "bored"], "location": "52.52,13.405",
        "notes": "a\nb", "recordingId": recording, "timestamp": "2025-10-25T13:42:00.000Z",
        "timestampOffset": 120})
    assert status == 201
    assert craving["intensityCategory"] == "strong" and craving["triggers"] == ["Anxious", "Bored"]
    assert library.sql("SELECT timestamp, timestampOffset, recordingId FROM craving") == [
        ("2025-10-25 13:42:00.000", 120, recording)]
    path = f"/api/1/cravings/{craving['id']}"
    assert send(client, "GET", path) == (200, craving)
    status, edited = send(client, "PUT", path, {"intensity": 3})
    assert status == 200 and edited["intensity"] == 3 and "recordingId" not in edited
    assert edited["timestamp"] == craving["timestamp"] and "modifiedAt" in edited
    assert send(client, "DELETE", path)[0] == 204
    status, usage = send(client, "POST", "/api/1/usage", {"method": "Vape", "amount": 2})
    assert status == 201
    assert send(client, "GET", "/api/1/usage")[1]["items"] == [usage]
    assert send(client, "DELETE", f"/api/1/usage/{usage['id']}")[0] == 204
    status, statistics = send(client, "GET", "/api/1/statistics?days=7")
    assert status == 200 and statistics["cravings"]["count"] == 0


def test_an_edit_that_links_to_a_missing_recording_changes_nothing(client, library):
    """The edit was written before the link was refused."""
    craving = send(client, "POST", "/api/1/cravings", {"intensity": 8, "notes": "before"})[1]
    path, missing = f"/api/1/cravings/{craving['id']}", "00000000-0000-4000-8000-000000000000"
    status, problem = send(client, "PUT", path, {"intensity": 3, "recordingId": missing})
    assert status == 404 and problem["detail"] == "this recording was deleted"
    assert send(client, "GET", path) == (200, craving)
    library.imports("aac.m4a")
    recording = library.one("SELECT id FROM recording")
    status, edited = send(client, "PUT", path, {"intensity": 3, "recordingId": recording})
    assert (status, edited["intensity"], edited["recordingId"]) == (200, 3, recording)


def test_what_is_wrong_is_said_with_its_figure(client, library):
    for method, path, document, status, words in [
        ("POST", "/api/1/cravings", {"intensity": 11}, 422, "1 to 10"),
        ("POST", "/api/1/cravings", {}, 422, "intensity is missing"),
        ("POST", "/api/1/cravings", {"intensity": "x"}, 422, "intensity"),
        ("POST", "/api/1/cravings", {"intensity": 5, "triggers": ["Angri"]}, 422, "Angry"),
        ("POST", "/api/1/cravings", {"intensity": 5, "notes": "x" * 501}, 422, "501"),
        ("POST", "/api/1/cravings", {"intensity": 5, "timestamp": "2999-01-01T00:00:00Z"}, 422,
         "future"),
        ("POST", "/api/1/usage", {"method": "Vape", "amount": 11}, 422, "10 pulls"),
        ("GET", "/api/1/recordings?limit=0", None, 422, "1 to 1000"),
        ("GET", "/api/1/recordings?sort=x", None, 422, "recent"),
        ("GET", "/api/1/cravings/x", None, 404, ""),
        ("GET", "/api/1/nothing", None, 404, ""),
    ]:
        got, problem = send(client, method, path, document)
        assert got == status, (path, document, problem)
        assert problem["status"] == status and words in problem["detail"], problem
        assert "--" not in problem["detail"], problem
    assert library.one("SELECT count(*) FROM craving") == 0


def test_a_message_is_shown_and_counted(client, library):
    status, message = send(client, "GET", "/api/1/messages/next?trigger=Anxious")
    assert status == 200 and message["category"] == "anxiety"
    assert send(client, "POST", f"/api/1/messages/{message['id']}/showings")[1]["timesShown"] == 1
    assert library.one("SELECT sum(timesShown) FROM message") == 1


def test_messages_of_one_s_own(client, library):
    status, message = send(client, "POST", "/api/1/messages",
                           {"content": "Breathe.", "category": "urge"})
    assert status == 201 and message["isCustom"] and message["isActive"]
    path = f"/api/1/messages/{message['id']}"
    status, edited = send(client, "PATCH", path, {"content": "Breathe out.", "isActive": False})
    assert (status, edited["content"], edited["isActive"]) == (200, "Breathe out.", False)
    assert library.sql(f"SELECT content, isActive FROM message WHERE id = '{message['id']}'") == [
        ("Breathe out.", 0)]
    assert edited in send(client, "GET", "/api/1/messages")[1]
    assert send(client, "DELETE", path)[0] == 204
    assert send(client, "PATCH", path, {"isActive": True})[0] == 404
    other = library.one("SELECT id FROM message WHERE isCustom = 0")
    hidden = send(client, "PATCH", f"/api/1/messages/{other}", {"isActive": False})[1]
    assert hidden["isActive"] is False
    status, problem = send(client, "DELETE", f"/api/1/messages/{other}")
    assert status == 409 and "hide it" in problem["detail"]
    assert send(client, "POST", "/api/1/messages", {"content": " ", "category": "urge"})[0] == 422
    assert send(client, "POST", "/api/1/messages", {"content": "x"})[0] == 422


def test_files_pictures_and_waveforms(client, library):
    library.imports("portrait.mov", "aac.m4a")
    for recording, kind, path, thumbnail in library.sql(
            "SELECT id, type, filePath, thumbnailPath FROM recording"):
        base = f"/api/1/recordings/{recording}"
        content = Path(library.path, path).read_bytes()
        response = client("GET", f"{base}/media")
        assert (response.status, response.body) == (200, content)
        assert response.headers["Content-Type"] == ("video/mp4" if kind == "video" else "audio/mp4")
        part = client("GET", f"{base}/media", headers={"Range": "bytes=10-19"})
        assert (part.status, part.body) == (206, content[10:20])
        response = client("GET", f"{base}/thumbnail")
        if thumbnail:
            assert response.body == Path(library.path, thumbnail).read_bytes()
        else:
            assert response.status == 404
            assert response.headers["Content-Type"] == "application/problem+json"
        status, wave = send(client, "GET", f"{base}/waveform")
        assert status == 200 and wave["step"] == 0.02
        seconds = library.one(f"SELECT duration FROM recording WHERE id = '{recording}'")
        assert abs(len(wave["peaks"]) * 0.02 - seconds) < 0.1 or wave["peaks"] == []
        assert client("GET", f"{base}/waveform.svg").body.startswith(b"<svg ")
    # The measurements are kept.
    assert library.one("SELECT count(*) FROM sound") == 2
    missing = "/api/1/recordings/00000000-0000-4000-8000-000000000000"
    for name in ["media", "thumbnail", "waveform", "waveform.svg"]:
        assert send(client, "GET", f"{missing}/{name}")[0] == 404


def test_the_export_is_the_command_s(client, library):
    library.imports("aac.m4a")
    library.holdfast("craving", "log", "--intensity", "4", "--notes", "a <b>\n\u202e")
    response = client("GET", "/api/1/export")
    assert response.headers["Content-Type"] == "application/json"
    assert response.body.decode() == library.holdfast("export", "--format", "json").stdout


def test_verify_tells_what_it_finds(client, library):
    library.imports("aac.m4a", "voice.wav")
    told = events(client, "/api/1/verify?deep=1")
    assert told[0] == ("planned", {"recordings": 2})
    assert [data["read"] for name, data in told if name == "progress"][-1] == 2
    assert told[-1][0] == "finished" and told[-1][1]["findings"] == 0
    assert told[-1][1]["recordings"] == told[-1][1]["read"] == 2 and told[-1][1]["bytes"] > 1000
    path = library.one("SELECT filePath FROM recording LIMIT 1")
    Path(library.path, path).unlink()
    told = events(client, "/api/1/verify")
    printed = library.holdfast("verify", "--json", check=False).stdout.splitlines()
    found = [data for name, data in told if name == "finding"]
    assert len(found) == len(printed) == 1
    assert {**found[0], "repair": ""} == {**json.loads(printed[0]), "repair": ""}
    assert told[-1][1] == {"recordings": 2, "read": 0, "bytes": 0, "findings": 1}
    status, problem = send(client, "POST", "/api/1/verify?deep=x")
    assert status == 422 and "deep" in problem["detail"]


def test_a_play_is_counted_once_however_often_it_is_sent(client, library):
    library.imports("aac.m4a")
    path = f"/api/1/recordings/{library.one('SELECT id FROM recording')}/plays"
    play = {"id": "11111111-1111-4111-8111-111111111111"}
    for _ in range(3):
        status, recording = send(client, "POST", path, play)
        assert (status, recording["playCount"]) == (200, 1)
    assert send(client, "POST", path, {"id": "22222222-2222-4222-8222-222222222222"})[1][
        "playCount"] == 2
    assert library.one("SELECT playCount FROM recording") == 2
    assert send(client, "POST", path, {})[0] == 422


def test_unknown_fields_are_named(client, library):
    for method, path, document, name in [
            ("POST", "/api/1/cravings", {"intensity": 3, "trigger": "Tired"}, "trigger"),
            ("POST", "/api/1/messages", {"content": "x", "category": "urge", "priority": 1},
             "priority"),
            ("GET", "/api/1/cravings?minIntensity=7", None, "minIntensity"),
            ("GET", "/api/1/messages/next?context=urge", None, "context"),
            ("GET", "/api/1/recordings?limit=3&order=title", None, "order"),
            ("POST", "/api/1/verify?depp=1", None, "depp"),
            ("POST", "/api/1/food/foodEntries", {"nme": "x"}, "nme")]:
        library.holdfast("journal", "enable", "food")
        status, problem = send(client, method, path, document)
        assert (status, problem["code"]) == (422, "unknownField"), (path, problem)
        assert f'"{name}"' in problem["detail"]
    assert library.one("SELECT count(*) FROM craving") == 0


def test_a_missing_thumbnail_is_made_on_request(client, library):
    library.imports("portrait.mov", "aac.m4a")
    video = library.one("SELECT id FROM recording WHERE type = 'video'")
    sound = library.one("SELECT id FROM recording WHERE type = 'audio'")
    [picture] = Path(library.path).glob("Recordings/Thumbnails/*.jpg")
    picture.unlink()
    response = client("GET", f"/api/1/recordings/{video}/thumbnail")
    assert response.status == 200 and response.body == picture.read_bytes()
    assert send(client, "GET", f"/api/1/recordings/{sound}/thumbnail")[1]["code"] == "noPicture"


def test_a_transcript(client, library):
    library.imports("aac.m4a")
    recording = library.one("SELECT id FROM recording")
    status, problem = send(client, "GET", f"/api/1/recordings/{recording}/transcript")
    assert status == 404 and "has no transcript" in problem["detail"]


def test_records_of_journals(client, library):
    """What follows from a record, such as points, is made as by the command."""
    habits = "/api/1/habits/habits"
    status, problem = send(client, "GET", habits)
    assert status in (404, 409) and "journal" in problem["detail"], problem
    library.holdfast("journal", "enable", "habits")
    library.holdfast("habit", "add", "Read", "--goal", "2")
    [habit] = send(client, "GET", habits)[1]["items"]
    assert habit["name"] == "Read"
    status, changed = send(client, "PUT", f"{habits}/{habit['id']}", habit | {"name": "Read more"})
    assert (status, changed["name"]) == (200, "Read more"), changed
    assert library.one("SELECT name FROM habit") == "Read more"
    del habit["id"]
    status, other = send(client, "POST", habits, habit | {"name": "Run"})
    assert status == 201 and other["id"] != changed["id"], other
    assert len(send(client, "GET", habits)[1]["items"]) == 2
    status, problem = send(client, "POST", habits, habit | {"goalCount": -1})
    assert status == 422 and problem["code"] == "invalidValue"
    assert send(client, "DELETE", f"{habits}/{other['id']}")[0] in (404, 405)
    library.holdfast("journal", "enable", "faith")
    entries = "/api/1/faith/journalEntries"
    status, entry = send(client, "POST", entries, {
        "title": "t", "content": "c", "isPrivate": True, "date": "2025-10-25T13:42:00.000Z",
        "dateOffset": 0})
    assert status == 201, entry
    again = {key: entry[key] for key in ("id", "title", "content", "date")}
    assert send(client, "POST", entries, again | {"isPrivate": True})[0] == 200
    prompts = "/api/1/faith/journalPrompts"
    status, prompt = send(client, "POST", prompts, {
        "prompt": "What for?", "category": "", "entryId": entry["id"]})
    assert (status, prompt["entryId"]) == (201, entry["id"]), prompt
    absent = "00000000-0000-4000-8000-000000000001"
    for method, path in [("POST", prompts), ("PUT", f"{prompts}/{prompt['id']}")]:
        sent = {key: value for key, value in prompt.items() if key != "id"} | {"entryId": absent}
        status, problem = send(client, method, path, sent)
        assert status == 404 and "journal entry" in problem["detail"], problem
    assert library.one("SELECT group_concat(entryId) FROM journalPrompt") == entry["id"]
    status, problem = send(client, "POST", entries, again | {"content": "other words"})
    assert (status, problem["code"]) == (409, "recordExists") and "PUT" in problem["detail"]
    missing = "00000000-0000-0000-0000-00000000000A"
    status, problem = send(client, "POST", entries, {
        "title": "t", "content": "c", "date": entry["date"], "recordingId": missing})
    assert status == 404 and "recording" in problem["detail"], problem
    assert library.one("SELECT group_concat(content) FROM journalEntry") == "c"
    assert send(client, "GET", entries)[1]["items"] == []
    assert send(client, "GET", entries + "?private=1")[1]["items"] == [entry]
    assert send(client, "DELETE", f"{entries}/{entry['id']}")[0] == 204
    library.expect_sound()
