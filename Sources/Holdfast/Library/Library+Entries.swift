public import Foundation
internal import HoldfastCatalog
public import HoldfastModel
internal import HoldfastStorage

/// Logs cravings and usage. Each step holds the writer lock, and reads the row again first.
extension Library {
  /// Logs a craving.
  ///
  /// - Parameters:
  ///   - craving: The craving. Its time must not be in the future.
  ///   - now: The time of logging.
  /// - Throws: ``LibraryError`` when a value breaks a rule, and when the recording that it links to
  ///   does not exist.
  public func log(_ craving: Craving, now: Date = Date()) throws {
    try LibraryError.translating {
      try craving.validate()
      try Entry.validate(timestamp: craving.timestamp, now: now)
    }
    try whileLocked {
      try refuseMissing(craving.recordingID)
      try catalog.insert(craving)
    }
  }

  /// Changes a craving and sets its modification time.
  ///
  /// - Parameters:
  ///   - id: The craving.
  ///   - now: The time of the change.
  ///   - change: Changes the craving. When it throws, nothing is written.
  /// - Returns: The changed craving.
  /// - Throws: ``LibraryError`` when a value breaks a rule, and when there is no such craving; and
  ///   whatever `change` throws.
  @discardableResult
  public func editCraving(
    id: UUID, now: Date = Date(), _ change: (inout Craving) throws -> Void
  ) throws -> Craving {
    try whileEditing {
      let edited = try catalog.updateCraving(id: id) { craving in
        try Self.edit(&craving, now: now, change)
      }
      return try found(edited, .cravings, id)
    }
  }

  /// Links a craving to the recording that helped, or removes the link.
  ///
  /// - Parameters:
  ///   - id: The craving.
  ///   - recording: The recording; `nil` removes the link.
  ///   - now: The time of the change.
  /// - Returns: The changed craving.
  /// - Throws: ``LibraryError`` when the craving or the recording does not exist.
  @discardableResult
  public func linkCraving(
    id: UUID, to recording: RecordingID?, now: Date = Date()
  ) throws -> Craving {
    try whileEditing {
      try refuseMissing(recording)
      let linked = try catalog.updateCraving(id: id) { craving in
        craving.recordingID = recording
        craving.setEdited(at: now)
      }
      return try found(linked, .cravings, id)
    }
  }

  /// Deletes a craving. The recording that helped is kept.
  ///
  /// - Throws: ``LibraryError`` when there is no such craving.
  public func deleteCraving(id: UUID) throws {
    try whileLocked { try refuseUnless(catalog.deleteCraving(id: id), .cravings, id) }
  }

  /// Logs a usage.
  ///
  /// - Parameters:
  ///   - usage: The usage. Its time must not be in the future.
  ///   - now: The time of logging.
  /// - Throws: ``LibraryError`` when a value breaks a rule.
  public func log(_ usage: Usage, now: Date = Date()) throws {
    try LibraryError.translating {
      try usage.validate()
      try Entry.validate(timestamp: usage.timestamp, now: now)
    }
    try whileLocked { try catalog.insert(usage) }
  }

  /// Changes a usage and sets its modification time.
  ///
  /// - Parameters:
  ///   - id: The usage.
  ///   - now: The time of the change.
  ///   - change: Changes the usage. When it throws, nothing is written.
  /// - Returns: The changed usage.
  /// - Throws: ``LibraryError`` when a value breaks a rule, and when there is no such usage; and
  ///   whatever `change` throws.
  @discardableResult
  public func editUsage(
    id: UUID, now: Date = Date(), _ change: (inout Usage) throws -> Void
  ) throws -> Usage {
    try whileEditing {
      let edited = try catalog.updateUsage(id: id) { usage in
        try Self.edit(&usage, now: now, change)
      }
      return try found(edited, .usage, id)
    }
  }

  /// Deletes a usage.
  ///
  /// - Throws: ``LibraryError`` when there is no such usage.
  public func deleteUsage(id: UUID) throws {
    try whileLocked { try refuseUnless(catalog.deleteUsage(id: id), .usage, id) }
  }

  private static func edit<Logged: LoggedEntry>(
    _ entry: inout Logged, now: Date, _ change: (inout Logged) throws -> Void
  ) throws {
    let before = entry.timestamp
    try change(&entry)
    entry.setEdited(at: now)
    try entry.validate()
    // If the clock was set back, an old entry may seem to be in the future. Its notes can still be
    // changed.
    if entry.timestamp != before {
      try Entry.validate(timestamp: entry.timestamp, now: now)
    }
  }

  private func refuseMissing(_ recording: RecordingID?) throws {
    guard let recording else { return }
    try refuseUnless(catalog.hasRecording(id: recording), .recordings, recording)
  }
}

/// Helpers for short steps that write.
extension Library {
  /// Runs a step on the catalog under the writer lock.
  func whileLocked<Value>(_ step: () throws -> Value) throws -> Value {
    let tree = try writableTree()
    return try LibraryError.translating { try tree.withWriterLock { _ in try step() } }
  }

  /// Runs an edit of the catalog under the writer lock, and then removes the text that it replaced
  /// from the catalog's file.
  ///
  /// A catalog that is too large to be compacted at once stays due, and so does one on a full disk.
  func whileEditing<Value>(_ edit: () throws -> Value) throws -> Value {
    try whileLocked {
      let value = try edit()
      _ = try? catalog.compactIfSmall()
      return value
    }
  }

  /// Returns the value that a step found, or throws if another command has deleted it meanwhile.
  func found<Value>(
    _ value: Value?, _ kind: RecordKind, _ id: UUID
  ) throws(LibraryError) -> Value {
    guard let value else { throw .gone(kind, id) }
    return value
  }

  func refuseUnless(_ exists: Bool, _ kind: RecordKind, _ id: UUID) throws(LibraryError) {
    guard exists else { throw .gone(kind, id) }
  }
}
