import ArgumentParser
import Foundation
import Holdfast
import HoldfastConsole

extension DoctorCommand {
  /// `holdfast doctor --privacy`
  func checkPrivacy() async throws {
    let console = common.console
    var counts: [String: Int] = [:]
    let recordings = try await engine.withEngine { engine in
      let library = try common.openLibrary(for: .reading, engine: engine)
      return try await library.checkPrivacy(environment: ProcessInfo.processInfo.environment) {
        finding in
        if !finding.isNote { counts[finding.kind.rawValue, default: 0] += 1 }
        try console.privacy(finding.explained)
      }
    }
    if !console.isJSON {
      let kinds = counts.sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)" }
      let findings = kinds.isEmpty ? "nothing found" : kinds.joined(separator: ", ")
      console.note("\(recordings.counted("recording")) checked: \(findings).")
    }
    if !counts.isEmpty { throw ExitCode.found }
  }
}

extension Console {
  /// Prints a finding, or a note about what the user asked for.
  fileprivate func privacy(_ finding: VerifyFinding) throws {
    if isJSON { return try json(finding) }
    let recording = finding.recording.map { " (recording \($0.short))" } ?? ""
    let kind = colored(finding.kind.rawValue, finding.isNote ? .green : .red)
    result("\(kind): \(finding.path)\(recording): \(finding.detail)")
  }
}
