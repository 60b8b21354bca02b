// The article "Verify" shows what follows; ArticleTests compares the two and runs it.

import Holdfast
import HoldfastWorkerPool

/// Reads every byte of the recordings, and returns what is wrong with the library.
func findings(at location: LibraryLocation) async throws -> [VerifyFinding] {
  let library = try Library.open(at: location, for: .reading)
  var options = VerifyOptions()
  options.isDeep = true
  var findings: [VerifyFinding] = []
  let summary = try await library.verify(options) { finding in
    print("\(finding.path): \(finding.detail)")
    findings.append(finding)
  }
  print("\(summary.read) of \(summary.recordings) recordings read")
  return findings
}

/// Repairs a library with the files of a backup, and returns whether nothing is wrong any more.
func repair(_ location: LibraryLocation, from backup: String) async throws -> Bool {
  let engine = WorkerPool(try WorkerProgram.find())
  let library = try Library.open(at: location, for: .writing, engine: engine)
  var options = VerifyOptions()
  options.repairs = true
  options.backups = [backup]
  let summary = try await library.verify(options) { finding in
    print("\(finding.path): \(finding.detail); \(finding.repair ?? "needs you")")
  }
  return summary.repaired == summary.findings
}

/// Reads recordings for ten minutes at most, those first that nobody read for longest.
func verifyALittle(_ library: Library) async throws -> VerifySummary {
  var options = VerifyOptions()
  options.isDeep = true
  options.olderThan = 30 * 86_400
  options.longest = 600
  return try await library.verify(options) { print("\($0.path): \($0.detail)") }
}
