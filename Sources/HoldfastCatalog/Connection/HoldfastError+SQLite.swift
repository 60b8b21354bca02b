import GRDB
import HoldfastModel

extension HoldfastError {
  init(_ error: any Error, name: String) {
    switch error {
    case let error as HoldfastError: self = error
    case let error as DatabaseError: self.init(error, name: name)
    case let error as RuleError:
      self.init(.refused, database: name, reason: error.description)
    case let defect as RowDefect:
      self.init(defect.code, database: name, operation: nil, reason: defect.reason)
    case let error as UnreadableValue:
      let value = error.value.databaseValue.description.cut(to: 100)
      self.init(
        .unreadableRow, database: name, operation: nil,
        reason: "its statistics cannot be read: the \(error.column) is \(value.escapedForDisplay)"
      )
    default:
      self.init(.sqlite, database: name, reason: "\(error)".escapedForDisplay)
    }
  }

  private init(_ error: DatabaseError, name: String) {
    let said = error.message?.escapedForDisplay ?? "no message"
    let (code, reason): (Code, String) =
      switch error.resultCode {
      case .SQLITE_FULL:
        (.full, "the disk is full")
      case .SQLITE_BUSY, .SQLITE_LOCKED:
        (.busy, "another program keeps the catalog locked")
      case .SQLITE_CORRUPT:
        (.damaged, "the catalog is damaged (\(said))")
      case .SQLITE_NOTADB:
        (.notACatalog, "not a SQLite database")
      case .SQLITE_IOERR:
        (.inputOutput, "the disk could not be read or written (\(said))")
      case .SQLITE_READONLY:
        (.readOnly, "cannot be written")
      case .SQLITE_CANTOPEN, .SQLITE_PERM, .SQLITE_AUTH:
        (.cannotOpen, "cannot be opened")
      case .SQLITE_TOOBIG:
        (
          .damaged, "a row has more than \(Catalog.longestRow) bytes, and no record is that long"
        )
      case .SQLITE_CONSTRAINT:
        (.refused, "the catalog refused a row \(Self.broken(said)); nothing was written")
      default:
        (.sqlite, "SQLite failed (\(said))")
      }
    let operation = code == .readOnly ? "write the catalog" : "open the catalog"
    self.init(code, database: name, operation: operation, reason: reason)
  }

  /// Names the rule that a row breaks. The name of a constraint is a sentence.
  private static func broken(_ message: String) -> String {
    let check = "CHECK constraint failed: "
    return message.hasPrefix(check)
      ? "that breaks a rule: \(message.dropFirst(check.count))" : "(\(message))"
  }
}

/// A defect of one row, before the database's name is known.
struct RowDefect: Error {
  var code: HoldfastError.Code
  var reason: String

  static func unreadable(_ id: String?, column: String, value: String) -> RowDefect {
    RowDefect(
      code: .unreadableRow,
      reason: "row \(id?.escapedForDisplay ?? "without an ID") cannot be read: its "
        + "\(column) is \(value.escapedForDisplay)")
  }

  static func broken(_ id: String, _ rule: RuleError) -> RowDefect {
    RowDefect(
      code: .unreadableRow,
      reason: "row \(id.escapedForDisplay) breaks a rule: \(rule.description)")
  }

  /// Returns the defect of a text with a NUL character, where SQLite would cut the text short.
  static func zeroCharacter(in column: String) -> RowDefect {
    RowDefect(
      code: .refused,
      reason: "\(column) holds a NUL character; remove it and try again")
  }
}
