import Foundation
import Glibc
import HoldfastTestSupport
import Testing

/// The result of one mutant.
struct MutantOutcome {
  /// The name of its event; `none` if there was none.
  var event = "none"
  /// The options of its import.
  var options: [String]
  /// The name of a worker's end, if a worker crashed: the command's answer is right, but the crash
  /// may still be of interest.
  var crash: String?
  /// Its time and memory.
  var cost = MutantCost()
  /// The faults found.
  var complaints: [String] = []
}

/// The time and memory of an import.
struct MutantCost {
  /// The most memory that one process had at a time, in megabytes.
  var megabytes = 0
  /// The time that it took, in seconds.
  var seconds = 0.0
}

/// Imports mutants into a library in the running test's folder, and judges the results.
struct MutantImport {
  /// Only a hang takes as long: most mutants take a tenth of a second.
  private static let longest = 60
  /// Pictures of up to 40 million pixels are decoded, several at a time.
  private static let mostMegabytes = 1024
  /// The codes of failures caused by a worker's end.
  private static let crashCodes: Set = ["worker", "stalled"]

  let library = LibraryFolder()
  /// The mutant's path, the command's folder, and the folder for temporary files.
  private let (source, work, scratch): (String, String, String)
  private let skeleton: Set<String>

  init() throws {
    (source, work, scratch) = (
      try makeFolder("in"), try makeFolder("work"), try makeFolder("scratch")
    )
    skeleton = [
      ".lock", ".staging", ".trash", "Recordings", "catalog.sqlite", "holdfast.json",
    ]
  }

  /// Imports one mutant.
  func take(_ mutant: MediaMutants.Mutant) async throws -> MutantOutcome {
    var random = mutant.random
    var outcome = MutantOutcome(options: Self.options(&random))
    let path = "\(source)/mutant.\(mutant.fileExtension)"
    let bytes = Data(mutant.bytes)
    try bytes.write(to: URL(filePath: path))
    let arguments = ["import", "--json", "--jobs", "1"] + outcome.options + [path]
    let (result, cost) = try await run(library.command(arguments))
    outcome.cost = cost
    judge(result, of: path, &outcome)
    if cost.megabytes > Self.mostMegabytes {
      outcome.complaints.append("\(cost.megabytes) MB of memory")
    }
    outcome.complaints += leftovers()
    if try Data(contentsOf: URL(filePath: path)) != bytes {
      outcome.complaints.append("the source was changed")
    }
    try FileManager.default.removeItem(atPath: path)
    return outcome
  }

  /// Most mutants are imported as usual; some with each of the other options.
  private static func options(_ random: inout SeededNumbers) -> [String] {
    var options: [String] = []
    switch Int.random(in: 0..<6, using: &random) {
    case 0: options += ["--over-limit", "trim"]
    case 1: options += ["--over-limit", "split"]
    default: break
    }
    switch Int.random(in: 0..<10, using: &random) {
    case 0: options += ["--video", "copy"]
    case 1: options += ["--video", "h264"]
    case 2: options += ["--max-height", "100"]
    default: break
    }
    if Int.random(in: 0..<6, using: &random) == 0 { options.append("--verify-decode") }
    if Int.random(in: 0..<6, using: &random) == 0 { options.append("--keep-metadata") }
    return options
  }

  /// Runs `holdfast` to its end, or until only a hang explains how long it takes.
  ///
  /// - Returns: Its result, time and memory. The memory is that of the largest process that was
  ///   waited for, workers included.
  private func run(_ arguments: [String]) async throws -> (CommandResult, MutantCost) {
    let figures = temporary("figures")
    let holdfast = try Command.holdfast
    let result = try await Command.run(
      "time",
      [
        "--quiet", "-f", "%M %e", "-o", figures, "timeout", "--signal=KILL", "\(Self.longest)",
        holdfast,
      ] + arguments, environment: ["TMPDIR": scratch], workingDirectory: work)
    // The line before reports a kill.
    let words = try String(contentsOfFile: figures, encoding: .utf8).split(
      whereSeparator: \.isWhitespace
    ).suffix(2)
    let kilobytes = try #require(words.first.flatMap { Int($0) }, "\(words)")
    let seconds = try #require(words.last.flatMap { Double($0) }, "\(words)")
    return (result, MutantCost(megabytes: kilobytes / 1024, seconds: seconds))
  }

  private func judge(_ result: CommandResult, of path: String, _ outcome: inout MutantOutcome) {
    guard [0, 3].contains(result.status) else {
      let isKilled = result.status == 128 + SIGKILL
      outcome.complaints.append(
        "status \(result.status)\(isKilled ? ", killed after \(Self.longest) s" : ""): "
          + "\(result.errorOutput.suffix(1000))")
      return
    }
    if !result.errorOutput.isEmpty {
      outcome.complaints.append("wrote to standard error: \(result.errorOutput.suffix(1000))")
    }
    guard let lines = try? result.jsonLines(of: ImportLine.self) else {
      outcome.complaints.append("printed text that is not JSON: \(result.output.suffix(1000))")
      return
    }
    let events = lines.dropLast()
    guard events.count == 1, let event = events.first, event.source == path,
      lines.last?.event == "summary"
    else {
      outcome.complaints.append("\(events.count) events of the one source")
      return
    }
    outcome.event = event.event
    judge(event, status: result.status, &outcome)
  }

  private func judge(_ event: ImportLine, status: Int32, _ outcome: inout MutantOutcome) {
    var sentences = event.warnings ?? []
    switch (event.event, status) {
    case ("imported", 0):
      let durations = (event.recordings ?? []).map(\.duration)
      if durations.isEmpty || !durations.allSatisfy({ $0 > 0 && $0 <= 120.1 }) {
        outcome.complaints.append("imported as recordings of \(durations) s")
      }
    case ("skipped", 0) where event.reason == "duplicate": break
    case ("failed", 3):
      sentences.append(event.error ?? "")
      if let code = event.code, Self.crashCodes.contains(code) { outcome.crash = event.error ?? "" }
      if event.code == nil || event.code == "unexpected" {
        outcome.complaints.append("failed for no known reason: \(event.error ?? "")")
      }
    default: outcome.complaints.append("\(event.event), but status \(status)")
    }
    outcome.complaints += sentences.filter { !Self.isSentence($0) }.map { "no sentence: \($0)" }
  }

  /// Whether a text is one line that a terminal can show.
  private static func isSentence(_ text: String) -> Bool {
    !text.isEmpty && text.count < 500 && !text.contains("Error(") && !text.contains("Optional(")
      && text.unicodeScalars.allSatisfy { scalar in
        ![.control, .format, .lineSeparator, .paragraphSeparator].contains(
          scalar.properties.generalCategory)
      }
  }

  /// Unexpected files.
  private func leftovers() -> [String] {
    let files = FileManager.default
    func names(_ folder: String) -> Set<String> {
      Set((try? files.contentsOfDirectory(atPath: folder)) ?? ["\(folder) cannot be read"])
    }
    let strays = [
      ("the library", names(library.path).symmetricDifference(skeleton)),
      ("staging", names("\(library.path)/.staging")), ("trash", names("\(library.path)/.trash")),
      ("the working folder", names(work)), ("TMPDIR", names(scratch)),
      ("the source's folder", names(source).filter { !$0.hasPrefix("mutant.") }),
    ]
    return strays.filter { !$0.1.isEmpty }.map { "left in \($0.0): \($0.1.sorted())" }
  }
}
