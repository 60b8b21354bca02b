import Foundation
import HoldfastCatalog
public import HoldfastModel
import HoldfastStorage

/// A library of recordings: its files, its catalog, and the engine that reads and makes media
/// files.
public final class Library: Sendable {
  /// Holdfast's own version.
  public static let version = "0.9.0"
  /// The version of SQLite that stores the catalog.
  public static var databaseVersion: String { Catalog.databaseVersion }

  /// The purpose for which a library is opened.
  public enum Access: Sendable {
    /// For reading. Nothing is written, except to migrate the catalog of an older Holdfast.
    case reading
    /// For a dry run. Nothing at all is written.
    case planning
    /// For changing recordings and entries. Opening first recovers from a crash.
    case writing
  }

  /// The library's folder.
  public let path: String
  let access: Access
  /// Whether opening finished or undid something that a crash had interrupted.
  public let hasRecovered: Bool
  /// Problems that opening could not solve and will retry, work of another computer that it found,
  /// and what a person should know about a migration.
  public let warnings: [HoldfastError]
  let tree: LibraryTree
  let catalog: Catalog
  let engine: (any MediaEngine)?

  init(
    access: Access, hasRecovered: Bool = false, warnings: [HoldfastError] = [],
    tree: LibraryTree, catalog: Catalog, engine: (any MediaEngine)?
  ) {
    self.path = tree.path
    self.access = access
    self.hasRecovered = hasRecovered
    self.warnings = warnings
    self.tree = tree
    self.catalog = catalog
    self.engine = engine
  }

  /// Creates a library. A library that exists already is left unchanged.
  ///
  /// If an earlier creation was interrupted, it is continued.
  ///
  /// - Parameters:
  ///   - location: The library's folder. It must be new or empty.
  ///   - patience: How long to wait for another process that is making the same library.
  ///   - isSharedDisk: Whether the library may be on a network filesystem. Then only one computer
  ///     may write to it at a time. For a library that exists already, see
  ///     ``allowSharedDisk(at:)``.
  /// - Returns: Whether the library was made by this call.
  /// - Throws: `HoldfastError` when the folder holds other things, or the system refuses.
  @discardableResult
  public static func create(
    at location: LibraryLocation, onSharedDisk isSharedDisk: Bool = false,
    patience: LockTimeoutPolicy = LockTimeoutPolicy()
  ) throws -> Bool {
    try HoldfastError.naming(location) {
      try LibraryTree.create(
        at: location.absolutePath, makingParents: location.mayMakeParents,
        onSharedDisk: isSharedDisk, patience: patience,
        createCatalog: Catalog.create
      ).isNew
    }
  }

  /// Allows writing to a library on a network filesystem, by setting `sharedDisk` in its marker.
  ///
  /// The locks of one computer may be unknown to another. So such a library is written only when
  /// its owner has promised that one computer writes at a time.
  ///
  /// - Parameter location: The library's folder.
  /// - Returns: Whether the marker was changed; `false` if writing was allowed already.
  /// - Throws: `HoldfastError` with the code `noLibrary`; `HoldfastError` when the marker cannot
  ///   be written. The marker is then unchanged.
  @discardableResult
  public static func allowSharedDisk(at location: LibraryLocation) throws -> Bool {
    try HoldfastError.naming(location) {
      let tree = try LibraryTree.open(at: location.absolutePath)
      return try tree.withWriterLock { try tree.allowSharedDisk(under: $0) }
    }
  }

  /// Opens a library that ``create(at:onSharedDisk:patience:)`` has made.
  ///
  /// - Parameters:
  ///   - location: The library's folder.
  ///   - access: The purpose for which it is opened.
  ///   - engine: The engine that reads and makes media files; `nil` if none is read or made.
  ///   - journals: The journals that the program knows. A library with others can only be read:
  ///     writing could lose their records.
  ///   - patience: How long steps that write wait while another command, or another part of this
  ///     program, is writing. Reading waits in two cases only: while another command has the
  ///     catalog to itself, and when the catalog of an older Holdfast must be migrated.
  /// - Throws: `HoldfastError`: with the code `noLibrary` if there is none, and with the code
  ///   `locked` if another program wrote for too long.
  public static func open(
    at location: LibraryLocation, for access: Access, engine: (any MediaEngine)? = nil,
    journals: [Journal] = [], patience: LockTimeoutPolicy = LockTimeoutPolicy()
  ) throws -> Library {
    try HoldfastError.naming(location) {
      let tree = try LibraryTree.open(at: location.absolutePath, patience: patience)
      return try LibraryOpening(tree: tree, engine: engine, journals: journals).run(for: access)
    }
  }

  /// Returns the same open library. Its steps that write wait this long while another command, or
  /// another part of this program, is writing.
  ///
  /// A program that makes changes one after the other can thus count the time that a change has
  /// waited for its turn.
  ///
  /// - Parameter seconds: The time in seconds. With 0, a step is tried once.
  public func waiting(for seconds: Double) -> Library {
    let patience = LockTimeoutPolicy(seconds: max(seconds, 0), notice: tree.patience.notice)
    return Library(
      access: access, hasRecovered: hasRecovered, warnings: warnings, tree: tree.waiting(patience),
      catalog: catalog, engine: engine)
  }

  func mediaEngine() throws(HoldfastError) -> any MediaEngine {
    guard let engine else {
      throw HoldfastError(
        .noEngine, "the library in \(path.escapedForDisplay) was opened without a media engine")
    }
    return engine
  }

  func writableTree() throws(HoldfastError) -> LibraryTree {
    guard access == .writing else {
      throw HoldfastError(
        .readOnly, "the library in \(path.escapedForDisplay) was opened for reading only")
    }
    return tree
  }
}
