import Foundation
import Glibc
import HoldfastConsole
import HoldfastModel
import HoldfastStorage
import HoldfastTestSupport
import Testing

@Suite("Errors at a terminal")
struct ErrorSentenceTests {
  /// The operations that change what a person can do about an error with this code.
  private static func operations(of code: HoldfastError.Code) -> [String?] {
    let commands: [HoldfastError.Code: [String]] = [
      .networkFilesystem: ["make"], .offline: ["rebuild", "remake"], .overLimit: ["log"],
      .journalNotEnabled: ["find the journal"], .notACatalog: ["open the catalog"],
      .notMerged: ["make the file"], .otherFilesystem: ["open"], .unusableBackup: ["restore"],
    ]
    let own = (HoldfastError.remediesOfOperations[code] ?? [:]).keys
    return [nil] + Set(own).union(commands[code] ?? []).sorted()
  }

  @Test("Tests/ErrorSentences.txt lists every sentence; HOLDFAST_SENTENCES=1 writes it")
  func sentences() throws {
    let codes = try Repository.errorCodes.map(HoldfastError.Code.init(rawValue:))
    let thrown = try ThrownError.all(of: Set(codes.map(\.rawValue)))
    var lines: [String] = []
    for code in codes {
      var errors = thrown[code.rawValue] ?? []
      for operation in Self.operations(of: code)
      where !errors.contains(where: { $0.operation == operation }) {
        errors.insert(ThrownError(reason: nil, operation: operation, isStored: false))
      }
      lines += Set(errors.map { "\(code.rawValue): \($0.error(code).explained)" }).sorted()
    }
    for number in [EACCES, EDQUOT, EIO, EMFILE, ENFILE, ENOSPC, ENOTDIR, EPERM, EROFS] {
      let error = HoldfastError(.system, operation: "open", path: "/recordings", errno: number)
      lines.append("\(error.code.rawValue): \(error.explained)")
    }
    let file = "\(Repository.root)/Tests/ErrorSentences.txt"
    let text = lines.map { $0 + "\n" }.joined()
    if ProcessInfo.processInfo.environment["HOLDFAST_SENTENCES"] != nil {
      try text.write(toFile: file, atomically: true, encoding: .utf8)
    }
    let listed = try String(contentsOfFile: file, encoding: .utf8).split(separator: "\n")
    #expect(Set(lines).subtracting(listed.map(String.init)).sorted() == [])
    #expect(Set(listed.map(String.init)).subtracting(lines).sorted() == [])
  }
}

/// An error as a source file makes it. What is interpolated is shown as "…".
private struct ThrownError: Hashable {
  var reason: String?
  var operation: String?
  /// Whether the code's own sentence is used, of a file or folder.
  var isStored: Bool

  func error(_ code: HoldfastError.Code) -> HoldfastError {
    if isStored, let operation {
      let errno = code == .missing ? ENOENT : code == .system ? EINVAL : nil
      return HoldfastError(
        code, operation: operation, path: "/recordings", errno: errno, detail: "…")
    }
    return HoldfastError(
      code, reason ?? "…", operation: operation, path: "/recordings", record: .recordings)
  }

  /// Finds the errors of all source files, by their codes: calls and pairs that begin with a code.
  static func all(of codes: Set<String>) throws -> [String: Set<ThrownError>] {
    var found: [String: Set<ThrownError>] = [:]
    let root = URL(fileURLWithPath: "\(Repository.root)/Sources")
    let files = FileManager.default.enumerator(at: root, includingPropertiesForKeys: nil)
    while let file = files?.nextObject() as? URL {
      guard file.pathExtension == "swift" else { continue }
      let text = try String(contentsOf: file, encoding: .utf8)
      for match in text.matches(of: /(\w*)\(\s*\.(\w+),/)
      where codes.contains(String(match.2)) && ["HoldfastError", "init", ""].contains(match.1) {
        if let error = ThrownError(arguments: text[match.range.upperBound...]) {
          found[String(match.2), default: []].insert(error)
        }
      }
    }
    return found
  }

  private init?(arguments text: Substring) {
    let arguments = Self.arguments(text)
    let literals = arguments.compactMap { (label: $0.label, text: Self.literal($0.value)) }
    operation = literals.first { $0.label == "operation" }?.text
    reason = literals.first { ["", "reason"].contains($0.label) }?.text
    isStored =
      reason == nil && arguments.allSatisfy { !["", "reason", "database"].contains($0.label) }
    if operation == nil, arguments.contains(where: { $0.label == "database" }),
      !arguments.contains(where: { $0.label == "operation" })
    {
      operation = "open the catalog"
    }
    guard reason != nil || isStored && operation != nil else { return nil }
  }

  init(reason: String?, operation: String?, isStored: Bool) {
    (self.reason, self.operation, self.isStored) = (reason, operation, isStored)
  }

  /// Returns the arguments of a call up to its closing parenthesis.
  private static func arguments(_ text: Substring) -> [(label: String, value: String)] {
    var (parts, depth, isText) = ([""], 0, false)
    var rest = text
    while let character = rest.popFirst() {
      if character == "\\", isText, rest.first == "(" {
        rest = skipInterpolation(rest)
        parts[parts.count - 1] += "…"
        continue
      }
      if character == "\\", isText {
        parts[parts.count - 1] += "\\" + String(rest.removeFirst())
        continue
      }
      if character == "\"" { isText.toggle() }
      if !isText, "([{".contains(character) { depth += 1 }
      if !isText, ")]}".contains(character) { depth -= 1 }
      if depth < 0 { break }
      if !isText, depth == 0, character == "," {
        parts.append("")
      } else {
        parts[parts.count - 1].append(character)
      }
    }
    return parts.map { part in
      let part = part.trimmingCharacters(in: .whitespacesAndNewlines)
      guard let label = part.prefixMatch(of: /(\w+):\s*/) else { return ("", part) }
      return (String(label.1), String(part[label.range.upperBound...]))
    }
  }

  private static func skipInterpolation(_ text: Substring) -> Substring {
    var (rest, depth) = (text, 0)
    while let character = rest.popFirst() {
      if character == "(" { depth += 1 }
      if character == ")" { depth -= 1 }
      if depth == 0 { break }
    }
    return rest
  }

  /// Returns the text of an expression of literals, with "…" for what is not one.
  private static func literal(_ expression: String) -> String? {
    guard expression.contains("\"") else { return nil }
    let parts = expression.matches(of: /"((?:[^"\\]|\\.)*)"/).map { String($0.1) }
    return parts.joined().replacing("\\\"", with: "\"")
      .replacing(/…+/, with: "…")
  }
}
