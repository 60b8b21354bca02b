// The article "Import a folder" shows what follows; ArticleTests compares the two and runs it.

import Holdfast
import HoldfastModel
import HoldfastWorkerPool

/// Opens the library in a folder, and makes it first if there is none.
func openLibrary(at location: LibraryLocation) throws -> Library {
  try Library.create(at: location)
  let engine = WorkerPool(try WorkerProgram.find())
  return try Library.open(at: location, for: .writing, engine: engine)
}

/// Imports everything in a folder, and returns the new recordings.
func importFolder(_ folder: String, into library: Library) async throws -> [Recording] {
  var made: [Recording] = []
  for try await event in try library.importRecordings([folder]) {
    switch event {
    case .discovered, .converting: break
    case .imported(let item, let recordings, let warnings, _):
      made += recordings
      print("\(item.name): imported")
      for warning in warnings { print("  \(warning)") }
    case .skipped(let item, .duplicate(let id)): print("\(item.name): already there as \(id)")
    case .skipped(let item, _): print("\(item.name): skipped")
    case .failed(let item, let error): print("\(item.name): \(error)")
    case .interrupted(let item): print("\(item.name): not imported")
    }
  }
  return made
}

/// Returns how many recordings an import of a folder would make.
func recordingsToExpect(of folder: String, at location: LibraryLocation) async throws -> Int {
  let engine = WorkerPool(try WorkerProgram.find())
  let library = try Library.open(at: location, for: .planning, engine: engine)
  let options = ImportOptions(
    purpose: .milestone, conversion: ConversionOptions(overLimit: .split), isDryRun: true)
  var count = 0
  for try await event in try library.importRecordings([folder], options: options) {
    if case .skipped(_, .dryRun(let plans)) = event { count += plans.count }
  }
  return count
}
