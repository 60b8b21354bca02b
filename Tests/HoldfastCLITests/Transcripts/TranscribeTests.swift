import Foundation
import HoldfastTestSupport
import Testing

@Suite("holdfast transcribe", .temporaryFolder)
struct TranscribeTests {
  private let library = LibraryFolder()

  @Test("keeps the words with their times, and leaves nothing else behind")
  func keepsWords() async throws {
    try await library.importingTones(1)
    let fake = try FakeTranscriber(
      "write(sounds[0], whisper((0, 0.5, ' Eins \\u202ezwei'), (0.5, 99, ' drei'), (50, 60, 'x')))")
    let result = try await fake.transcribe(library, "--language", "de")
    #expect(result.status == 0, "\(result.errorOutput)")
    #expect(result.lines.last == "1 transcribed.")
    // What ends after the recording is cut, and what begins after it is left out.
    #expect(
      try await library.segments() == [["0", "500", "Eins zwei"], ["500", "1000", "drei"]])
    #expect(
      try await library.sql("SELECT source, program, model, language FROM transcript") == [
        ["program", "whisper-ctranslate2", "model", "en"]
      ])
    try await library.expectSound()
    // The program, the model and the language are remembered.
    let again = try await Command.run(
      Command.holdfast, library.command(["transcribe"]), environment: FakeTranscriber.environment)
    #expect(again.status == 0 && again.output == "Nothing is left to transcribe.\n")
  }

  @Test("understands whisper.cpp's documents, whose tokens become words")
  func readsWhisperCPP() async throws {
    try await library.importingTones(1)
    let fake = try FakeTranscriber(
      named: "whisper-cli",
      """
      assert sys.argv[sys.argv.index("-l") + 1] == "auto"
      def token(text, start, end, p=0.9):
          return {"text": text, "offsets": {"from": start, "to": end}, "p": p}
      write(sounds[0], json.dumps({"result": {"language": "en"}, "transcription": [
          {"offsets": {"from": 0, "to": 400}, "text": " Lighthouse.", "tokens": [
              token("[_BEG_]", 0, 0), token(" Light", 0, 200), token("house", 200, 300),
              token(".", 300, 400)]},
          {"offsets": {"from": 400, "to": 800}, "text": " Thank you.", "tokens": [
              token(" Thank", 400, 600, 0.2), token(" you.", 600, 800, 0.3)]}]}))
      """)
    let result = try await fake.transcribe(library)
    #expect(result.status == 0, "\(result.errorOutput)")
    #expect(try await library.segments() == [["0", "400", "Lighthouse."]])
    #expect(
      try await library.column("SELECT wordTimes IS NOT NULL FROM transcriptSegment") == ["1"])
  }

  @Test("starts the program once for fifty recordings")
  func startsOnce() async throws {
    try await library.importingTones(51)
    let fake = try FakeTranscriber(
      """
      assert os.environ["HF_HUB_OFFLINE"] == "1"
      for sound in sounds: write(sound, whisper((0, 1, "Word")))
      """)
    let trace = try await Strace.run(
      ["trace=execve,%network"],
      library.command(
        ["transcribe", "--program", fake.program, "--model", fake.model, "--language", "en"]))
    #expect(trace.result.status == 0, "\(trace.result.errorOutput)")
    let starts = trace.calls.filter { $0.hasPrefix("execve(\"\(fake.program)\"") }
    #expect(starts.count == 2)
    let sockets = trace.calls.filter { $0.hasPrefix("socket") }
    #expect(sockets.allSatisfy { $0.contains("AF_UNIX") })
    #expect(try await library.states() == Array(repeating: "words", count: 51))
  }

  @Test("goes on with the others when the program fails on one")
  func goesOn() async throws {
    try await library.importingTones(3)
    let victim = try #require(
      try await library.column("SELECT id FROM recording ORDER BY timestamp, id").first)
    // Like whisper-cli, it stops at the first that fails.
    let fake = try FakeTranscriber(
      """
      for sound in sounds:
          if "\(victim)" in sound:
              sys.stderr.write("no memory for \\x1b[31mthis\\n")
              sys.exit(1)
          write(sound, whisper((0, 1, "Word")))
      """)
    let result = try await fake.transcribe(library)
    #expect(result.status == 3)
    #expect(result.lines.last == "2 transcribed, 1 failed.")
    #expect(result.errorOutput.contains("status 1 (no memory for"))
    #expect(!result.errorOutput.contains("\u{1B}[31m"))
    #expect(try await library.states() == ["words", "words"])
    try await library.expectSound()
  }

  @Test("remembers silence, and skips a recording without sound")
  func remembersSilence() async throws {
    try await library.importing("silent-video.mp4")
    _ = try await Command.output(
      of: "ffmpeg",
      [
        "-v", "error", "-f", "lavfi", "-i", "anullsrc=r=44100:cl=mono", "-t", "1",
        temporary("s.wav"),
      ])
    _ = try await library.holdfast("import", temporary("s.wav"))
    let fake = try FakeTranscriber("sys.exit(9)")
    let result = try await fake.transcribe(library)
    #expect(result.status == 0, "\(result.errorOutput)")
    #expect(result.lines.last == "0 transcribed, 1 without words, 1 skipped.")
    #expect(try await library.states() == ["silent", "silent"])
  }

  @Test("never transcribes what the user forbade, and asks before it replaces the user's words")
  func obeys() async throws {
    try await library.importingTones(1)
    let id = try #require(try await library.column("SELECT id FROM recording").first)
    let fake = try FakeTranscriber("write(sounds[0], whisper((0, 1, 'Machine')))")
    #expect(try await library.holdfast("transcribe", "--never", id).status == 0)
    #expect(try await fake.transcribe(library).output == "Nothing is left to transcribe.\n")
    #expect(try await fake.transcribe(library, "--again").status == 0)
    #expect(try await library.states() == ["never"])
    #expect(try await fake.transcribe(library, id, "--force").output.contains("1 skipped"))
    #expect(try await library.states() == ["never"])
    // A deleted one is made again if the user names it.
    #expect(try await library.holdfast("transcript", "allow", id).status == 0)
    #expect(try await fake.transcribe(library).status == 0)
    #expect(try await library.holdfast("transcript", "delete", id, "--yes").status == 0)
    #expect(try await fake.transcribe(library).output == "Nothing is left to transcribe.\n")
    #expect(try await fake.transcribe(library, id).status == 0)
    #expect(try await library.states() == ["words"])
    try await library.changeCatalog(
      "UPDATE transcript SET source = 'person', modifiedAt = createdAt")
    let kept = try await fake.transcribe(library, id, "--again")
    #expect(kept.lines.last == "0 transcribed, 1 skipped.")
    #expect(try await fake.transcribe(library, id, "--force").status == 1)
    #expect(try await library.column("SELECT source FROM transcript") == ["person"])
    #expect(try await fake.transcribe(library, id, "--force", "--yes").status == 0)
    #expect(try await library.column("SELECT source FROM transcript") == ["program"])
  }

  @Test("says how to get a program and a model, and refuses a model that does not fit")
  func saysHow() async throws {
    let environment = FakeTranscriber.environment.merging(["PATH": "/nowhere"]) { $1 }
    let none = try await Command.run(
      Command.holdfast, library.command(["transcribe"]), environment: environment)
    #expect(none.status == 1 && none.errorLines.count == 2)
    #expect(none.errorOutput.contains("whisper-ctranslate2"))
    let fake = try FakeTranscriber(named: "whisper-cli", "")
    let command = ["transcribe", "--program", fake.program]
    let model = try await Command.run(
      Command.holdfast, library.command(command), environment: environment)
    #expect(model.status == 1 && model.errorLines.count == 2)
    let missing = try await Command.run(
      Command.holdfast, library.command(command + ["--model", "/missing"]), environment: environment
    )
    #expect(missing.status == 1 && missing.errorOutput.contains("the model /missing is missing"))
    let english = temporary("ggml-tiny.en.bin")
    try Data().write(to: URL(filePath: english))
    let guess = try await Command.run(
      Command.holdfast, library.command(command + ["--model", english]), environment: environment)
    #expect(guess.status == 1 && guess.errorOutput.contains("give --language en"))
  }

  @Test(
    "names what a model's folder lacks, before the program would try to download it",
    arguments: ["config.json", "model.bin", "tokenizer.json", "vocabulary.txt"])
  func incompleteModel(_ part: String) async throws {
    try await library.importingTones(1)
    let fake = try FakeTranscriber("sys.exit(100)")
    let damaged = try await fake.transcribe(library)
    #expect(
      damaged.errorOutput.contains("status 100; its model may be damaged, so download it again"))
    try FileManager.default.removeItem(atPath: "\(fake.model)/\(part)")
    let result = try await fake.transcribe(library)
    #expect(result.status == 1)
    #expect(
      result.errorOutput.contains("has no \(part); download it again; name one with --model"),
      "\(result.errorOutput)")
  }

  @Test("refuses a model in the library, which no transcriber may read")
  func modelInLibrary() async throws {
    try await library.importingTones(1)
    let fake = try FakeTranscriber(named: "whisper-cli", "")
    let link = temporary("linked")
    try FileManager.default.createSymbolicLink(
      atPath: link, withDestinationPath: "\(library.path)/catalog.sqlite")
    for path in ["\(library.path)/catalog.sqlite", link] {
      let result = try await Command.run(
        Command.holdfast,
        library.command(
          ["transcribe", "--program", fake.program, "--model", path, "--now"]),
        environment: FakeTranscriber.environment)
      #expect(result.status != 0)
      #expect(
        result.errorOutput.contains("is in the library, which no transcriber may read"),
        "\(result.errorOutput)")
    }
  }
}
