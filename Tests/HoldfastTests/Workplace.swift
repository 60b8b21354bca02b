import Foundation
import Holdfast
import HoldfastCravings
import HoldfastModel
import HoldfastTestSupport
import Synchronization
import Testing

/// A path in the test's own folder.
func temporary(_ name: String) -> String { "\(TemporaryFolder.current)/\(name)" }

/// A source in the test's folder. By default, its content is its name.
func source(_ name: String, content: String? = nil) throws -> String {
  let path = temporary(name)
  try Data((content ?? name).utf8).write(to: URL(filePath: path))
  return path
}

/// The library in the test's folder, made if needed.
func open(_ engine: ScriptedEngine?, for access: Library.Access = .writing) throws -> Library {
  let location = LibraryLocation(path: temporary("library"))
  try Library.create(at: location)
  return try Library.open(
    at: location, for: access, engine: engine, journals: [.cravings])
}

/// The names in a folder of the library, sorted.
func files(_ folder: String) throws -> [String] {
  try FileManager.default.contentsOfDirectory(atPath: temporary("library/\(folder)")).sorted()
}

/// Expects no unfinished work, and no findings of `verify`.
func expectNoTraces() throws {
  #expect(try files(".staging") == [])
  #expect(try files(".trash") == [])
}

/// Imports sources into the library in the test's folder, and collects the results.
func run(
  _ engine: ScriptedEngine, _ names: [String], paths: [String] = [], jobs: Int = 1
) async throws -> Outcomes {
  let library = try open(engine)
  let all = try names.map { try source($0) } + paths
  var outcomes = Outcomes()
  for try await event in try library.importRecordings(all, options: ImportOptions(jobs: jobs)) {
    outcomes.add(event)
  }
  return outcomes
}

/// The results of an import's sources.
struct Outcomes {
  var imported: [Recording] = []
  var duplicates: [RecordingID] = []
  var failed: [String] = []
  var interrupted = 0
  var planned = 0
  var seen = 0
  var repetitions: [String] = []
  var livePhotos: [String] = []
  var fates: [SourceFate] = []

  mutating func add(_ event: ImportEvent) {
    switch event {
    case .discovered, .converting: break
    case .imported(_, let recordings, _, let fate):
      imported += recordings
      fates.append(fate)
    case .skipped(_, .duplicate(let id)): duplicates.append(id)
    case .skipped(_, .dryRun): planned += 1
    case .skipped(_, .repetition(let first)): repetitions.append(first.name)
    case .skipped(_, .seen), .skipped(_, .proxy), .skipped(_, .unfinished): seen += 1
    case .skipped(_, .livePhoto(let photo)): livePhotos.append(photo)
    case .failed(_, let failure): failed.append(failure.description)
    case .interrupted: interrupted += 1
    }
  }
}

/// A number that several threads count up.
final class Counter: Sendable {
  private let value = Mutex(0)

  /// The next number, from 1.
  func next() -> Int {
    value.withLock {
      $0 += 1
      return $0
    }
  }
}
