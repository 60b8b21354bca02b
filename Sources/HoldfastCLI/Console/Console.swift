internal import Foundation
internal import Glibc
internal import HoldfastModel
internal import Synchronization

/// Where a command prints: results to standard output, everything else to standard error.
struct Console: Sendable {
  /// A colour in which a word stands out on a terminal.
  enum Color: String, Sendable {
    case green = "32"
    case yellow = "33"
    case red = "31"
  }

  let isQuiet: Bool
  let isJSON: Bool
  /// Whether standard error is a terminal, on which lines can be drawn again.
  let hasTerminal: Bool
  private let colors: Bool

  /// Whether it is shown how far long work is.
  var drawsProgress: Bool { hasTerminal && !isQuiet && !isJSON }

  init(isQuiet: Bool, isJSON: Bool, mayColor: Bool) {
    let environment = ProcessInfo.processInfo.environment
    self.isQuiet = isQuiet
    self.isJSON = isJSON
    hasTerminal = isatty(STDERR_FILENO) == 1 && environment["TERM"] != "dumb"
    // no-color.org: any value but the empty one.
    colors =
      mayColor && isatty(STDOUT_FILENO) == 1 && isatty(STDERR_FILENO) == 1
      && environment["TERM"] != "dumb" && (environment["NO_COLOR"] ?? "").isEmpty
  }

  /// Prints a result.
  func result(_ line: String) { Self.write(line + "\n", to: .standardOutput) }

  /// Prints a table as a result: on a terminal each row in one line, and whole to everything else.
  func result(_ table: TextTable) {
    let width = isatty(STDOUT_FILENO) == 1 ? TerminalSize(of: STDOUT_FILENO).columns : nil
    result(table.lines(fitting: width).joined(separator: "\n"))
  }

  /// Prints an error.
  func error(_ line: String) { Self.write(line + "\n", to: .standardError) }

  /// Prints something worth knowing, unless the person asked for quiet.
  func note(_ line: String) {
    if !isQuiet { error(line) }
  }

  /// Prints something worth knowing from any thread, above the progress that is drawn.
  func noteAboveProgress(_ line: String) {
    guard !isQuiet else { return }
    if let area = ProgressArea.current { area.print { error(line) } } else { error(line) }
  }

  /// Writes what a terminal acts upon, as it is; call it on a terminal only.
  func draw(_ text: String) { Self.write(text, to: .standardError) }

  /// Prints a value as one line of JSON.
  func json(_ value: some Encodable) throws {
    result(String(decoding: try JSONFormat.data(value), as: UTF8.self))
  }

  /// A word in a colour, where there are colours.
  func colored(_ word: String, _ color: Color) -> String {
    colors ? "\u{1B}[\(color.rawValue)m\(word)\u{1B}[0m" : word
  }

  /// What cannot be printed, since whoever read it has gone, is not: the work goes on.
  private static func write(_ text: String, to file: FileHandle) {
    lock.withLock { _ in try? file.write(contentsOf: Data(text.utf8)) }
  }

  private static let lock = Mutex(())
}
