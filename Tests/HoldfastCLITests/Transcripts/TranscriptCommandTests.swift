import Foundation
import HoldfastTestSupport
import Testing

@Suite("holdfast transcript", .temporaryFolder)
struct TranscriptCommandTests {
  let library = LibraryFolder()

  /// The id of a recording with a transcript of two sentences.
  private func recording() async throws -> String {
    try await library.importing("aac.m4a")
    let id = try await library.column("SELECT id FROM recording")[0]
    try await library.transcribe(id, "I stopped at the lighthouse.", "It was cold.")
    return id
  }

  private func edit(_ id: String, with editor: String) async throws -> CommandResult {
    try await Command.run(
      Command.holdfast, library.command(["transcript", "edit", id]),
      environment: [
        "VISUAL": "", "EDITOR": editor, "XDG_RUNTIME_DIR": try makeFolder("runtime"),
      ])
  }

  @Test("An empty text does not delete the words, which only delete does")
  func empty() async throws {
    let id = try await recording()
    try Data().write(to: URL(filePath: temporary("empty")))
    let result = try await library.holdfast(
      "transcript", "edit", id, "--file", temporary("empty"))
    #expect(result.status == 1)
    #expect(result.errorOutput.contains("holdfast transcript delete removes the words"))
    #expect(try await library.column("SELECT source FROM transcript") == ["program"])
  }

  @Test("show prints the times and the sentences, and who wrote them")
  func show() async throws {
    let id = try await recording()
    let shown = try await library.holdfast("transcript", "show", String(id.prefix(8)))
    #expect(shown.output == "0:00  I stopped at the lighthouse.\n0:01  It was cold.\n")
    #expect(
      shown.errorOutput
        == "A computer wrote this (whisper-cli, tiny.en); words can be wrong.\n")
    let plain = try await library.holdfast("transcript", "show", id, "--plain")
    #expect(plain.output == "I stopped at the lighthouse.\nIt was cold.\n")
    #expect(plain.errorOutput == "")
    let json = try await library.holdfast("transcript", "show", id, "--json")
    #expect(json.output.contains(#""segments":[{"endTime":800,"startTime":0,"text":"I stopped"#))
    let details = try await library.holdfast("show", id)
    #expect(
      details.output.contains("transcript  en, by a computer: I stopped at the lighthouse.\n"))
  }

  @Test("A recording without a transcript is refused")
  func none() async throws {
    try await library.importing("aac.m4a")
    let id = try await library.column("SELECT id FROM recording")[0]
    for command in [["show"], ["delete", "--yes"]] {
      let result = try await library.holdfast(["transcript"] + command + [id])
      #expect(result.status != 0)
      #expect(
        result.errorOutput.contains("the recording \(id) has no transcript"),
        "\(result.errorOutput)")
    }
  }

  @Test("edit writes down what was said, also where a person wanted no transcript")
  func write() async throws {
    try await library.importing("aac.m4a")
    let id = try await library.column("SELECT id FROM recording")[0]
    let lines = temporary("lines")
    try Data("I stopped.\n[0:01.500] It was cold.\n".utf8).write(to: URL(filePath: lines))
    for state in ["nothing", "never", "deleted"] {
      if state == "never" { _ = try await library.holdfast("transcribe", "--never", id, "--yes") }
      if state == "deleted" { _ = try await library.holdfast("transcript", "delete", id, "--yes") }
      let empty = try await library.holdfast("transcript", "edit", id, "--file", "/dev/null")
      #expect(empty.errorOutput == "Nothing was changed.\n")
      let written = try await library.holdfast("transcript", "edit", id, "--file", lines)
      #expect(written.status == 0, "\(state): \(written.errorOutput)")
      #expect(
        try await library.sql(
          """
          SELECT source, state, startTime, text FROM transcript
          JOIN transcriptSegment ON transcriptId = id ORDER BY position
          """) == [
            ["person", "words", "0", "I stopped."], ["person", "words", "1500", "It was cold."],
          ], "\(state)")
    }
    try await library.expectSound()
  }

  @Test("edit keeps the times, in a private file that is removed")
  func edit() async throws {
    let id = try await recording()
    let log = temporary("log")
    let script = temporary("editor")
    try Data(
      """
      #!/bin/sh
      stat -c '%a' "$(dirname "$1")" "$1" > '\(log)'
      cat "$1" >> '\(log)'
      sed -i -e 's/cold/colder/' -e '1a And then I sat.' "$1"
      """.utf8
    ).write(to: URL(filePath: script))
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: script)
    let edited = try await edit(id, with: "'\(script)'")
    #expect(edited.status == 0, "\(edited.errorOutput)")
    #expect(
      try String(contentsOfFile: log, encoding: .utf8)
        == "700\n600\n[0:00.000] I stopped at the lighthouse.\n[0:01.000] It was cold.\n")
    #expect(
      try await library.sql("SELECT startTime, endTime, text FROM transcriptSegment") == [
        ["0", "800", "I stopped at the lighthouse."], ["800", "1000", "And then I sat."],
        ["1000", "1800", "It was colder."],
      ])
    #expect(
      try await library.sql("SELECT source, modifiedAt NOT NULL, program FROM transcript")
        == [["person", "1", "whisper-cli"]])
    #expect(try await Find.names(temporary("runtime"), ["-mindepth", "1"]) == [])
    try await library.expectSound()
  }

  @Test(
    "An editor that fails changes nothing, and leaves no file", arguments: ["false", "/no/such"])
  func failingEditor(editor: String) async throws {
    let id = try await recording()
    let result = try await edit(id, with: editor)
    #expect(result.status == 1)
    #expect(result.errorOutput.contains("nothing was changed"), "\(result.errorOutput)")
    #expect(try await library.column("SELECT source FROM transcript") == ["program"])
    #expect(try await Find.names(temporary("runtime"), ["-mindepth", "1"]) == [])
  }

  @Test("What was typed stays, and is named, if it cannot be saved")
  func unsaved() async throws {
    let id = try await recording()
    let delete = "\(try Command.holdfast) transcript delete \(id) --yes --library \(library.path)"
    for (script, reason) in [
      (#"printf '\344' >> "$1""#, "not text in UTF-8"),
      (#"echo x >> "$1"; exit 1"#, "the editor failed"),
      ("echo x >> \"$1\"; \(delete) 2> /dev/null", "was changed meanwhile"),
    ] {
      let editor = temporary("editor")
      try Data("#!/bin/sh\n\(script)\n".utf8).write(to: URL(filePath: editor))
      try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: editor)
      let result = try await edit(id, with: "'\(editor)'")
      #expect(result.status == 1 && result.errorOutput.contains(reason), "\(result.errorOutput)")
      let left = try await Find.names(temporary("runtime"), ["-type", "f", "-perm", "0600"])
      #expect(left.count == 1 && result.errorOutput.contains(left.first ?? "none"))
      try FileManager.default.removeItem(atPath: temporary("runtime"))
    }
  }

  @Test("edit reads a file, and removes the sentences whose lines are gone")
  func file() async throws {
    let id = try await recording()
    let lines = temporary("lines")
    try Data("[0:00.700] Now.\n[0:01.000] It was cold.\n\n[0:00.500]  New\u{7}\tline \n".utf8)
      .write(to: URL(filePath: lines))
    let result = try await library.holdfast("transcript", "edit", id, "--file", lines)
    #expect(result.status == 0, "\(result.errorOutput)")
    #expect(try await library.sentences() == ["New line", "Now.", "It was cold."])
    #expect(
      try await library.column("SELECT endTime FROM transcriptSegment") == ["700", "1000", "1800"])
    let same = try await library.holdfast("transcript", "edit", id, "--file", lines)
    #expect(same.errorOutput == "Nothing was changed.\n")
  }

  @Test(
    "A line with a time that is none is refused, and so is one after the recording's end",
    arguments: [
      ("[9:99] x", "\"[9:99] x\": a time has at most 59 seconds, as in [1:59]"),
      ("[5:00] x", "\"[5:00] x\": the recording is 0:02 long"),
    ])
  func times(line: String, reason: String) async throws {
    let id = try await recording()
    let before = try await library.sentences()
    let lines = temporary("lines")
    try Data("[0:00.700] Now.\n\(line)\n".utf8).write(to: URL(filePath: lines))
    let result = try await library.holdfast("transcript", "edit", id, "--file", lines)
    #expect(result.status == 1)
    #expect(result.errorOutput.hasSuffix("\(reason)\n"), "\(result.errorOutput)")
    #expect(try await library.sentences() == before)
  }

  @Test("A sentence that is split shares its time, by the lengths of its parts")
  func split() async throws {
    let id = try await recording()
    let lines = temporary("lines")
    let rows = try await library.sql(
      "SELECT startTime, endTime, text FROM transcriptSegment ORDER BY position")
    let words = rows[0][2].split(separator: " ")
    let (one, two) = (String(words[0]), words.dropFirst().joined(separator: " "))
    try Data("[0:00.000] \(one)\n\(two)\n[0:01.000] \(rows[1][2])\n".utf8)
      .write(to: URL(filePath: lines))
    let result = try await library.holdfast("transcript", "edit", id, "--file", lines)
    #expect(result.status == 0, "\(result.errorOutput)")
    let middle = 800 * one.count / (one.count + two.count)
    #expect(
      try await library.sql(
        "SELECT startTime, endTime, text FROM transcriptSegment ORDER BY position") == [
          ["0", "\(middle)", one], ["\(middle)", "800", two], rows[1],
        ])
  }

  @Test("delete, never and allow")
  func marks() async throws {
    let id = try await recording()
    for command in [["transcript", "never", id], ["transcribe", "--never", id]] {
      let asked = try await library.answering("n", command)
      #expect(asked.status == 1)
      #expect(asked.errorOutput.contains("Delete its transcript for good?"))
      #expect(try await library.sentences().count == 2)
    }
    let asked = try await library.answering("n", ["transcript", "delete", id])
    #expect(asked.status == 1)
    #expect(asked.errorOutput.contains("Delete its transcript for good?"))
    #expect(try await library.sentences().count == 2)
    #expect(try await library.answering("y", ["transcript", "delete", id]).status == 0)
    #expect(
      try await library.sql("SELECT state, source, program FROM transcript")
        == [["deleted", "person", ""]])
    #expect(try await library.sentences() == [])
    let shown = try await library.holdfast("transcript", "show", id)
    #expect(shown.output == "" && shown.errorOutput == "You deleted its transcript.\n")
    #expect(try await library.holdfast("transcript", "never", id).status == 0)
    #expect(try await library.column("SELECT state FROM transcript") == ["never"])
    #expect(try await library.holdfast("transcript", "allow", id).status == 0)
    #expect(try await library.column("SELECT state FROM transcript") == ["allowed"])
    #expect(try await library.column("SELECT count(*) FROM recording") == ["1"])
    try await library.expectSound()
  }
}
