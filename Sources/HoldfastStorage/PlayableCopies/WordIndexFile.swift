import Foundation
import Glibc
package import HoldfastModel

/// The file of the index of spoken words in `.cache`, and new ones that are being filled.
///
/// Like everything in `.cache`, it can be made again, so it is never backed up and may be removed
/// at any time. SQLite opens it by its path; everything else is done from the library's folder.
package struct WordIndexFile: Sendable {
  static let name = "words.sqlite"
  let library: Directory

  /// The path for SQLite.
  package var path: String { "\(library.place(Layout.cache).path)/\(Self.name)" }

  /// Whether this user may make an index: the library's owner, and not in a backup.
  package func mayMake() throws(HoldfastError) -> Bool {
    try library.file.identity().owner == geteuid() && !Bag.isData(library)
  }

  /// Whether a regular file is there, and not through a link.
  package func exists() throws(HoldfastError) -> Bool {
    guard let cache = try library.folder(Layout.cache) else { return false }
    return try SystemCalls.identity(of: cache.place(Self.name))?.kind == .regular
  }

  /// Whether anything is there.
  package func isTaken() throws(HoldfastError) -> Bool {
    guard let cache = try library.folder(Layout.cache) else { return false }
    return try SystemCalls.identity(of: cache.place(Self.name)) != nil
  }

  /// Makes an empty file for a new index.
  ///
  /// - Parameter removed: The catalog's count of removed words, which is kept in the file's name.
  package func make(removed: Int) throws(HoldfastError) -> NewWordIndexFile {
    let cache = try library.making(Layout.cache)
    let name = "\(Self.prefix(removed))\(UUID().uuidString)"
    _ = try cache.makeFile(name)
    return NewWordIndexFile(cache: cache, name: name)
  }

  /// Removes the index and every new one, whatever is in their places, and waits until that is on
  /// the disk. A process that has one open reads and fills a file without a name.
  package func remove() throws(HoldfastError) {
    try remove { $0.starts(with: Self.name) }
  }

  /// Removes new indexes that may have words that were removed since: a crash may have left them.
  package func removeUnfinished(exceptOf removed: Int) throws(HoldfastError) {
    try remove { $0.starts(with: "\(Self.name).") && !$0.starts(with: Self.prefix(removed)) }
  }

  /// Removes anything in the index's place that is not a file.
  package func removeOther() throws(HoldfastError) {
    guard try !exists() else { return }
    try remove { $0 == Self.name }
  }

  private static func prefix(_ removed: Int) -> String { "\(name).new-\(removed)-" }

  private func remove(_ isObsolete: (String) -> Bool) throws(HoldfastError) {
    guard let cache = try library.folder(Layout.cache) else { return }
    let found = try cache.entries().filter { $0.text.map(isObsolete) == true }
    guard !found.isEmpty else { return }
    for entry in found where entry.kind != .directory {
      do throws(HoldfastError) {
        try SystemCalls.unlink(DirectoryRelativePath(in: cache.file, entry.name))
      } catch let error where error.code == .missing {}
    }
    let folders = found.filter { $0.kind == .directory }
    if !folders.isEmpty {
      try TreeRemoval.remove(folders, of: cache, by: library.making(Layout.trash))
    }
    try cache.sync()
  }
}

/// A new index that is being filled, and removed at its end unless it was published.
package final class NewWordIndexFile: Sendable {
  private let cache: Directory
  private let name: String

  init(cache: Directory, name: String) {
    self.cache = cache
    self.name = name
  }

  deinit { try? cache.remove(name) }

  /// The path for SQLite.
  package var path: String { cache.place(name).path }

  /// Makes this the index, in place of an older one.
  ///
  /// - Throws: `HoldfastError`: `missing` if another process has removed the file meanwhile.
  package func publish() throws(HoldfastError) {
    try SystemCalls.sync(cache.openFile(name))
    try SystemCalls.rename(cache.place(name), replacing: cache.place(WordIndexFile.name))
  }
}

extension LibraryTree {
  package var wordIndexFile: WordIndexFile { WordIndexFile(library: directory) }
}
