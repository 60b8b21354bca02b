import Foundation
import GRDB
import HoldfastModel

extension DataImport {
  /// Gives a version without a link that of the other one, unless a person removed it. A library
  /// that lacks a recording, or another record, has lost the link with it, which is not an edit.
  func completeLinks<Value: JournalRecord>(
    _ local: inout Value, _ other: inout Value
  ) throws {
    let declaration = Value.declaration
    if let link = declaration.link?.path {
      switch (local[keyPath: link], other[keyPath: link]) {
      case (nil, let id?) where isNew(id): local[keyPath: link] = id
      case (let id?, nil) where try !hasRecording(id): other[keyPath: link] = id
      case (_, let id?):
        // The document of a library that merged its recordings knows them better.
        if case .document = origin, local.modifiedAt == other.modifiedAt {
          local[keyPath: link] = id
        }
      default: break
      }
    }
    for reference in declaration.references {
      if let key = reference.key(other), reference.key(local) == nil,
        added[reference.target.kind]?.contains(key) == true
      {
        reference.complete(&local, other)
      } else if let key = reference.key(local), reference.key(other) == nil,
        try !hasRecord(key, of: reference.target)
      {
        reference.complete(&other, local)
      }
    }
  }

  /// Whether a recording came with the other library's, or was not known until now as what the
  /// document means.
  private func isNew(_ id: RecordingID) -> Bool {
    if case .library(_, let added) = origin { return added.contains(id) }
    return joined.contains(id)
  }

  /// Whether a record got its link when the other library's recording came.
  func isLinkedNow<Value: DeclaredRecord>(_ value: Value, _ local: Value?) -> Bool {
    guard case .library(_, let added) = origin, let link = Value.declaration.link?.path,
      let id = local?[keyPath: link]
    else { return false }
    return added.contains(id) && value[keyPath: link] == id
  }

  /// Whether the document or the other library has one of this library's recordings. A document
  /// without a list of recordings tells nothing about them.
  private func hasRecording(_ id: RecordingID) throws -> Bool {
    switch origin {
    case .document(let document): !document.lists(.recordings) || own.contains(id)
    case .app: true
    case .library(let catalog, _):
      try !namesakes.contains(id) && catalog.read { try $0.knowsAny(of: id.uuidString, in: db) }
    }
  }

  /// Whether the document or the other library has a record. A document without a list of its kind
  /// tells nothing about them.
  private func hasRecord<Target: JournalRecord>(
    _ key: String, of type: Target.Type
  ) throws -> Bool {
    let declaration = Target.declaration
    switch origin {
    case .app: return true
    case .document(let document):
      return !document.lists(declaration.kind)
        || document[type].contains { element in
          if case .value(let record) = element { record.id.keyText == key } else { false }
        }
    case .library(let catalog, _):
      return try catalog.read { db in
        try db.tableExists(declaration.table)
          && Bool.fetchOne(
            db.cachedStatement(
              sql: "SELECT 1 FROM \(declaration.table) WHERE \(declaration.key) = ?"),
            arguments: [key]) == true
      }
    }
  }

  /// Returns the record with its link changed to the catalog's recording.
  ///
  /// - Parameter local: This library's version, whose link is kept if the recording is missing.
  func linked<Value: DeclaredRecord>(
    _ record: Value, to local: Value?
  ) throws -> Value {
    guard let path = Value.declaration.link?.path, let id = record[keyPath: path] else {
      return record
    }
    var record = record
    record[keyPath: path] = try recording(for: id) ?? local?[keyPath: path]
    return record
  }

  /// Returns the catalog's recording for an ID from outside; `nil` if there is none.
  func recording(for id: RecordingID) throws -> RecordingID? {
    if namesakes.contains(id) { return twins[id] }
    if let own = try db.recording(knownAs: id) ?? twins[id] { return own }
    guard case .library(let other, _) = origin else { return nil }
    // A dry run has not merged the recordings.
    return try isDryRun && other.read { try $0.recording(knownAs: id) != nil } ? id : nil
  }
}
