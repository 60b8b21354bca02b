import Foundation
import HoldfastTestSupport
import Testing

@Suite("Colours of an intensity", .temporaryFolder)
struct IntensityColorTests {
  let library = LibraryFolder()

  /// A command's output on a terminal.
  private func onTerminal(
    _ arguments: [String], _ environment: [String: String] = [:]
  ) async throws -> String {
    let command = library.command(arguments).map { "'\($0)'" }.joined(separator: " ")
    return try await Command.output(
      of: "script",
      ["-qec", "stty columns 120; \(try Command.holdfast) \(command)", "/dev/null"],
      environment: ["TERM": "xterm", "NO_COLOR": ""].merging(environment) { $1 }
    ).output
  }

  /// An intensity in its colour.
  private func colored(_ intensity: Int) -> String {
    switch intensity {
    case 1, 2, 3: "\u{1B}[32m\(intensity), Mild (manageable)\u{1B}[0m"
    case 4, 5, 6: "\u{1B}[33m\(intensity), Moderate (uncomfortable)\u{1B}[0m"
    case 7, 8, 9: "\u{1B}[38;5;208m\(intensity), Strong (urgent)\u{1B}[0m"
    default: "\u{1B}[31m\(intensity), Overwhelming (crisis)\u{1B}[0m"
    }
  }

  @Test("Green, yellow, orange and red show four categories, each with its words")
  func four() async throws {
    for intensity in 1...10 {
      let logged = try await onTerminal(
        ["craving", "log", "--intensity", "\(intensity)", "--trigger", "Sad"])
      #expect(logged.contains("  intensity \(colored(intensity)); Sad"))
    }
    let list = try await onTerminal(["craving", "list"])
    let ids = try await library.column("SELECT id FROM craving ORDER BY intensity")
    for (intensity, id) in zip(1...10, ids) {
      #expect(list.contains("  \(colored(intensity))  "))
      let shown = try await onTerminal(["craving", "show", id])
      #expect(shown.contains("intensity   \(colored(intensity))\r\n"))
    }
    // Colours do not shift columns.
    let plain = list.replacing(#/\u{1B}\[[0-9;]*m/#, with: "")
    let rows = plain.split(whereSeparator: \.isNewline).prefix(11)
    let column = try #require(rows.first?.firstRange(of: "TRIGGERS")?.lowerBound)
    let cells = try #require(
      rows.first?.distance(from: rows.first?.startIndex ?? column, to: column))
    #expect(rows.dropFirst().allSatisfy { $0.dropFirst(cells).hasPrefix("Sad") })
  }

  @Test("Where colours are not wanted, they are left out, and the words stay")
  func none() async throws {
    let id = try await library.record("craving", "log", "--intensity", "8").id
    for command in [
      ["craving", "log", "--intensity", "8"], ["craving", "list"], ["craving", "show", id],
    ] {
      for (arguments, environment) in [
        (command + ["--no-color"], [:]), (command, ["NO_COLOR": "1"]), (command, ["NO_COLOR": "0"]),
        (command, ["TERM": "dumb"]),
      ] {
        let output = try await onTerminal(arguments, environment)
        #expect(output.contains("8, Strong (urgent)"), "\(arguments) \(environment)")
        #expect(!output.contains("\u{1B}"), "\(arguments) \(environment)")
      }
      let piped = try await Command.output(
        of: Command.holdfast, library.command(command),
        environment: ["TERM": "xterm", "NO_COLOR": ""]
      ).output
      #expect(piped.contains("8, Strong (urgent)") && !piped.contains("\u{1B}"))
      #expect(try await !onTerminal(command + ["--json"]).contains("\u{1B}"))
    }
  }
}
