import Foundation
import GRDB

/// Text in a catalog's file that no row holds.
///
/// SQLite keeps a value together, byte for byte, wherever it puts a row. So if a text in the file
/// belongs to a row, the rows have each of its pieces of eight bytes. If no such piece covers a
/// stretch of text, no row holds that text.
///
/// Three things are not detected: words of a deleted row that an existing row also has, text that
/// is shorter than ``shortest``, and what is not text. Short text is ignored because the numbers
/// between two rows may look like a letter or two. But every row has at least its ID, which is
/// longer and unique.
package enum ForeignText {
  /// The shortest text that is reported, in bytes.
  private static let shortest = 24
  private static let width = 8

  /// Returns the stretches of text in a catalog's file that none of its rows holds.
  package static func find(inCatalog path: String) throws -> [String] {
    let known = Set(try rows(of: path).flatMap { texts($0, from: width) }.flatMap { pieces($0) })
    let file = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
    return texts(file[...], from: shortest).flatMap { text in
      var (stretches, start) = ([ArraySlice<UInt8>](), text.startIndex)
      for (place, piece) in zip(text.indices, pieces(text)) where known.contains(piece) {
        if place > start { stretches.append(text[start..<place]) }
        start = place + width
      }
      stretches.append(text[min(start, text.endIndex)...])
      return stretches.filter { $0.count >= shortest }.map { String(decoding: $0, as: UTF8.self) }
    }
  }

  /// Returns the contents of all rows as SQLite stores them: the columns of a row one after the
  /// other.
  private static func rows(of path: String) throws -> [ArraySlice<UInt8>] {
    var configuration = Configuration()
    configuration.readonly = true
    return try DatabaseQueue(path: path, configuration: configuration).read { db in
      let tables = try String.fetchAll(
        db, sql: "SELECT name FROM sqlite_schema WHERE type = 'table'")
      return try (["sqlite_schema"] + tables).flatMap { table in
        try Row.fetchAll(db, sql: "SELECT * FROM \"\(table)\"").map { row in
          row.databaseValues.flatMap { bytes(of: $0) }[...]
        }
      }
    }
  }

  private static func bytes(of value: DatabaseValue) -> [UInt8] {
    switch value.storage {
    case .string(let text): Array(text.utf8)
    case .blob(let data): Array(data)
    // A number has eight bytes, which may all look like letters.
    case .double(let number): withUnsafeBytes(of: number.bitPattern.bigEndian) { Array($0) }
    case .int64, .null: []
    }
  }

  /// Returns the stretches of bytes that are not control characters. Text of any language consists
  /// of such bytes in UTF-8.
  private static func texts(_ bytes: ArraySlice<UInt8>, from length: Int) -> [ArraySlice<UInt8>] {
    bytes.split { $0 < 0x20 || $0 == 0x7F }.filter { $0.count >= length }
  }

  /// Returns the piece that begins at each place of a text.
  private static func pieces(_ text: ArraySlice<UInt8>) -> [UInt64] {
    guard text.count >= width else { return [] }
    return (text.startIndex...text.endIndex - width).map { place in
      text[place..<place + width].reduce(0) { $0 << 8 | UInt64($1) }
    }
  }
}
