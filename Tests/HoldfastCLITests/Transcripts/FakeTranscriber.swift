import Foundation
import HoldfastTestSupport
import Testing

/// A small program in the place of a transcriber, and the settings of a user who has only that.
struct FakeTranscriber {
  private static let beginning = """
    #!/usr/bin/env python3
    import json, os, socket, subprocess, sys, time, wave
    folder = os.environ["HOME"]
    sounds = [word for word in sys.argv[1:] if word.endswith(".wav")]
    def seconds(sound):
        with wave.open(sound) as file: return file.getnframes() / file.getframerate()
    def path(sound): return folder + "/" + os.path.basename(sound)[:-4] + ".json"
    def write(sound, text):
        with open(path(sound), "w") as file: file.write(text)
    def whisper(*segments, language="en"):
        return json.dumps({"language": language, "segments": [
            {"start": start, "end": end, "text": text, "avg_logprob": -0.2, "no_speech_prob": 0.01}
            for start, end, text in segments]})

    """

  let program: String
  let model: String

  /// Writes the program.
  ///
  /// - Parameters:
  ///   - name: Its name, which says how it is called.
  ///   - body: What it does, in Python. It finds the files in `sounds`, and writes each document
  ///     with `write(sound, text)`.
  init(named name: String = "whisper-ctranslate2", _ body: String) throws {
    let tools = temporary("tools")
    program = "\(tools)/\(name)"
    model = "\(tools)/model"
    try FileManager.default.createDirectory(
      atPath: name == "whisper-ctranslate2" ? model : tools, withIntermediateDirectories: true)
    let parts =
      name == "whisper-ctranslate2"
      ? ["/config.json", "/model.bin", "/tokenizer.json", "/vocabulary.txt"] : [""]
    for part in parts { try Data().write(to: URL(filePath: model + part)) }
    try Data((Self.beginning + body + "\n").utf8).write(to: URL(filePath: program))
    #expect(chmod(program, 0o755) == 0)
  }

  static var environment: [String: String] { ["XDG_CONFIG_HOME": temporary("config")] }

  /// Runs `holdfast transcribe` with this program.
  func transcribe(_ library: LibraryFolder, _ options: String...) async throws -> CommandResult {
    try await Command.run(
      Command.holdfast,
      library.command(
        ["transcribe", "--program", program, "--model", model, "--now"] + options),
      environment: Self.environment)
  }
}

extension LibraryFolder {
  /// The words of all recordings with their times, in order.
  func segments() async throws -> [[String]] {
    try await sql(
      """
      SELECT startTime, endTime, text FROM transcriptSegment
      ORDER BY transcriptId, position
      """)
  }

  /// What is known of the recordings' words.
  func states() async throws -> [String] {
    try await column("SELECT state FROM transcript ORDER BY state")
  }

  /// Imports tones of different heights, each of one second.
  func importingTones(_ count: Int) async throws {
    let folder = temporary("tones")
    _ = try await Command.output(
      of: "python3",
      [
        "-c",
        """
        import math, os, struct, sys, wave
        os.makedirs(sys.argv[1])
        for number in range(int(sys.argv[2])):
            with wave.open(f"{sys.argv[1]}/{number:03}.wav", "wb") as file:
                file.setparams((1, 2, 16000, 0, "NONE", ""))
                file.writeframes(b"".join(struct.pack("<h", int(9000 * math.sin(
                    place * (200 + 10 * number) / 2546))) for place in range(16000)))
        """, folder, "\(count)",
      ])
    let result = try await holdfast("import", folder)
    try #require(result.status == 0, "\(result.errorOutput)")
  }
}
