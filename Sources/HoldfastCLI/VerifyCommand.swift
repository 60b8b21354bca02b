internal import ArgumentParser
internal import Foundation
internal import Holdfast
internal import HoldfastModel

/// `holdfast verify`
struct VerifyCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "verify",
    abstract: "Compare the library's files with its catalog.",
    discussion: """
      Every recording has its file, of the right size, and its thumbnail if it is a video; every \
      file belongs to a recording; nothing is left of interrupted work; the catalog is sound. \
      Nothing is changed. Exit status 4 if anything is found.
      """)

  @OptionGroup var common: CommonOptions

  func run() throws {
    let console = common.console
    let library = try common.openLibrary(for: .reading)
    var counts: [String: Int] = [:]
    let recordings = try library.verify { finding in
      counts[finding.kind.rawValue, default: 0] += 1
      if console.isJSON { return try console.json(finding) }
      let recording = finding.recording.map { " (recording \($0.uuidString.prefix(8)))" } ?? ""
      console.result(
        "\(console.colored(finding.kind.rawValue, .red)): \(finding.path)\(recording): "
          + finding.detail)
    }
    if !console.isJSON {
      let noun = recordings == 1 ? "recording" : "recordings"
      let kinds = counts.sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)" }
      let findings = kinds.isEmpty ? "nothing found" : kinds.joined(separator: ", ")
      console.note("\(recordings) \(noun) checked: \(findings).")
    }
    if !counts.isEmpty { throw ExitCode.found }
  }
}
