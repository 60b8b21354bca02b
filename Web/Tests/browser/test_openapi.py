"""The server follows the description that programs are written by."""

import re
import subprocess
import sys
from pathlib import Path

from conftest import ROOT
from test_safety import Client


def test_the_server_is_as_it_is_described(serve, library, tmp_path):
    library.imports("aac.m4a", "portrait.mov")
    server = serve("--plain-host")
    client = Client(server).login()
    # Whether every text that the description allows is accepted is not checked: it cannot say which
    # days or places exist.
    checks = ("not_a_server_error,status_code_conformance,content_type_conformance,"
              "response_schema_conformance")
    result = subprocess.run(
        [str(Path(sys.executable).parent / "schemathesis"), "run", str(ROOT / "Web/openapi.yaml"),
         "--url", server.origin + "/api/1", "-H", f"Cookie: {client.cookie}",
         "-H", f"Origin: {server.origin}", "--checks", checks, "--max-examples", "20",
         "--generation-database", "none"],
        # It leaves files where it runs.
        capture_output=True, text=True, cwd=tmp_path)
    assert result.returncode == 0, result.stdout[-6000:] + result.stderr
    description = (ROOT / "Web/openapi.yaml").read_text()
    operations = len(re.findall(r"^    (?:get|post|put|patch|delete):$", description, re.MULTILINE))
    assert f"Tested: {operations}" in result.stdout, (operations, result.stdout[-2000:])
    library.expect_sound()
