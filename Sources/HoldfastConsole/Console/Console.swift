import Foundation
import Glibc
import HoldfastModel
import Synchronization

/// The output of a command: results go to standard output, everything else to standard error.
package struct Console: Sendable {
  package enum Color: String, Sendable {
    case green = "32"
    case yellow = "33"
    /// The sixteen colours have no orange; this one is of the 256.
    case orange = "38;5;208"
    case red = "31"
    case bold = "1"
  }

  package let isQuiet: Bool
  package let isJSON: Bool
  /// Whether standard error is a terminal, on which lines can be redrawn.
  package let hasTerminal: Bool
  private let colors: Bool

  package var drawsProgress: Bool { hasTerminal && !isQuiet && !isJSON }

  package init(isQuiet: Bool, isJSON: Bool, mayColor: Bool) {
    let environment = ProcessInfo.processInfo.environment
    self.isQuiet = isQuiet
    self.isJSON = isJSON
    hasTerminal = isatty(STDERR_FILENO) == 1 && environment["TERM"] != "dumb"
    // According to no-color.org, any value except the empty one turns colours off.
    colors =
      mayColor && isatty(STDOUT_FILENO) == 1 && isatty(STDERR_FILENO) == 1
      && environment["TERM"] != "dumb" && (environment["NO_COLOR"] ?? "").isEmpty
  }

  package func result(_ line: String) { Self.write(line + "\n", to: .standardOutput) }

  /// Prints a table as a result. On a terminal each row is cut to one line; elsewhere rows are
  /// whole.
  package func result(_ table: TextTable) {
    result(table.lines(fitting: Self.resultWidth, coloring: colored).joined(separator: "\n"))
  }

  /// The width of the terminal on which results are shown; `nil` elsewhere.
  package static var resultWidth: Int? {
    isatty(STDOUT_FILENO) == 1 ? TerminalSize(of: STDOUT_FILENO).columns : nil
  }

  package func error(_ line: String) { Self.write(line + "\n", to: .standardError) }

  /// Prints a note, unless the user asked for quiet.
  package func note(_ line: String) {
    if !isQuiet { error(line) }
  }

  /// Prints a note from any thread, above the progress that is shown. Prints nothing if the user
  /// asked for quiet.
  package func noteAboveProgress(_ line: String) {
    guard !isQuiet else { return }
    if let area = ProgressArea.current { area.print { error(line) } } else { error(line) }
  }

  /// Writes control sequences unchanged. Call it only if there is a terminal.
  package func draw(_ text: String) { Self.write(text, to: .standardError) }

  /// Prints a value as one line of JSON.
  package func json(_ value: some Encodable) throws {
    result(String(decoding: try JSONFormat.data(value), as: UTF8.self))
  }

  /// Returns the word in a colour, if colours are on.
  package func colored(_ word: String, _ color: Color) -> String {
    colors ? "\u{1B}[\(color.rawValue)m\(word)\u{1B}[0m" : word
  }

  /// Writes, and goes on if that fails: the work is worth more than its output.
  ///
  /// A reader that has closed the output wants no more. Any other failure is noted.
  private static func write(_ text: String, to file: FileHandle) {
    failure.withLock { failure in
      do { try file.write(contentsOf: Data(text.utf8)) } catch {
        guard file == .standardOutput, failure == nil else { return }
        let code = ((error as NSError).userInfo[NSUnderlyingErrorKey] as? NSError)?.code
        let number = code.map(Int32.init) ?? errno
        if number != EPIPE { failure = unsafe String(cString: strerror(number)) }
      }
    }
  }

  /// Why standard output could not be written, in the system's words; `nil` if it could.
  package static var outputFailure: String? { failure.withLock { $0 } }

  private static let failure = Mutex<String?>(nil)
}
