internal import HoldfastModel
internal import HoldfastSupport

/// The list of a bag's files while the bag is written.
///
/// It may become too long for memory. But files come in a few runs that are sorted: the thumbnails, the voice memos,
/// the videos. Each run is in a file without a name, and all are merged in the end. The few files that fit no run are in
/// memory.
struct BagList: ~Copyable {
  /// The name that a run's file has for a moment.
  static let name = "manifest.part"
  private static let mostRuns = 8

  private let folder: Directory
  private var runs: [Run] = []
  private var others: [ManifestLine] = []
  /// How many files are listed.
  private(set) var count = 0

  /// - Parameter folder: The bag's folder.
  init(in folder: Directory) { self.folder = folder }

  /// A part of the list that is sorted.
  private struct Run {
    private static let mostBytes = 1 << 16

    let file: OpenFile
    private(set) var last: ManifestLine
    private var pending: [UInt8]

    init(_ file: OpenFile, _ first: ManifestLine) {
      self.file = file
      last = first
      pending = first.bytes
    }

    mutating func add(_ line: ManifestLine, _ bytes: [UInt8]) throws(StorageError) {
      pending += bytes
      last = line
      if pending.count >= Self.mostBytes { try flush() }
    }

    mutating func flush() throws(StorageError) {
      try file.write(pending[...])
      pending.removeAll(keepingCapacity: true)
    }
  }

  /// Lists a file.
  ///
  /// - Throws: ``StorageError`` when it cannot be written, and `damagedBag` when it could not be read back: what cannot be
  ///   read back is no backup.
  mutating func add(_ path: String, _ hash: SHA256Digest) throws(StorageError) {
    let line = ManifestLine(Array(path.utf8), hash)
    let bytes = line.bytes
    guard ManifestLine(bytes.dropLast()) == line else { throw unreadable(line) }
    count += 1
    let fitting = runs.indices.filter { runs[$0].last < line }
    if let index = fitting.max(by: { runs[$0].last < runs[$1].last }) {
      try runs[index].add(line, bytes)
    } else if runs.count < Self.mostRuns {
      let file = try folder.makeFile(Self.name)
      try folder.remove(Self.name)
      runs.append(Run(file, line))
    } else {
      others.append(line)
    }
  }

  /// Writes the list into a file, sorted by path, and forgets it. Returns the file's hash.
  ///
  /// - Throws: ``StorageError`` when it cannot be written, and `damagedBag` when a file is listed twice with
  ///   different hashes.
  mutating func write(to file: OpenFile) throws(StorageError) -> SHA256Digest {
    for index in runs.indices { try runs[index].flush() }
    others.sort()
    var readers = runs.map { LineReader($0.file) }
    // The next line of each run, and of the others.
    var heads: [ManifestLine?] = []
    for index in readers.indices {
      heads.append(try readers[index].next().flatMap(ManifestLine.init))
    }
    heads.append(others.first)
    var taken = 0
    var last: ManifestLine?
    var (hash, pending) = (SHA256(), [UInt8]())
    while let (index, line) = Self.first(of: heads) {
      if let last, !(last < line) {
        // Two rows may name one thumbnail.
        guard last == line else { throw unreadable(line) }
        count -= 1
      } else {
        pending += line.bytes
      }
      last = line
      if pending.count >= 1 << 16 {
        hash.update(pending[...])
        try file.write(pending[...])
        pending.removeAll(keepingCapacity: true)
      }
      if index < readers.count {
        heads[index] = try readers[index].next().flatMap(ManifestLine.init)
      } else {
        taken += 1
        heads[index] = taken < others.count ? others[taken] : nil
      }
    }
    hash.update(pending[...])
    try file.write(pending[...])
    // Some filesystems show a file without a name until it is closed.
    runs = []
    return hash.digest()
  }

  /// Returns the first of the lines, and its index; `nil` if there is none.
  private static func first(of heads: [ManifestLine?]) -> (Int, ManifestLine)? {
    var first: (index: Int, line: ManifestLine)?
    for case (let index, let line?) in heads.enumerated() {
      if let known = first, known.line < line || known.line.path == line.path { continue }
      first = (index, line)
    }
    return first
  }

  private func unreadable(_ line: ManifestLine) -> StorageError {
    StorageError(
      .damagedBag, "write", path: folder.file.path,
      detail: "its list of files cannot be read back: \(String(decoding: line.path, as: UTF8.self))"
    )
  }
}
