import Foundation
import HoldfastTestSupport
import Testing

/// A faith command's JSON, as far as tests read it.
struct FaithRecord: Decodable {
  var id: String
  var title: String?
  var content: String?
  var details: String?
  var date: String?
  var tags: [String]?
  var mood: String?
  var isPrivate: Bool?
  var recordingId: String?
  var photoURLs: [String]?
  var drawingData: Data?
  var status: String?
  var answerDate: String?
  var answerNotes: String?
  var prompt: String?
  var usedDate: String?
  var entryId: String?
  var modifiedAt: String?
}

extension LibraryFolder {
  /// A new library with a faith journal.
  static func withFaith(_ name: String = "library") async throws -> LibraryFolder {
    let library = LibraryFolder(name)
    let result = try await library.holdfast("journal", "enable", "faith")
    try #require(result.status == 0, "\(result.errorOutput)")
    return library
  }

  /// The output of a command on the journal.
  @discardableResult
  func faith(_ arguments: String...) async throws -> FaithRecord {
    try await holdfast(["faith"] + arguments + ["--json"]).json()
  }

  /// The list of a command on the journal.
  func faiths(_ arguments: String...) async throws -> [FaithRecord] {
    try await holdfast(["faith"] + arguments + ["--json"]).json()
  }

  /// Expects that a command on the journal is refused with these words.
  func expectFaithRefusal(
    _ arguments: [String], status: Int32, saying words: String,
    sourceLocation: SourceLocation = #_sourceLocation
  ) async throws {
    let result = try await holdfast(["faith"] + arguments)
    #expect(result.status == status, "\(arguments)", sourceLocation: sourceLocation)
    #expect(
      result.errorOutput.contains(words), "\(result.errorOutput)", sourceLocation: sourceLocation)
    #expect(result.output.isEmpty, sourceLocation: sourceLocation)
  }

  /// Expects that nothing in the library's folder contains a word, in any case.
  func expectNoTrace(
    of word: String, sourceLocation: SourceLocation = #_sourceLocation
  ) async throws {
    let found = try await Command.run("grep", ["-rail", word, path])
    #expect(found.status == 1, "\(found.output)", sourceLocation: sourceLocation)
  }
}
