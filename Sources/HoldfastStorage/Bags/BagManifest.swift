import Foundation
package import HoldfastModel
import Synchronization

/// The manifest of a bag: the SHA-256 of each of its files, by the file's path in the bag.
///
/// It may name millions of files, so it stays on the disk. Holdfast writes it sorted: only the
/// offset of each 256th line, and the blocks of lines that were read last, are in memory. A
/// manifest that another tool has sorted otherwise is read into memory as a whole.
///
/// - SeeAlso: RFC 8493, section 2.1.3
package final class BagManifest: Sendable {
  /// The beginning of a block of lines.
  private struct Mark {
    var path: [UInt8]
    var offset: Int64
  }

  private static let blockLength = 256
  /// The number of blocks that are kept. Asking for a recording's file and then for its thumbnail,
  /// one recording after another, goes through three or four places of the manifest at once.
  private static let mostBlocks = 8

  package let count: Int
  private let file: OpenFile
  private let marks: [Mark]
  /// The last path; `nil` if the manifest is empty.
  private let last: [UInt8]?
  /// All lines, of a manifest that is not sorted.
  private let lines: [ManifestLine]?
  /// The blocks that were read last, the latest at the end.
  private let blocks = Mutex<[(index: Int, lines: [ManifestLine])]>([])

  /// Reads a manifest: a hash, blanks, and a path on each line. The file stays open.
  ///
  /// - Throws: `damagedBag` for a malformed line, for a path that is not UTF-8 or leaves the bag,
  ///   and for a file that is listed twice; `tooLarge` for a file of more than
  ///   ``ReadLimit/manifest`` bytes.
  init(_ file: OpenFile) throws(HoldfastError) {
    try file.refuseIfLarger(than: ReadLimit.manifest)
    var reader = LineReader(file)
    var marks: [Mark] = []
    var count = 0
    var last: ManifestLine?
    while case let offset = reader.offset, let line = try Self.line(&reader, of: file) {
      if let last, !(last < line) {
        let all = try Self.sorted(file)
        (self.file, self.marks, self.count, lines) = (file, [], all.count, all)
        self.last = all.last?.path
        return
      }
      if count.isMultiple(of: Self.blockLength) {
        marks.append(Mark(path: line.path, offset: offset))
      }
      count += 1
      last = line
    }
    (self.file, self.marks, self.count, lines) = (file, marks, count, nil)
    self.last = last?.path
  }

  package func hash(of path: some Sequence<UInt8>) throws(HoldfastError) -> SHA256Digest? {
    let path = Array(path)
    if let lines { return Self.hash(of: path, in: lines) }
    let next = marks.partitioningIndex { path.lexicographicallyPrecedes($0.path) }
    guard next > 0 else { return nil }
    return try blocks.withLock { blocks throws(HoldfastError) in
      if let known = blocks.firstIndex(where: { $0.index == next - 1 }) {
        return Self.hash(of: path, in: blocks[known].lines)
      }
      let lines = try block(next - 1)
      if blocks.count == Self.mostBlocks { blocks.removeFirst() }
      blocks.append((next - 1, lines))
      return Self.hash(of: path, in: lines)
    }
  }

  /// Visits all files, in the order of their paths' bytes.
  package func forEach(_ visit: (_ path: [UInt8], _ hash: SHA256Digest) throws -> Void) throws {
    var all = Lines(self)
    while let line = try all.next() { try visit(line.path, line.hash) }
  }

  struct Lines {
    private let manifest: BagManifest
    private var reader: LineReader
    private var index = 0

    init(_ manifest: BagManifest) {
      self.manifest = manifest
      reader = LineReader(manifest.file)
    }

    mutating func next() throws(HoldfastError) -> ManifestLine? {
      let line: ManifestLine?
      if let lines = manifest.lines {
        line = index < lines.count ? lines[index] : nil
      } else {
        line = try BagManifest.line(&reader, of: manifest.file)
      }
      guard line != nil || index == manifest.count else { throw manifest.change }
      if line != nil { index += 1 }
      return line
    }
  }

  func path(outside folder: String) -> [UInt8]? {
    // Paths are sorted, so if any is outside the folder, the first or the last one is.
    [lines?.first?.path ?? marks.first?.path, last].compactMap { $0 }
      .first { !$0.starts(with: "\(folder)/".utf8) }
  }

  private static func hash(of path: [UInt8], in lines: [ManifestLine]) -> SHA256Digest? {
    let index = lines.partitioningIndex { !$0.path.lexicographicallyPrecedes(path) }
    guard index < lines.endIndex, lines[index].path == path else { return nil }
    return lines[index].hash
  }

  private func block(_ index: Int) throws(HoldfastError) -> [ManifestLine] {
    var reader = LineReader(file, at: marks[index].offset, reading: 1 << 15)
    var lines: [ManifestLine] = []
    while lines.count < Self.blockLength, let line = try Self.line(&reader, of: file) {
      lines.append(line)
    }
    guard lines.count == min(Self.blockLength, count - index * Self.blockLength) else {
      throw change
    }
    return lines
  }

  private var change: HoldfastError { Self.damage("it changes meanwhile", of: file) }

  private static func sorted(_ file: OpenFile) throws(HoldfastError) -> [ManifestLine] {
    var reader = LineReader(file)
    var lines: [ManifestLine] = []
    while let line = try line(&reader, of: file) {
      guard lines.count < ReadLimit.unsortedFiles else {
        throw damage(
          "it is not sorted by path, and has more than \(ReadLimit.unsortedFiles) lines", of: file)
      }
      lines.append(line)
    }
    lines.sort()
    for (line, next) in zip(lines, lines.dropFirst()) where line.path == next.path {
      throw damage(String(decoding: next.path, as: UTF8.self), of: file)
    }
    return lines
  }

  private static func line(
    _ reader: inout LineReader, of file: OpenFile
  ) throws(HoldfastError) -> ManifestLine? {
    guard let bytes = try reader.next() else { return nil }
    guard let line = ManifestLine(bytes) else {
      throw damage(String(decoding: bytes.prefix(200), as: UTF8.self), of: file)
    }
    return line
  }

  private static func damage(_ detail: String, of file: OpenFile) -> HoldfastError {
    HoldfastError(.damagedBag, operation: "read", path: file.path, detail: detail)
  }
}

extension Array {
  /// Returns the index of the first element that is at or behind a point, where all behind it are,
  /// too.
  fileprivate func partitioningIndex(where isBehind: (Element) -> Bool) -> Int {
    var (low, high) = (startIndex, endIndex)
    while low < high {
      let middle = low + (high - low) / 2
      if isBehind(self[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
