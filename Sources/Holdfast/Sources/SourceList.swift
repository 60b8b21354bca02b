public import Foundation
import HoldfastModel
import HoldfastStorage

/// A list of files and folders to import, which is read piece by piece.
///
/// Each path ends with a line break. In a list that has a NUL in its first 64 KiB, each ends with a
/// NUL instead, as `find -print0` writes it. Empty lines are left out. If the first line ends with
/// a carriage return, as Windows writes it, those of all lines are left out.
public struct SourceList: Sendable {
  private static let pieceSize = 64 << 10
  /// More than the longest path that Linux opens.
  private static let longestPath = 1 << 20
  /// More empty lines one after another than any list has. A sparse file has only empty lines.
  private static let mostEmptyLines = 1 << 20
  /// The most bytes of a list: some forty million paths.
  private static let longestList: Int64 = 4 << 30

  private let file: FileHandle
  private let name: String
  private var unread = Data()
  private var separator: UInt8?
  private var isAtEnd = false
  /// Whether lines end with a carriage return, too; `nil` before the first.
  private var hasReturns: Bool?
  private var length: Int64 = 0

  /// Reads a list from a file that is open, such as standard input.
  ///
  /// - Parameters:
  ///   - file: The file. It is read from its current position.
  ///   - name: Its name in messages.
  public init(_ file: FileHandle, name: String) {
    self.file = file
    self.name = name
  }

  /// Opens a list.
  ///
  /// - Throws: `HoldfastError` if it cannot be opened.
  public init(atPath path: String) throws {
    guard !SourcePath(path).isFolder else {
      throw HoldfastError(
        .unreadableList,
        "\(path.escapedForDisplay) is a folder, not a list of files",
        operation: "open a folder", path: path)
    }
    guard let file = FileHandle(forReadingAtPath: path) else {
      throw HoldfastError(
        .unreadableList,
        "\(path.escapedForDisplay) cannot be opened", operation: "open",
        path: path)
    }
    self.init(file, name: path)
  }

  mutating func next() throws -> [UInt8]? {
    let carriageReturn = UInt8(ascii: "\r")
    var emptyLines = 0
    while var line = try nextLine() {
      let hasReturns = hasReturns ?? (separator != 0 && line.last == carriageReturn)
      self.hasReturns = hasReturns
      if hasReturns, line.last == carriageReturn { line.removeLast() }
      if !line.isEmpty { return line }
      emptyLines += 1
      guard emptyLines <= Self.mostEmptyLines else {
        throw error(
          "has more than \(Self.mostEmptyLines) empty lines, so it is not a list of files",
          "split into lines")
      }
    }
    return nil
  }

  private mutating func nextLine() throws -> [UInt8]? {
    while true {
      if let separator, let end = unread.firstIndex(of: separator) {
        defer { unread = unread[(end + 1)...] }
        return Array(unread[..<end])
      }
      if isAtEnd {
        defer { unread = Data() }
        return unread.isEmpty ? nil : Array(unread)
      }
      guard unread.count <= Self.longestPath else {
        throw error(
          "has a line of more than \(Self.longestPath >> 20) MiB, so it is not a list of files",
          "split into lines")
      }
      try readOn()
    }
  }

  private mutating func readOn() throws {
    // Frees the memory of the lines that were returned.
    unread = Data(unread)
    let wanted = Self.pieceSize
    repeat {
      let piece: Data?
      do { piece = try file.read(upToCount: wanted) } catch {
        throw self.error("cannot be read to its end, so nothing more was imported", "read")
      }
      guard let piece, !piece.isEmpty else {
        isAtEnd = true
        break
      }
      unread += piece
      length += Int64(piece.count)
      guard length <= Self.longestList else {
        throw self.error(
          "has more than \(Self.longestList) bytes, so the rest was not imported", "read more")
      }
      // A pipe gives less at a time.
    } while separator == nil && unread.count < wanted
    separator = separator ?? (unread.contains(0) ? 0 : UInt8(ascii: "\n"))
  }

  private func error(_ reason: String, _ operation: String) -> HoldfastError {
    HoldfastError(
      .unreadableList, "\(name.escapedForDisplay) \(reason)", operation: operation, path: name)
  }
}
