import Foundation
import HoldfastModel
import HoldfastStorage
import HoldfastSupport
import Synchronization

/// A file that comes in pieces, for example from a browser, and is imported when it is whole.
///
/// It is in staging until then. When the last reference to an upload is gone, it counts as
/// interrupted, and recovery removes it.
public final class Upload: Sendable {
  /// The most bytes that an upload may have.
  public static let mostBytes: Int64 = 8_000_000_000
  /// The free space, in bytes, that the catalog and its journal need besides the uploads.
  private static let spareBytes: Int64 = 16 << 20
  private static let fileName = "upload"

  /// The name that the file had where it came from. It is only shown and stored, never opened.
  public let name: String
  private let tree: LibraryTree
  private let staging: Staging
  private let file: OpenFile
  private let size = Mutex<Int64>(0)

  init(named name: String, staging: Staging, in tree: LibraryTree) throws {
    self.name = name
    self.staging = staging
    self.tree = tree
    file = try staging.createFile(named: Self.fileName)
  }

  /// Its path, for the import.
  var path: SourcePath { SourcePath(staging.path(of: Self.fileName)) }

  /// How many bytes it has until now.
  public var byteCount: Int64 { size.withLock { $0 } }

  /// Adds a piece.
  ///
  /// - Throws: `HoldfastError` when the file gets too large, or the disk too full.
  public func write(_ bytes: ArraySlice<UInt8>) throws {
    let total = size.withLock { size in
      size += Int64(bytes.count)
      return size
    }
    guard total <= Self.mostBytes else {
      throw HoldfastError(
        .noSpace,
        "it is larger than \(Self.mostBytes / 1_000_000_000) GB, the most that is imported",
        operation: "upload")
    }
    guard try tree.availableBytes() > Self.spareBytes + Int64(bytes.count) else {
      throw HoldfastError(.noSpace, "the library's disk has no room for it")
    }
    try file.write(bytes)
  }

  /// Removes it. Call it when the import has ended, or when the file stays incomplete.
  public func discard() { try? staging.remove() }
}
