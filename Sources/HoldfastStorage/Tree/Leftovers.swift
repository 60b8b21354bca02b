import Foundation
package import HoldfastModel

/// A folder or another entry in `.staging` or `.trash`, which an unfinished operation has left or
/// is still using.
package struct Leftover: Hashable, Sendable {
  /// Whether it is in `.trash`, and not in `.staging`.
  package var isInTrash: Bool
  /// The name, not escaped for display. Bytes that are not UTF-8 are replaced.
  package var name: String
  /// Whether a process is or may be at work in it. Another computer may be, if it is less than a
  /// day old.
  package var isAtWork: Bool

  /// The path, relative to the library's folder.
  package var path: String { "\(isInTrash ? Layout.trash : Layout.staging)/\(name)" }
}

extension TreeContents {
  /// Returns what is in `.staging` and `.trash`. Nothing is changed.
  ///
  /// Unless the caller holds the writer lock, a staging folder that is being made at this moment
  /// may look abandoned.
  package func leftovers() throws(HoldfastError) -> [Leftover] {
    var leftovers: [Leftover] = []
    for isInTrash in [false, true] {
      let parent = try directory.existing(isInTrash ? Layout.trash : Layout.staging)
      guard let parent else { continue }
      for entry in try parent.entries() {
        let name = String(decoding: entry.name, as: UTF8.self)
        let isAtWork = try isAtWork(entry, in: parent)
        leftovers.append(Leftover(isInTrash: isInTrash, name: name, isAtWork: isAtWork))
      }
    }
    return leftovers
  }

  /// Whether another computer may be about to publish a recording, or has published it although
  /// this computer does not see its row yet.
  package func isOfOtherComputer(_ id: RecordingID) throws(HoldfastError) -> Bool {
    guard let staging = try directory.existing(Layout.staging) else { return false }
    for name in try staging.entries().compactMap(WorkName.init) {
      guard let work = try Work(name, in: staging, machine: tree.machine, shared: true),
        try work.isOthersAtWork(at: .now)
      else { continue }
      if name.id == id { return true }
      if try work.lines().contains(id.uuidString) { return true }
    }
    return false
  }

  func isAtWork(_ entry: DirectoryEntry, in parent: Directory) throws(HoldfastError) -> Bool {
    guard let name = WorkName(entry),
      let work = try Work(name, in: parent, machine: tree.machine, shared: true)
    else { return false }
    if work.standing == .living { return true }
    return try work.isOthersAtWork(at: .now)
  }

  /// Whether a recording's file is in the trash, where an interrupted deletion left it.
  package func isInTrash(_ path: RelativePath, of id: RecordingID) throws(HoldfastError) -> Bool {
    guard let trash = try directory.existing(Layout.trash) else { return false }
    for name in try trash.entries().compactMap(WorkName.init) where name.id == id {
      guard let folder = try trash.existing(name.text) else { continue }
      if try SystemCalls.identity(of: folder.place(path.name)) != nil { return true }
    }
    return false
  }
}
