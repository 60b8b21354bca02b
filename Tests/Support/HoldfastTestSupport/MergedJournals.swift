import Foundation
public import Holdfast
import HoldfastCravings
import Testing

/// Two copies of a library with a journal, edited separately and merged both ways.
///
/// The edits are made in the documents of exports, so that they are the same for every journal.
/// Edits that break a rule are refused.
public struct MergedJournals {
  private let journal: Journal
  private let path: String
  private let derived: Set<String>

  /// - Parameters:
  ///   - library: A library with records of each of the journal's kinds.
  ///   - journal: The journal.
  ///   - derived: Kinds for which a merge may make records that neither library had.
  public init(_ library: Library, _ journal: Journal, derived: Set<String> = []) {
    self.journal = journal
    self.derived = derived
    path = library.path
  }

  /// Expects that both become equal, that nothing is refused or lost, and that merging again
  /// changes nothing.
  public func expectAlike(seed: UInt64) async throws {
    var random = SeededNumbers(seed: seed)
    let libraries = try ["one", "two"].map { try copy(path, to: "\($0)-\(seed)") }
    for library in libraries {
      for _ in 1...2 {
        let edited = try edit(document(library), &random)
        _ = try library.importData(ExportDocument(json: edited, journals: [.cravings, journal]))
      }
    }
    let before = try libraries.map(ids)
    let copies = try libraries.enumerated().map { try copy($1.path, to: "copy-\($0)-\(seed)") }
    for (library, other) in [(libraries[0], copies[1]), (libraries[1], copies[0])] {
      let report = try await merge(other, into: library)
      #expect(report.records.items == [], "seed \(seed)")
    }
    let merged = try libraries.map(document)
    #expect(merged[0] == merged[1], "seed \(seed): \(difference(merged[0], merged[1]))")
    let (all, union) = (try ids(libraries[0]), before[0].union(before[1]))
    #expect(all.isSuperset(of: union), "seed \(seed)")
    let made = all.subtracting(union)
    #expect(
      made.allSatisfy { id in derived.contains { id.hasPrefix("\($0) ") } }, "seed \(seed): \(made)"
    )
    let again = try await merge(copies[1], into: libraries[0])
    #expect(again.records.changes == [], "seed \(seed)")
    #expect(try document(libraries[0]) == merged[0], "seed \(seed)")
  }

  private func merge(_ other: Library, into library: Library) async throws -> MergeReport {
    for try await event in try library.merge(other.path) {
      if case .finished(let report) = event { return report }
    }
    throw CancellationError()
  }

  private func copy(_ path: String, to name: String) throws -> Library {
    let copy = "\(TemporaryFolder.current)/\(name)"
    try FileManager.default.copyItem(atPath: path, toPath: copy)
    return try Library.open(
      at: LibraryLocation(path: copy), for: .writing, journals: [.cravings, journal])
  }

  private func document(_ library: Library) throws -> Data {
    var data = Data()
    try library.exportDocument { data += $0 }
    return data
  }

  /// The kinds and IDs of all records.
  private func ids(_ library: Library) throws -> Set<String> {
    var ids: Set<String> = []
    for (kind, records) in try lists(document(library)) {
      for record in records { ids.insert("\(kind) \(record["id"] ?? record["day"] ?? "")") }
    }
    return ids
  }

  private func lists(_ document: Data) throws -> [(String, [[String: Any]])] {
    let whole = try #require(try JSONSerialization.jsonObject(with: document) as? [String: Any])
    return whole.compactMap { key, value in (value as? [[String: Any]]).map { (key, $0) } }
      .sorted { $0.0 < $1.0 }
  }

  /// Changes some of the texts, some of them at the same moment, and adds a few records.
  private func edit(_ document: Data, _ random: inout SeededNumbers) throws -> Data {
    var whole = try #require(try JSONSerialization.jsonObject(with: document) as? [String: Any])
    for (kind, records) in try lists(document) {
      var edited: [[String: Any]] = []
      for var record in records {
        let texts = record.keys.filter { key in
          record[key] is String && !key.lowercased().hasSuffix("id") && !key.hasSuffix("At")
        }.sorted()
        if Bool.random(using: &random), let key = texts.randomElement(using: &random) {
          record[key] = "\(record[key] ?? "")\(Int.random(in: 0...9, using: &random))"
          record["modifiedAt"] = "2026-0\(Int.random(in: 1...3, using: &random))-01T00:00:00.000Z"
        }
        edited.append(record)
        if Int.random(in: 0..<4, using: &random) == 0, record["id"] is String {
          record["id"] = uuid(&random)
          edited.append(record)
        }
      }
      whole[kind] = edited
    }
    return try JSONSerialization.data(withJSONObject: whole)
  }

  private func uuid(_ random: inout SeededNumbers) -> String {
    let digits = (0..<32).map { _ in
      String(Int.random(in: 0..<16, using: &random), radix: 16, uppercase: true)
    }.joined()
    var rest = digits[...]
    return [8, 4, 4, 4, 12].map { count in
      defer { rest = rest.dropFirst(count) }
      return String(rest.prefix(count))
    }.joined(separator: "-")
  }

  private func difference(_ one: Data, _ two: Data) -> String {
    let lines = [one, two].map { String(decoding: $0, as: UTF8.self).split(separator: "\n") }
    let first = zip(lines[0], lines[1]).first { $0.0 != $0.1 }
    return "\(first?.0 ?? "") \(first?.1 ?? "")"
  }
}
