import ArgumentParser
import Foundation
import Holdfast
import HoldfastConsole
import HoldfastWorkerPool

/// Which transcriber runs, and how.
struct TranscriberOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      """
      The transcriber: whisper-cli, whisper-ctranslate2 or whisper (default: the last one, or the \
      first in $PATH).
      """, valueName: "file"),
    completion: .file())
  var program: String?

  @Option(
    help: ArgumentHelp(
      "The transcriber's model: a folder for whisper-ctranslate2, else a file (default: the last "
        + "one).",
      valueName: "file-or-folder"),
    completion: .file())
  var model: String?

  @Option(
    help: ArgumentHelp(
      "The language that is spoken, such as en; auto lets the transcriber guess (default: the last "
        + "one, or auto).",
      valueName: "code"))
  var language: String?

  @Flag(help: "Use the processor at once, not only when the computer has nothing else to do.")
  var now = false

  @Flag(help: "Use the graphics processor, whose driver is a weaker barrier.")
  var gpu = false

  @Option(
    help: ArgumentHelp(
      "The most memory that the transcriber may use, in megabytes.", valueName: "megabytes"))
  var memory = 4096

  @Option(
    help: ArgumentHelp(
      "Let the transcriber read another file or folder that it needs.", valueName: "path"),
    completion: .file())
  var allowRead: [String] = []

  func validate() throws {
    guard (64...1_048_576).contains(memory) else {
      throw ValidationError("--memory must be from 64 to 1048576.")
    }
    if let language, language != "auto", SpokenWords.languageTag(language) == nil {
      throw ValidationError(
        "--language \(language.escapedForDisplay) is not a language; write it like en or de.")
    }
  }

  /// Returns the transcriber, and remembers it for the next time.
  func transcriber() throws -> SandboxedTranscriber {
    let environment = ProcessInfo.processInfo.environment
    var settings = TranscriberSettings.read(environment)
    let before = settings
    settings.model = model.map(Self.absolute) ?? settings.model
    settings.language = language ?? settings.language ?? "auto"
    // One that was removed since counts as none. A nightly run may have another PATH.
    let found =
      try program.map { try TranscriberProgram(path: Self.absolute($0)) }
      ?? settings.program.flatMap { try? TranscriberProgram(path: $0) }
      ?? TranscriberProgram.find(in: environment["PATH"] ?? "")
    guard let found else {
      throw CommandFailure(
        "no transcriber is in your PATH: name yours with --program, or get one with pipx install "
          + "whisper-ctranslate2\nthen name its model, which you download once: holdfast "
          + "transcribe --model FILE-OR-FOLDER")
    }
    guard let model = settings.model else {
      let form = found.usesModelFolders ? "folder" : "file"
      throw CommandFailure(
        "\(found.kind.rawValue) needs a model, a \(form) that you download once: see "
          + "docs/transcripts.md\nthen name it: holdfast transcribe --model \(form.uppercased())")
    }
    settings.program = found.path
    var options = SandboxedTranscriber.Options()
    options.language = settings.language == "auto" ? nil : settings.language
    options.readable = allowRead.map(Self.absolute)
    options.memory = UInt64(memory) << 20
    options.isIdle = !now
    options.usesGPU = gpu
    let transcriber = try SandboxedTranscriber(
      found, model: model, options: options, worker: .find())
    if settings != before { try settings.write(environment) }
    return transcriber
  }

  /// Returns the transcriber that was last used.
  static func remembered() throws -> SandboxedTranscriber { try parse([]).transcriber() }

  private static func absolute(_ path: String) -> String {
    guard !path.hasPrefix("/") else { return path }
    return "\(FileManager.default.currentDirectoryPath)/\(path)"
  }
}
