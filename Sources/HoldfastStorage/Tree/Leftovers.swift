import Foundation
package import HoldfastModel

/// The entries that unfinished operations have left, or are still using.
package struct Leftovers: Hashable, Sendable {
  /// A name in `.staging` or `.trash`.
  package struct Entry: Hashable, Sendable {
    /// The name, not escaped for display. Bytes that are not UTF-8 are replaced.
    package var name: String
    /// Whether a process is or may be at work in it. Another computer may be, if it is less than a
    /// day old.
    package var isAtWork: Bool
  }

  package var staging: [Entry] = []
  package var trash: [Entry] = []

  /// Whether anything is left over from an operation that has ended.
  package var isAnythingDead: Bool { (staging + trash).contains { !$0.isAtWork } }
  /// The first folder in which a process is or may be at work, relative to the library's folder.
  package var folderAtWork: String? {
    let names =
      staging.filter(\.isAtWork).map { "\(Layout.staging)/\($0.name)" }
      + trash.filter(\.isAtWork).map { "\(Layout.trash)/\($0.name)" }
    return names.first
  }
}

extension TreeContents {
  /// Returns what is in `.staging` and `.trash`. Nothing is changed.
  ///
  /// Unless the caller holds the writer lock, a staging folder that is being made at this moment
  /// may look abandoned.
  package func leftovers() throws(HoldfastError) -> Leftovers {
    Leftovers(staging: try leftovers(in: Layout.staging), trash: try leftovers(in: Layout.trash))
  }

  private func leftovers(in name: String) throws(HoldfastError) -> [Leftovers.Entry] {
    guard let folder = try directory.existing(name) else { return [] }
    var leftovers: [Leftovers.Entry] = []
    for entry in try folder.entries() {
      let name = String(decoding: entry.name, as: UTF8.self)
      leftovers.append(.init(name: name, isAtWork: try isAtWork(entry, in: folder)))
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
