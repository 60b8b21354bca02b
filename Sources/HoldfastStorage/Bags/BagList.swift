import HoldfastModel
import HoldfastSupport

/// The list of a bag's files while the bag is written.
///
/// It may become too long for memory. But files come in a few runs that are sorted: the thumbnails,
/// the voice memos, the videos. Each run is in a file of the bag's folder, and all are merged in
/// the end. The few files that fit no run are in memory.
struct BagList: ~Copyable {
  private static let mostRuns = 8

  /// The names of the runs' files, until the bag is complete.
  static let names = (0..<mostRuns).map { "manifest.part-\($0)" }

  private let folder: Directory
  private var runs: [Run] = []
  private var others: [ManifestLine] = []
  private(set) var count = 0

  init(in folder: Directory) { self.folder = folder }

  private struct Run {
    private static let mostBytes = 1 << 16

    let file: OpenFile
    private(set) var last: ManifestLine
    private var pending: [UInt8]
    /// The hash of all lines that were added.
    private(set) var hash = SHA256()

    init(_ file: OpenFile, _ first: ManifestLine) {
      self.file = file
      last = first
      pending = first.bytes
    }

    mutating func add(_ line: ManifestLine, _ bytes: [UInt8]) throws(HoldfastError) {
      pending += bytes
      last = line
      if pending.count >= Self.mostBytes { try flush() }
    }

    mutating func flush() throws(HoldfastError) {
      hash.update(pending[...])
      try file.write(pending[...])
      pending.removeAll(keepingCapacity: true)
    }
  }

  /// Reads a run, and checks that it is what was added: a lost line would be a lost file.
  private struct RunReader {
    private var reader: LineReader
    private var hash = SHA256()
    private let expected: SHA256Digest

    init(_ run: Run) {
      reader = LineReader(run.file)
      expected = run.hash.digest()
    }

    mutating func next(orFail failure: HoldfastError) throws(HoldfastError) -> ManifestLine? {
      guard let bytes = try reader.next() else {
        guard hash.digest() == expected else { throw failure }
        return nil
      }
      guard let line = ManifestLine(bytes) else { throw failure }
      hash.update(line.bytes[...])
      return line
    }
  }

  /// Throws `damagedBag` when the line cannot be read back, because the bag would not be a backup.
  mutating func add(_ path: String, _ hash: SHA256Digest) throws(HoldfastError) {
    let line = ManifestLine(Array(path.utf8), hash)
    let bytes = line.bytes
    guard ManifestLine(bytes.dropLast()) == line else { throw unreadable(path) }
    count += 1
    let fitting = runs.indices.filter { runs[$0].last < line }
    if let index = fitting.max(by: { runs[$0].last < runs[$1].last }) {
      try runs[index].add(line, bytes)
    } else if runs.count < Self.mostRuns {
      runs.append(Run(try folder.makeFile(Self.names[runs.count]), line))
    } else {
      others.append(line)
    }
  }

  /// Writes the list into a file, sorted by path, and removes the files of the runs.
  ///
  /// - Returns: The hash of the written list, and the duplicates, already subtracted from
  ///   ``count``: two rows may name one thumbnail.
  /// - Throws: `damagedBag` when a run is not read back as it was written, or when a file was
  ///   listed with two hashes.
  mutating func write(
    to file: OpenFile
  ) throws(HoldfastError) -> (hash: SHA256Digest, repeated: [[UInt8]]) {
    for index in runs.indices { try runs[index].flush() }
    others.sort()
    let failure = unreadable("it has changed")
    var readers = runs.map(RunReader.init)
    // The next line of each run, and of the others.
    var heads: [ManifestLine?] = []
    for index in readers.indices { heads.append(try readers[index].next(orFail: failure)) }
    heads.append(others.first)
    var taken = 0
    var last: ManifestLine?
    var repeated: [[UInt8]] = []
    var (hash, pending) = (SHA256(), [UInt8]())
    while let (index, line) = Self.first(of: heads) {
      if let last, !(last < line) {
        guard last == line else { throw unreadable(String(decoding: line.path, as: UTF8.self)) }
        repeated.append(line.path)
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
        heads[index] = try readers[index].next(orFail: failure)
      } else {
        taken += 1
        heads[index] = taken < others.count ? others[taken] : nil
      }
    }
    hash.update(pending[...])
    try file.write(pending[...])
    count -= repeated.count
    readers = []
    try close()
    return (hash.digest(), repeated)
  }

  /// Removes the files of the runs. They are closed first: some filesystems keep a file under
  /// another name until then.
  mutating func close() throws(HoldfastError) {
    let names = Self.names.prefix(runs.count)
    runs = []
    for name in names { try folder.remove(name) }
  }

  private static func first(of heads: [ManifestLine?]) -> (Int, ManifestLine)? {
    var first: (index: Int, line: ManifestLine)?
    for case (let index, let line?) in heads.enumerated() {
      if let known = first, known.line < line || known.line.path == line.path { continue }
      first = (index, line)
    }
    return first
  }

  private func unreadable(_ detail: String) -> HoldfastError {
    HoldfastError(
      .damagedBag, operation: "write", path: folder.file.path,
      detail: "its list of files cannot be read back: \(detail)")
  }
}
