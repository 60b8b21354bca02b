/// The order in which a command's changes reach the disk, and the possible results of a power cut.
///
/// The rules: a file is on the disk before it gets its name in the library, the
/// name before the catalog's transaction, and that before anything is removed.
struct WriteOrder {
  /// One change, or the wait until the changes of a file or folder, or all of them, are on the
  /// disk. Paths are relative to the library; its own folder is "".
  enum Step: Hashable {
    case write(String)
    case sync(String)
    case syncAll
    case make(String)
    case rename(from: String, to: String)
    case remove(String)
  }

  private static let catalog = "catalog.sqlite"
  private static let journal = "catalog.sqlite-journal"
  var steps: [Step]

  /// Reads a trace.
  init(_ trace: Strace, in library: LibraryFolder) {
    steps = trace.tracedCalls.flatMap { call -> [Step] in
      let paths = call.paths.compactMap { Self.relative($0, library.path) }
      guard let path = paths.first, !call.text.contains(" = -1 ") else { return [] }
      switch call.name {
      case "write", "writev", "pwrite64", "pwritev", "ftruncate", "fallocate": return [.write(path)]
      case "fsync", "fdatasync": return [.sync(path)]
      case "syncfs": return [.syncAll]
      case "mkdir", "mkdirat": return [.make(path)]
      case "open", "openat": return call.text.contains("O_CREAT|O_EXCL") ? [.make(path)] : []
      case "rename", "renameat", "renameat2":
        return paths.count == 2 ? [.rename(from: path, to: paths[1])] : []
      case "linkat":
        // The other name's bytes may not be on the disk.
        let name = paths.last ?? path
        return [.make(name), .write(name)]
      case "unlink", "unlinkat", "rmdir": return [.remove(path)]
      default: return []
      }
    }
  }

  private static func relative(_ path: String, _ library: String) -> String? {
    if path == library { return "" }
    return path.hasPrefix(library + "/") ? String(path.dropFirst(library.count + 1)) : nil
  }

  /// The possible damage by a power cut, one sentence each; empty for a correct order.
  var complaints: [String] {
    published() + named() + committed() + removed() + journalled()
  }

  /// A file and the list of what may be published are on the disk before the file gets its name. No
  /// list is needed for the recording whose identity is the staging folder's name.
  private func published() -> [String] {
    crossings.flatMap { index, from, _ -> [String] in
      guard from.hasPrefix(".staging/") else { return [] }
      let folder = Self.parent(from)
      let list = Self.isNamedByFolder(from) ? [] : ["\(folder)/lock"]
      let isLate = ([from] + list).filter { path in
        !isSynced(path, after: .write(path), before: index)
      }
      let isNameless = list.isEmpty || isSynced(folder, after: .make(from), before: index)
      return isLate.map { "\($0) is written and not synced before the rename of \(from)" }
        + (isNameless ? [] : ["\(folder) is not synced before the rename of \(from)"])
    }
  }

  /// A folder is on the disk before something is moved into or out of it. ``committed()`` judges
  /// files made in `Recordings`: they are linked there while others are moved.
  private func named() -> [String] {
    guard let first = crossings.first?.index else { return [] }
    return steps[..<first].compactMap { step in
      guard case .make(let path) = step, !hasOnlyItsOwn(Self.parent(path)),
        !Self.isTrashLock(path), !path.hasPrefix("Recordings/")
      else { return nil }
      let isFound = isSynced(Self.parent(path), after: step, before: first)
      return isFound ? nil : "\(path) is made and \(Self.parent(path)) not synced before the rename"
    }
  }

  /// Files moved into or out of `Recordings`, or made there, are on the disk before the
  /// transaction's end.
  private func committed() -> [String] {
    let made = steps.indices.compactMap { index -> (index: Int, from: String, to: String)? in
      guard case .make(let path) = steps[index], path.hasPrefix("Recordings/") else { return nil }
      return (index, path, path)
    }
    return (crossings + made).flatMap { index, from, to -> [String] in
      // Files in quarantine have no row: it is enough that they are found there.
      let next = Self.isQuarantine(from, to) ? steps.endIndex : nil
      guard let commit = next ?? steps[index...].firstIndex(of: .remove(Self.journal)) else {
        return ["nothing is committed after \(from) gets its name, or loses it"]
      }
      // A staged file's origin does not matter: its folder is removed.
      let folders = [to, from].filter { !$0.hasPrefix(".staging/") }.map(Self.parent)
      return folders.filter { !contains(.sync($0), in: index..<commit) }
        .map { "\($0.isEmpty ? "the library" : $0) is not synced between a name and the commit" }
    }
  }

  /// Nothing is removed before the end of the transaction is on the disk.
  private func removed() -> [String] {
    steps.indices.compactMap { removal in
      guard case .remove(let path) = steps[removal],
        path.hasPrefix(".trash/") || path.hasPrefix(".staging/"),
        let crossing = crossings.last(where: { index, from, to in
          index < removal && !Self.isQuarantine(from, to)
        })?.index
      else { return nil }
      let commit = steps[crossing..<removal].firstIndex(of: .remove(Self.journal))
      let isCommitted = commit.map { contains(.sync(""), in: $0..<removal) } ?? false
      return isCommitted ? nil : "\(path) is removed before the commit is on the disk"
    }
  }

  /// SQLite's own order: journal, its name, database, end of the journal.
  private func journalled() -> [String] {
    var complaints: [String] = []
    var begin = 0
    for index in steps.indices where steps[index] == .remove(Self.journal) {
      let transaction = steps[begin..<index]
      if let journal = transaction.firstIndex(of: .write(Self.journal)),
        let catalog = steps[journal..<index].firstIndex(of: .write(Self.catalog))
      {
        if !isSynced(Self.journal, after: .write(Self.journal), before: catalog) {
          complaints.append("the catalog is written before its journal is synced")
        }
        if !contains(.sync(""), in: journal..<catalog) {
          complaints.append("the catalog is written before the name of its journal is synced")
        }
      } else {
        complaints.append("a journal goes before the catalog is written")
      }
      if !isSynced(Self.catalog, after: .write(Self.catalog), before: index) {
        complaints.append("the journal goes before the catalog is synced")
      }
      let next = steps[index...].firstIndex(of: .write(Self.journal)) ?? steps.endIndex
      if !contains(.sync(""), in: index..<next) {
        complaints.append("the end of the journal is not synced")
      }
      begin = index
    }
    return complaints
  }

  /// The renames into and out of `Recordings`, or of itself.
  private var crossings: [(index: Int, from: String, to: String)] {
    steps.enumerated().compactMap { index, step in
      guard case .rename(let from, let to) = step,
        [from, to].contains(where: { $0.hasPrefix("Recordings") })
      else { return nil }
      return (index, from, to)
    }
  }

  /// Whether `step` is done before `index`, and `path` synced after its last time.
  private func isSynced(_ path: String, after step: Step, before index: Int) -> Bool {
    guard let last = steps[..<index].lastIndex(of: step) else { return false }
    return contains(.sync(path), in: last..<index)
  }

  /// Whether some steps have a sync among them, or one of everything.
  private func contains(_ sync: Step, in range: Range<Int>) -> Bool {
    steps[range].contains { $0 == sync || $0 == .syncAll }
  }

  /// Whether a staged file belongs to the recording whose identity is its folder's name.
  private static func isNamedByFolder(_ path: String) -> Bool {
    let parts = path.split(separator: "/")
    // The computer follows the identity.
    return parts.count == 3 && parts[2].contains(parts[1].prefix(36))
  }

  /// Whether a folder is in staging, and at most its own recording's files are moved out of it:
  /// they are found at their target, and the folder by its name.
  private func hasOnlyItsOwn(_ folder: String) -> Bool {
    let moved = crossings.map(\.from).filter { Self.parent($0) == folder }
    return folder.hasPrefix(".staging/") && moved.allSatisfy(Self.isNamedByFolder)
  }

  /// Whether a file is the lock of a deletion, which is needed as long as the process lives.
  private static func isTrashLock(_ path: String) -> Bool {
    path.hasPrefix(".trash/") && path.hasSuffix("/lock")
  }

  private static func isQuarantine(_ from: String, _ to: String) -> Bool {
    [from, to].contains { $0.hasPrefix(".quarantine/") }
  }

  private static func parent(_ path: String) -> String {
    path.split(separator: "/").dropLast().joined(separator: "/")
  }
}
