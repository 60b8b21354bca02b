import Glibc
import HoldfastModel

extension BagUpdate {
  /// Returns the files to remove: those that the bag's list has and the new list lacks.
  func going(from bag: Directory) throws(HoldfastError) -> [[UInt8]] {
    guard let before = try manifest(in: bag) else { return [] }
    let after = try manifest(in: folder)
    var going: [[UInt8]] = []
    var all = BagManifest.Lines(before)
    while let line = try all.next() {
      if try after?.hash(of: line.path) == nil { going.append(line.path) }
    }
    return going
  }

  /// Returns the folders of files, and the folders that these are in, the deepest first. The bag's
  /// folder `data` is not among them.
  static func folders(of paths: [[UInt8]]) -> [[UInt8]] {
    var folders: Set<[UInt8]> = []
    for path in paths {
      var folder = path[...]
      while let slash = folder.lastIndex(of: Layout.slash) {
        folder = folder[..<slash]
        guard folder.contains(Layout.slash), folders.insert(Array(folder)).inserted else { break }
      }
    }
    return folders.sorted { $0.count > $1.count }
  }

  /// Refuses an update that could not be finished: something that the bag's list does not name
  /// would be in its way, or a folder is not writable.
  func refuseObstacles(in bag: Directory) throws(HoldfastError) {
    let going = try going(from: bag)
    let names = Set(going)
    try refuseObstacles(folder, in: bag, at: []) { names.contains($0) }
    for path in Self.folders(of: going) {
      let place = DirectoryRelativePath(in: bag.file, path)
      guard try SystemCalls.identity(of: place)?.kind == .directory else { continue }
      try SystemCalls.refuseReadOnly(place)
    }
  }

  private func refuseObstacles(
    _ source: Directory, in target: Directory, at path: [UInt8], unless goes: ([UInt8]) -> Bool
  ) throws(HoldfastError) {
    try SystemCalls.refuseReadOnly(target.place("."))
    var met: [(entry: DirectoryEntry, there: FileIdentity)] = []
    for entry in try source.entries() {
      let there = try SystemCalls.identity(of: DirectoryRelativePath(in: target.file, entry.name))
      if let there { met.append((entry, there)) }
    }
    let names = try target.names(among: met.map(\.entry.name))
    for (entry, there) in met {
      let place = DirectoryRelativePath(in: target.file, entry.name)
      // The disk has something with this name that the bag's list does not name: it differs in
      // case.
      guard names.contains(entry.name) else { throw Self.obstacle(place.path) }
      let entryPath = path.isEmpty ? entry.name : path + [Layout.slash] + entry.name
      switch (entry.kind == .directory, there.kind == .directory) {
      case (true, true):
        guard let inner = try source.existing(bytes: entry.name),
          let there = try target.existing(bytes: entry.name)
        else { continue }
        try refuseObstacles(inner, in: there, at: entryPath, unless: goes)
      case (true, false):
        guard goes(entryPath) else { throw Self.obstacle(place.path) }
      case (false, true):
        guard let there = try target.existing(bytes: entry.name) else { continue }
        try refuseFiles(of: there, at: entryPath, unless: goes)
      case (false, false): continue
      }
    }
  }

  /// Refuses a folder that has files to keep where a new file must go.
  private func refuseFiles(
    of folder: Directory, at path: [UInt8], unless goes: ([UInt8]) -> Bool
  ) throws(HoldfastError) {
    for entry in try folder.entries() {
      let entryPath = path + [Layout.slash] + entry.name
      if entry.kind == .directory {
        guard let inner = try folder.existing(bytes: entry.name) else { continue }
        try refuseFiles(of: inner, at: entryPath, unless: goes)
      } else if !goes(entryPath) {
        throw Self.obstacle(DirectoryRelativePath(in: folder.file, entry.name).path)
      }
    }
  }

  private static func obstacle(_ path: String) -> HoldfastError {
    HoldfastError(.obstacle, operation: "replace", path: path)
  }

  private func manifest(in bag: Directory) throws(HoldfastError) -> BagManifest? {
    guard let file = try bag.existingFile(Bag.manifestName, O_RDONLY) else { return nil }
    return try BagManifest(file)
  }
}

extension Directory {
  /// Returns the names, in exactly this case, that entries of this folder have.
  func names(among names: [[UInt8]]) throws(HoldfastError) -> Set<[UInt8]> {
    let wanted = Set(names)
    var found: Set<[UInt8]> = []
    guard !wanted.isEmpty else { return [] }
    var reader = try DirectoryReader(file)
    while true {
      let entries = try reader.next(atMost: Self.part)
      guard !entries.isEmpty else { return found }
      found.formUnion(entries.lazy.map(\.name).filter(wanted.contains))
    }
  }

  func ignoresCase(of name: String) -> Bool {
    let other = name == name.uppercased() ? name.lowercased() : name.uppercased()
    return (try? SystemCalls.identity(of: place(other))) ?? nil != nil
  }
}
