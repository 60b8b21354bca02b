import Foundation
public import HoldfastModel
import HoldfastSupport
import HoldfastWire

/// A transcriber that the user has, run without a network and without any files but its own, its
/// model and the sound.
public struct SandboxedTranscriber: Transcriber {
  /// How the program is run.
  public struct Options: Hashable, Sendable {
    /// The language as a tag such as `en`; `nil` if the program is to guess it.
    public var language: String?
    /// Further files and folders that the program may read.
    public var readable: [String] = []
    /// The most memory, in bytes. It does not apply with a graphics processor.
    public var memory: UInt64 = 4 << 30
    /// Whether it runs only when the machine has nothing else to do.
    public var isIdle = true
    /// Whether it may use the graphics processor. Its driver is a weaker barrier.
    public var usesGPU = false

    /// Makes the default options.
    public init() {}
  }

  /// The seconds that are allowed for loading the model, and for each second of sound.
  private static let loading = 60.0
  private static let timesLength = 10.0
  private static let longestLine = 200

  private let worker: WorkerProgram
  private let program: TranscriberProgram
  private let modelPath: String
  private let options: Options

  /// Makes a transcriber.
  ///
  /// - Parameters:
  ///   - program: The program.
  ///   - model: The path of its model, a file or a folder.
  ///   - options: How it is run.
  ///   - worker: The program that sandboxes it.
  /// - Throws: `HoldfastError` with code `transcriber` if the model does not fit the program or the
  ///   language.
  public init(
    _ program: TranscriberProgram, model: String, options: Options = Options(),
    worker: WorkerProgram
  ) throws(HoldfastError) {
    var isFolder = ObjCBool(false)
    guard unsafe FileManager.default.fileExists(atPath: model, isDirectory: &isFolder) else {
      throw HoldfastError(
        .transcriber, "the model \(model.escapedForDisplay) is missing",
        operation: "choose a model")
    }
    let form = program.usesModelFolders ? "folder" : "file"
    guard isFolder.boolValue == program.usesModelFolders else {
      throw HoldfastError(
        .transcriber,
        "the model of \(program.kind.rawValue) is a \(form), and "
          + "\(model.escapedForDisplay) is not one", operation: "choose a model")
    }
    if isFolder.boolValue, let part = Self.missingPart(of: model) {
      throw HoldfastError(
        .transcriber, "the model \(model.escapedForDisplay) has no \(part); download it again",
        operation: "choose a model")
    }
    let file = ReadableFolders.real(model)
    guard isFolder.boolValue || ReadableFolders.isFile(file) else {
      throw HoldfastError(
        .transcriber, "the model \(model.escapedForDisplay) is not a regular file",
        operation: "choose a model")
    }
    let name = URL(filePath: model).lastPathComponent
    // A hub's folder of a model holds a folder for each version.
    let parts = (model + "/" + file).split(separator: "/").suffix(3) + [Substring(name)]
    let isEnglish = parts.contains { $0.split { ".-_".contains($0) }.contains("en") }
    if isEnglish, options.language != "en" {
      throw HoldfastError(
        .transcriber, "the model \(name.escapedForDisplay) understands English alone",
        operation: "choose a language")
    }
    self.worker = worker
    self.program = program
    modelPath = model
    self.options = options
  }

  /// Returns the name of a file that a model's folder lacks; `nil` for none. The program would
  /// download it, or fail without a reason.
  private static func missingPart(of model: String) -> String? {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: model)) ?? []
    if let missing = ["config.json", "model.bin", "tokenizer.json"].first(where: { part in
      !names.contains(part)
    }) {
      return missing
    }
    return names.contains { $0.hasPrefix("vocabulary.") } ? nil : "vocabulary.txt"
  }

  /// The program's name without its path.
  public var name: String { URL(filePath: program.path).lastPathComponent }
  /// The model's name without its path.
  public var model: String? { URL(filePath: modelPath).lastPathComponent }

  /// Tries the barriers without a program.
  ///
  /// - Throws: `HoldfastError` with code `transcriber` if one does not stand.
  public static func tryBarriers(with worker: WorkerProgram) async throws {
    _ = try await run(ConfinedProgram(), worker)
  }

  /// Runs the program once, and waits until all its processes have ended.
  public func run(_ job: TranscriberJob) async throws -> String? {
    var confined = ConfinedProgram()
    let home = ReadableFolders.real(
      ProcessInfo.processInfo.environment["HOME"] ?? NSHomeDirectory())
    // The job's folder is in the library's staging.
    var folders = ReadableFolders(home: home, hidden: job.folder)
    folders.add(program: program.path)
    for path in [modelPath] + options.readable {
      guard !ReadableFolders.holds(ReadableFolders.real(path), ReadableFolders.real(job.folder))
      else {
        throw HoldfastError(
          .transcriber, "\(path.escapedForDisplay) holds the library, which no transcriber may read"
        )
      }
      guard !isInLibrary(path, ofJobIn: job.folder) else {
        throw HoldfastError(
          .transcriber,
          "\(path.escapedForDisplay) is in the library, which no transcriber may read")
      }
    }
    guard !folders.holdsHome(modelPath) else {
      throw HoldfastError(
        .transcriber,
        "\(modelPath.escapedForDisplay) holds your home folder, which no transcriber may read; put "
          + "the model into a folder of its own")
    }
    folders.add(model: modelPath)
    for path in options.readable { folders.add(file: path) }
    for file in job.files { folders.add(file: file) }
    confined.arguments =
      [program.path]
      + program.arguments(
        for: job, model: modelPath, language: options.language, usesGPU: options.usesGPU)
    confined.environment = environment(job.folder) + folders.environment
    confined.readable = folders.paths
    confined.folder = job.folder
    confined.seconds = Self.loading + Self.timesLength * job.seconds
    confined.memory = options.usesGPU ? nil : options.memory
    confined.isIdle = options.isIdle
    confined.usesGPU = options.usesGPU
    return try await Self.run(confined, worker)
  }

  /// Whether a file or folder is in the library that has a job's folder in its staging.
  private func isInLibrary(_ path: String, ofJobIn folder: String) -> Bool {
    let folder = ReadableFolders.real(folder)
    guard let staging = folder.range(of: "/.staging/", options: .backwards) else { return false }
    let library = String(folder[..<staging.lowerBound])
    return ReadableFolders.holds(library, ReadableFolders.real(path))
  }

  private func environment(_ folder: String) -> [String] {
    let programs = URL(filePath: program.path).deletingLastPathComponent()
    return [
      "PATH=\(programs.path(percentEncoded: false)):/usr/local/bin:/usr/bin:/bin",
      "HOME=\(folder)", "TMPDIR=\(folder)", "XDG_CACHE_HOME=\(folder)", "LANG=C.UTF-8",
      "LC_ALL=C.UTF-8", "PYTHONDONTWRITEBYTECODE=1", "HF_HUB_OFFLINE=1", "TRANSFORMERS_OFFLINE=1",
      "HF_HUB_DISABLE_TELEMETRY=1",
    ]
  }

  private static func run(
    _ program: ConfinedProgram, _ worker: WorkerProgram
  ) async throws -> String? {
    let (channel, process) = try start(worker)
    let reply = try await withTaskCancellationHandler {
      try await onOwnThread { _ in
        defer { _ = process.end() }
        try channel.send(WireCoding.encode(program))
        return try channel.receive().map {
          try WireCoding.decode(ConfinedReply.self, from: $0.content)
        }
      }
    } onCancel: {
      // The program ends, and all its processes, when the other side sees this.
      channel.close()
    }
    try Task.checkCancellation()
    switch reply {
    case .ended(status: 0, _, _): return nil
    case .ended(let status?, _, let line):
      let hint = line.nonBlank == nil ? "; its model may be damaged, so download it again" : ""
      return "it ended with status \(status)\(words(line))\(hint)"
    case .ended(_, let signal, let line):
      return "it was ended by signal \(signal ?? 0)\(words(line))"
    case .overdue(let line):
      return "it took more than \(Int(program.seconds)) s\(words(line))"
    case .refused(let reason):
      throw HoldfastError(
        .transcriber, "the transcriber was not run: \(reason.escapedForDisplay)")
    case nil:
      throw HoldfastError(
        .transcriber, "the process that sandboxes the transcriber has ended")
    }
  }

  private static func start(
    _ worker: WorkerProgram
  ) throws(HoldfastError) -> (FrameChannel, ChildProcess) {
    do throws(WireError) {
      let (channel, otherEnd) = try FrameChannel.pair()
      let process = try ChildProcess(
        worker.path,
        environment: [
          ConfinedProgram.variable: "1", "LC_ALL": "C", "SWIFT_BACKTRACE": "enable=no",
        ],
        standardInput: OwnDescriptor(owning: otherEnd),
        // It first ends the program's processes. They have the lowest priority, also for their end.
        endTimeout: 60)
      return (channel, process)
    } catch {
      throw HoldfastError(.transcriber, "the transcriber was not run: \(error)")
    }
  }

  /// The program's last words, as a part of a sentence.
  private static func words(_ line: String) -> String {
    line.nonBlank.map { " (\($0.cut(to: longestLine).escapedForDisplay))" } ?? ""
  }
}
