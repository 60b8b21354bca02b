import Foundation
import Holdfast
import HoldfastCravings
import HoldfastModel
import HoldfastWorkerPool

/// A small program on Holdfast's library: it keeps recordings, and notes which of them helped.
@main
struct Keepsake {
  static let usage = """
    keepsake import FOLDER        imports the recordings in a folder
    keepsake list                 lists the recordings, newest first
    keepsake play ID              prints the path of a recording's file, and counts a play
    keepsake helped ID INTENSITY  logs a craving that a recording helped with

    The library is in $KEEPSAKE_LIBRARY.
    """

  static func main() async {
    do {
      try await run(Array(CommandLine.arguments.dropFirst()))
    } catch {
      FileHandle.standardError.write(Data("keepsake: \(error)\n".utf8))
      exit(1)
    }
  }

  static func run(_ words: [String]) async throws {
    guard let path = ProcessInfo.processInfo.environment["KEEPSAKE_LIBRARY"] else {
      return print(usage)
    }
    let location = LibraryLocation(path: path)
    switch (words.first, words.count) {
    case ("import", 2): try await importFolder(words[1], into: location)
    case ("list", 1): try list(location)
    case ("play", 2): try play(words[1], in: location)
    case ("helped", 3): try helped(words[1], Int(words[2]) ?? 0, in: location)
    default: print(usage)
    }
  }

  static func importFolder(_ folder: String, into location: LibraryLocation) async throws {
    try Library.create(at: location)  // leaves a library that exists as it is
    let engine = WorkerPool(try WorkerProgram.find())
    let library = try Library.open(at: location, for: .writing, engine: engine)
    for try await event in try library.importRecordings([folder]) {
      switch event {
      case .discovered, .converting: break
      case .imported(let item, let recordings, let warnings, _):
        for recording in recordings { print("imported \(item.name) as \(line(for: recording))") }
        for warning in warnings { print("  \(warning)") }
      case .skipped(let item, .duplicate): print("already have \(item.name)")
      case .skipped(let item, _): print("skipped \(item.name)")
      case .failed(let item, let error): print("refused \(item.name): \(error)")
      case .interrupted(let item): print("stopped at \(item.name)")
      }
    }
  }

  static func list(_ location: LibraryLocation) throws {
    let library = try Library.open(at: location, for: .reading, journals: [.cravings])
    for recording in try library.recordings(matching: RecordingQuery()) {
      let helped = try library.cravings(matching: CravingQuery(recording: recording.id)).count
      print("\(line(for: recording)), played \(recording.playCount), helped \(helped)")
    }
  }

  static func play(_ id: String, in location: LibraryLocation) throws {
    let library = try Library.open(at: location, for: .writing)
    let recording = try library.recording(idPrefix: id)
    print(try library.file(of: recording))
    _ = try library.countPlay(id: recording.id)
  }

  static func helped(_ id: String, _ intensity: Int, in location: LibraryLocation) throws {
    let library = try Library.open(at: location, for: .writing, journals: [.cravings])
    let recording = try library.recording(idPrefix: id)
    let now = Date()
    let craving = Craving(
      timestamp: now, intensity: try Intensity(intensity), recordingID: recording.id,
      createdAt: now)
    try library.add(craving)
    print("\(craving.intensity.category.label), helped by \(recording.displayTitle)")
  }

  static func line(for recording: Recording) -> String {
    let id = recording.id.uuidString.prefix(8)
    return "\(id) \(recording.displayTitle), \(recording.duration.clockDuration)"
  }
}
