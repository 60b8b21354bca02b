public import Foundation
internal import HoldfastCatalog
public import HoldfastModel
internal import HoldfastStorage

/// Logging cravings and usage. Each step holds the writer lock, and reads the row again first.
extension Library {
  /// Logs a craving.
  ///
  /// - Parameters:
  ///   - craving: The craving; its moment is not in the future.
  ///   - now: The moment of logging.
  /// - Throws: `RuleError` for a value that breaks a rule; ``LibraryError`` when the recording that
  ///   it links to is not there.
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

  /// Changes a craving, and notes when.
  ///
  /// - Parameters:
  ///   - id: The craving.
  ///   - now: The moment of the change.
  ///   - change: Changes it; when it throws, nothing is written.
  /// - Returns: The craving as it is now.
  /// - Throws: As ``log(_:now:)-(Craving,_)`` does, and what `change` throws.
  public func editCraving(
    id: UUID, now: Date = Date(), _ change: (inout Craving) throws -> Void
  ) throws -> Craving {
    try whileLocked {
      let edited = try catalog.updateCraving(id: id) { craving in
        try Self.edit(&craving, now: now, change)
      }
      return try found(edited, "craving", id)
    }
  }

  /// Links a craving to the recording that helped, or to none.
  ///
  /// - Parameters:
  ///   - id: The craving.
  ///   - recording: The recording; `nil` takes the link away.
  ///   - now: The moment of the change.
  /// - Returns: The craving as it is now.
  /// - Throws: ``LibraryError`` when one of them is not there.
  public func linkCraving(
    id: UUID, to recording: RecordingID?, now: Date = Date()
  ) throws -> Craving {
    try whileLocked {
      try refuseMissing(recording)
      let linked = try catalog.updateCraving(id: id) { craving in
        craving.recordingID = recording
        craving.modifiedAt = now.roundedToMillisecond
      }
      return try found(linked, "craving", id)
    }
  }

  /// Deletes a craving; the recording that helped stays.
  ///
  /// - Throws: ``LibraryError`` when there is no such craving.
  public func deleteCraving(id: UUID) throws {
    try whileLocked { try refuseUnless(catalog.deleteCraving(id: id), "craving", id) }
  }

  /// Logs a usage.
  ///
  /// - Parameters:
  ///   - usage: The usage; its moment is not in the future.
  ///   - now: The moment of logging.
  /// - Throws: `RuleError` for a value that breaks a rule.
  public func log(_ usage: Usage, now: Date = Date()) throws {
    try LibraryError.translating {
      try usage.validate()
      try Entry.validate(timestamp: usage.timestamp, now: now)
    }
    try whileLocked { try catalog.insert(usage) }
  }

  /// Changes a usage, and notes when.
  ///
  /// - Parameters:
  ///   - id: The usage.
  ///   - now: The moment of the change.
  ///   - change: Changes it; when it throws, nothing is written.
  /// - Returns: The usage as it is now.
  /// - Throws: As ``log(_:now:)-(Usage,_)`` does, and what `change` throws.
  public func editUsage(
    id: UUID, now: Date = Date(), _ change: (inout Usage) throws -> Void
  ) throws -> Usage {
    try whileLocked {
      let edited = try catalog.updateUsage(id: id) { usage in
        try Self.edit(&usage, now: now, change)
      }
      return try found(edited, "usage", id)
    }
  }

  /// Deletes a usage.
  ///
  /// - Throws: ``LibraryError`` when there is no such usage.
  public func deleteUsage(id: UUID) throws {
    try whileLocked { try refuseUnless(catalog.deleteUsage(id: id), "usage", id) }
  }

  private static func edit<Logged: LoggedEntry>(
    _ entry: inout Logged, now: Date, _ change: (inout Logged) throws -> Void
  ) throws {
    let before = entry.timestamp
    try change(&entry)
    entry.modifiedAt = now.roundedToMillisecond
    try entry.validate()
    // A clock that was set back is no reason to keep the notes from being changed.
    if entry.timestamp != before {
      try Entry.validate(timestamp: entry.timestamp, now: now)
    }
  }

  private func refuseMissing(_ recording: RecordingID?) throws {
    guard let recording else { return }
    try refuseUnless(catalog.hasRecording(id: recording), "recording", recording)
  }
}

/// What every short step that writes is made of.
extension Library {
  /// Runs a step of the catalog while nobody else changes the library.
  func whileLocked<Value>(_ step: () throws -> Value) throws -> Value {
    let tree = try writableTree()
    return try LibraryError.translating { try tree.withWriterLock { _ in try step() } }
  }

  /// The value that a step found; an error if another command has deleted it meanwhile.
  func found<Value>(_ value: Value?, _ noun: String, _ id: UUID) throws(LibraryError) -> Value {
    guard let value else { throw gone(noun, id) }
    return value
  }

  func refuseUnless(_ exists: Bool, _ noun: String, _ id: UUID) throws(LibraryError) {
    guard exists else { throw gone(noun, id) }
  }

  private func gone(_ noun: String, _ id: UUID) -> LibraryError {
    LibraryError(.noSuchRecord, "there is no \(noun) \(id.uuidString) any more")
  }
}
