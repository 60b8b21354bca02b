import Foundation
import HTTPTypes
import Holdfast
import Testing

@testable import HoldfastModel
@testable import HoldfastWeb

@Suite("Errors at a page")
struct WebProblemTests {
  private static let root = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  @Test("Web/Tests/ErrorSentences.txt lists each kind of error; HOLDFAST_SENTENCES=1 writes it")
  func sentences() throws {
    let declarations = Self.root.appending(
      path: "../Sources/HoldfastModel/Errors/HoldfastError+Codes.swift")
    let codes = try String(contentsOf: declarations, encoding: .utf8)
      .matches(of: /rawValue: "(\w+)"/).map { HoldfastError.Code(rawValue: String($0.1)) }
    let lines = codes.flatMap { code in
      let operations = (HoldfastError.remediesOfOperations[code] ?? [:]).keys.sorted()
      return ([nil] + operations).map { operation in
        let problem = WebProblem(
          HoldfastError(code, "it failed", operation: operation, path: "/recordings"))
        let kind = operation.map { "\(code.rawValue), \($0)" } ?? code.rawValue
        return "\(kind): \(problem.status.code) \(problem.detail)"
      }
    }
    let file = Self.root.appending(path: "Tests/ErrorSentences.txt")
    if ProcessInfo.processInfo.environment["HOLDFAST_SENTENCES"] != nil {
      try lines.map { $0 + "\n" }.joined().write(to: file, atomically: true, encoding: .utf8)
    }
    let listed = try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
    #expect(listed.map(String.init) == lines)
    for line in lines { #expect(!line.contains("holdfast "), "a page names a command") }
  }

  @Test("An error that is not of the library shows nothing of itself")
  func others() {
    struct Private: Error { var text = "/home/user" }
    #expect(WebProblem(Private()).detail == "something unexpected went wrong")
    #expect(WebProblem(RuleError("the title is empty")).status == .unprocessableContent)
  }
}
