// README.md shows what follows, line by line; DocumentationTests compares the two and runs it.

import Holdfast
import HoldfastModel
import HoldfastWorkerPool

func importFromPhone(_ folder: String, into path: String) async throws {
  let location = LibraryLocation(path: path)
  try Library.create(at: location)
  let library = try Library.open(
    at: location, for: .writing, engine: WorkerPool(try WorkerProgram.find()))
  for try await event in try library.importRecordings([folder]) {
    if case .imported(let item, let recordings, _, _) = event { print(item.name, recordings.count) }
  }
}
