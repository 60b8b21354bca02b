import Foundation
import Glibc
import HoldfastConsole
import HoldfastModel
import HoldfastTestSupport
import Testing

@Suite("Errors at a terminal")
struct ErrorSentenceTests {
  /// The operations that change what a person can do about an error with this code.
  private static func operations(of code: HoldfastError.Code) -> [String?] {
    let commands: [HoldfastError.Code: [String]] = [
      .notMerged: ["make the file"], .journalNotEnabled: ["find the journal"],
      .otherFilesystem: ["open"], .unusableBackup: ["restore"],
    ]
    let own = Array((HoldfastError.remediesOfOperations[code] ?? [:]).keys)
    return [nil] + (own + (commands[code] ?? [])).sorted()
  }

  @Test("Each kind of error ends as Tests/ErrorSentences.txt lists it")
  func sentences() throws {
    var lines: [String] = []
    for code in try Repository.errorCodes.map(HoldfastError.Code.init(rawValue:)) {
      for operation in Self.operations(of: code) {
        let error = HoldfastError(
          code, "it failed", operation: operation, path: "/recordings", record: .recordings)
        let kind = operation.map { "\(code.rawValue), \($0)" } ?? code.rawValue
        lines.append("\(kind): \(error.explained)")
      }
    }
    for number in [EACCES, EDQUOT, EIO, EMFILE, ENFILE, ENOSPC, EPERM, EROFS] {
      let error = HoldfastError(.system, "it failed", errno: number)
      lines.append("system, \(String(cString: strerror(number))): \(error.explained)")
    }
    let listed = try String(
      contentsOfFile: "\(Repository.root)/Tests/ErrorSentences.txt", encoding: .utf8)
    #expect(listed.split(separator: "\n").map(String.init) == lines)
  }
}
