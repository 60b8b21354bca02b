// The article "Verify" shows what follows; ArticleTests compares the two and runs it.

import Holdfast
import HoldfastWorkerPool

/// Reads every byte of the recordings, and returns what is wrong with the library.
func findings(at location: LibraryLocation) async throws -> [VerifyFinding] {
  let library = try Library.open(at: location, for: .reading)
  var options = VerifyOptions()
  options.isDeep = true
  var findings: [VerifyFinding] = []
  for try await event in try library.verify(options: options) {
    switch event {
    case .planned(let count): print("\(count) recordings to read")
    case .progress: break
    case .found(let finding): findings.append(finding)
    case .finished(let summary): print("\(summary.read) of \(summary.recordings) recordings read")
    }
  }
  return findings
}

/// Repairs a library with the files of a backup, and returns whether nothing is wrong any more.
func repair(_ location: LibraryLocation, from backup: String) async throws -> Bool {
  let engine = WorkerPool(try WorkerProgram.find())
  let library = try Library.open(at: location, for: .writing, engine: engine)
  var options = VerifyOptions()
  options.repairs = true
  options.backups = [backup]
  var isSound = true
  for try await event in try library.verify(options: options) {
    guard case .found(let finding) = event else { continue }
    print("\(finding.path): \(finding.detail); \(finding.repair.words ?? "needs you")")
    if !finding.repair.isDone { isSound = false }
  }
  return isSound
}

/// Reads recordings for ten minutes at most, the least recently read first.
func verifyALittle(_ library: Library) async throws -> VerifySummary? {
  var options = VerifyOptions()
  options.isDeep = true
  options.olderThan = 30 * 86_400
  options.longest = 600
  var result: VerifySummary?
  for try await event in try library.verify(options: options) {
    if case .found(let finding) = event { print("\(finding.path): \(finding.detail)") }
    if case .finished(let summary) = event { result = summary }
  }
  return result
}
