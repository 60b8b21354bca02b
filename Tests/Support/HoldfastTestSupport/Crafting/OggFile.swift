import Foundation

/// The pages of an Ogg file (RFC 3533). A test changes some of them.
public struct OggFile {
  /// A page: its header, the lengths of its packets' pieces, and the pieces.
  public struct Page {
    fileprivate var header: [UInt8]
    /// The lengths of the pieces.
    public var lacing: [UInt8]
    /// The pieces.
    public var body: [UInt8]

    /// When its last packet ends.
    public var granule: Int64 {
      get { header[6..<14].reversed().reduce(0) { $0 << 8 | Int64($1) } }
      set {
        for index in 0..<8 {
          header[6 + index] = UInt8(truncatingIfNeeded: newValue >> (8 * index))
        }
      }
    }

    fileprivate var bytes: [UInt8] { header.dropLast() + [UInt8(lacing.count)] + lacing + body }
  }

  /// The pages in their order.
  public var pages: [Page] = []

  /// Reads the pages of a file.
  public init(_ path: String) throws {
    let bytes = Array(try Data(contentsOf: URL(filePath: path)))
    var place = 0
    while place + 27 <= bytes.count {
      let pieces = place + 27
      let content = pieces + Int(bytes[place + 26])
      let lacing = Array(bytes[pieces..<content])
      let end = content + lacing.reduce(0) { $0 + Int($1) }
      pages.append(
        Page(
          header: Array(bytes[place..<pieces]), lacing: lacing, body: Array(bytes[content..<end])))
      place = end
    }
  }

  /// Writes the pages, with their checksums made again.
  public func write(to path: String) throws {
    var bytes = pages.flatMap(\.bytes)
    OggPages.correctChecksums(&bytes)
    try Data(bytes).write(to: URL(filePath: path))
  }
}
