import Foundation
public import HoldfastModel
import HoldfastSupport

/// A transcriber that the user has: `whisper-cli`, `whisper-ctranslate2` or `whisper`.
public struct TranscriberProgram: Hashable, Sendable {
  /// The programs that Holdfast knows how to call.
  public enum Kind: String, CaseIterable, Sendable {
    /// whisper.cpp's program.
    case whisperCPP = "whisper-cli"
    /// The program of faster-whisper's models.
    case ctranslate2 = "whisper-ctranslate2"
    /// OpenAI's program.
    case openAI = "whisper"
  }

  /// How the program is called.
  public let kind: Kind
  /// The program's path.
  public let path: String

  /// Uses the program at `path`, whose name must begin with the name of one that is known.
  ///
  /// - Throws: `HoldfastError` with code `transcriber` for any other.
  public init(path: String) throws(HoldfastError) {
    let name = path.split(separator: "/").last.map(String.init) ?? ""
    guard let kind = Kind.allCases.first(where: { name.hasPrefix($0.rawValue) }) else {
      throw HoldfastError(
        .transcriber,
        "\(name.escapedForDisplay) is not a known transcriber: whisper-cli, whisper-ctranslate2 "
          + "and whisper are known")
    }
    guard FileManager.default.isProgram(atPath: path) else {
      throw HoldfastError(.transcriber, "\(path.escapedForDisplay) is not a program")
    }
    self.kind = kind
    self.path = path
  }

  /// Finds the first known program in a search path such as `/usr/bin:/bin`; `nil` if none is
  /// there.
  public static func find(in searchPath: String) -> TranscriberProgram? {
    let folders = searchPath.split(separator: ":").filter { $0.hasPrefix("/") }
    for kind in Kind.allCases {
      for folder in folders {
        let path = "\(folder)/\(kind.rawValue)"
        if FileManager.default.isProgram(atPath: path), let program = try? Self(path: path) {
          return program
        }
      }
    }
    return nil
  }

  /// Whether its models are folders; otherwise they are files.
  public var usesModelFolders: Bool { kind == .ctranslate2 }

  /// Returns the arguments for one run.
  func arguments(
    for job: TranscriberJob, model: String, language: String?, usesGPU: Bool
  ) -> [String] {
    switch kind {
    case .whisperCPP:
      // Without `-of`, the documents would be written beside the sound.
      ["-m", model, "-l", language ?? "auto", "-tp", "0", "-ojf", "-np", "-sns"]
        + (usesGPU ? [] : ["-ng"])
        + job.files.flatMap { ["-of", "\(job.folder)/\(Self.stem(of: $0))", "-f", $0] }
    case .ctranslate2:
      job.files + ["--model_directory", model, "--compute_type", usesGPU ? "default" : "int8"]
        + common(folder: job.folder, language: language, usesGPU: usesGPU)
    case .openAI:
      job.files + ["--model", model, "--fp16", usesGPU ? "True" : "False"]
        + common(folder: job.folder, language: language, usesGPU: usesGPU)
    }
  }

  private func common(folder: String, language: String?, usesGPU: Bool) -> [String] {
    [
      "--output_dir", folder, "--output_format", "json", "--word_timestamps", "True",
      "--temperature", "0", "--verbose", "False", "--device", usesGPU ? "cuda" : "cpu",
    ] + (language.map { ["--language", $0] } ?? [])
  }

  private static func stem(of path: String) -> String {
    URL(filePath: path).deletingPathExtension().lastPathComponent
  }
}
