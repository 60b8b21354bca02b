package import ArgumentParser
package import Foundation
package import Holdfast

/// The options of a new record, for ``RecordAddCommand`` and ``RecordLogCommand``.
package protocol NewRecord: ParsableArguments {
  associatedtype Record: ShownRecord

  static var verb: RecordVerb { get }

  var changes: [Change<Record>?] { get }

  /// Makes the record, to which the changes are then applied.
  func record(now: Date) throws -> Record

  /// Writes the record, in one transaction with everything that goes with it.
  static func write(_ record: Record, to db: any RecordDatabase, now: Date) throws
}

extension NewRecord {
  package var changes: [Change<Record>?] { [] }

  package static func write(_ record: Record, to db: any RecordDatabase, now: Date) throws {
    try db.add(record, now: now)
  }

  package func validate() throws {
    try validating { try record(changes, now: now).validate() }
  }

  /// The current time when the options were read.
  fileprivate var now: Date { changes.now() ?? Date() }

  fileprivate func record(_ changes: [Change<Record>?], now: Date) throws -> Record {
    var record = try record(now: now)
    try changes.apply(to: &record)
    return record
  }
}

package struct RecordAddCommand<New: NewRecord>: ParsableCommand {
  package static var configuration: CommandConfiguration { New.verb.configuration }

  @OptionGroup var new: New
  @OptionGroup var common: CommonOptions

  package init() {}

  package func run() throws {
    let now = new.now
    let record = try new.record(new.changes.reading(), now: now)
    try common.openLibrary(for: .writing, New.Record.self).write { db in
      try New.write(record, to: db, now: now)
    }
    common.console.warnIfOld(record, now: now)
    try common.console.show(record, New.verb.done)
  }
}

/// Adds a record with the recording that goes with it, and prints it.
package struct RecordLogCommand<New: NewRecord>: AsyncParsableCommand {
  package static var configuration: CommandConfiguration { New.verb.configuration }

  @OptionGroup var new: New
  @OptionGroup var voice: VoiceOptions<New.Record>
  @OptionGroup var common: CommonOptions

  package init() {}

  package func run() async throws {
    let now = new.now
    let record = try new.record(new.changes.reading(), now: now)
    try await voice.add(
      using: common, done: New.verb.done, now: now,
      writing: { db, record in try New.write(record, to: db, now: now) }
    ) { _ in record }
  }
}
