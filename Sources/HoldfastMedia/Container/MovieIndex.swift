import Glibc
import HoldfastModel

/// The index of an MP4 (ISO/IEC 14496-12). It corrects what FFmpeg's muxer cannot write, and reads
/// what FFmpeg's demuxer does not pass on. The boxes keep their places and sizes.
struct MovieIndex {
  private let descriptor: CInt

  /// The most boxes side by side that are searched. A file of nothing but boxes would take minutes.
  static let mostBoxes = 4096

  /// The longest believable duration, in seconds. Anything longer is nonsense.
  private static let longest = 0x1p40

  /// A box's type, and where its content is, in bytes from the file's beginning.
  private typealias Box = (type: String, content: Range<Int64>)

  /// - Parameter output: A complete file, open for reading, and also for writing if it will be
  ///   changed.
  init(_ output: OpenMedia) { descriptor = output.descriptor }

  /// Changes the name of a track's sample entry (§8.5.2), the first of its `stsd`: FFmpeg 5.1's
  /// muxer does not know `dvh1`.
  func name(_ tag: String, ofTrack track: Int) throws(HoldfastError) {
    var place = try self.track(track)
    for type in ["mdia", "minf", "stbl", "stsd"] { place = try box(type, in: place) }
    // Version and count come before the entry, and the entry begins with its size.
    try write(Array(tag.utf8), at: place.lowerBound + 12)
  }

  /// Ends the presentation of a track, counted from 0 in the order of the file, at a time in
  /// seconds on the file's clock.
  ///
  /// An edit list can end before the last packets do, and so hide them. FFmpeg can read such a list
  /// but cannot write one. The same length is in three boxes: `elst` (§8.6.6), `tkhd` (§8.3.2) and
  /// `mvhd` (§8.2.2). The length of the media, `mdhd` (§8.4.2), may be longer, but not shorter,
  /// because readers take the shortest of all.
  func end(track: Int, at end: Double) throws(HoldfastError) {
    let moov = try box("moov", in: 0..<Int64.max)
    let traks = try tracks(in: moov)
    guard traks.indices.contains(track) else { throw Self.unexpected("trak") }
    let mvhd = try Header(try box("mvhd", in: moov), times: 2, self)
    let timescale = Double(try number(at: mvhd.next, bytes: 4))
    let list = try box("elst", in: try box("edts", in: traks[track]))
    let isLong = try number(at: list.lowerBound, bytes: 1) == 1
    let count = Int64(try number(at: list.lowerBound + 4, bytes: 4))
    let (width, size): (Int, Int64) = isLong ? (8, 20) : (4, 12)
    guard count > 0, list.lowerBound + 8 + count * size <= list.upperBound else {
      throw Self.unexpected("elst")
    }
    // All entries but the last are empty: the track waits for that long at the beginning.
    var waiting: UInt64 = 0
    for entry in 0..<count - 1 {
      waiting += try number(at: list.lowerBound + 8 + entry * size, bytes: width)
    }
    let total = UInt64(max(Double(waiting) + 1, (end * timescale).rounded()))
    try write(total - waiting, at: list.lowerBound + 8 + (count - 1) * size, bytes: width)
    var longest: UInt64 = 0
    for (index, trak) in traks.enumerated() {
      // After the times come the track's number and four reserved bytes.
      let tkhd = try Header(try box("tkhd", in: trak), times: 2, self)
      if index == track { try write(total, at: tkhd.next + 8, bytes: tkhd.width) }
      longest = max(longest, try number(at: tkhd.next + 8, bytes: tkhd.width))
    }
    try write(longest, at: mvhd.next + 4, bytes: mvhd.width)
    let mdhd = try Header(try box("mdhd", in: try box("mdia", in: traks[track])), times: 2, self)
    let ticks = Double(try number(at: mdhd.next, bytes: 4)) / max(timescale, 1)
    let shown = UInt64((Double(total - waiting) * ticks).rounded(.up))
    if try number(at: mdhd.next + 4, bytes: mdhd.width) < shown {
      try write(shown, at: mdhd.next + 4, bytes: mdhd.width)
    }
  }

  /// Returns the duration in the header, in seconds (`mvhd`, §8.2.2), which players use and FFmpeg
  /// 7 does not pass on. `nil` if the header gives none, as in a file of fragments, or a
  /// nonsensical one.
  func length() throws(HoldfastError) -> Double? {
    let mvhd = try Header(try box("mvhd", in: try box("moov", in: 0..<Int64.max)), times: 2, self)
    let timescale = Double(try number(at: mvhd.next, bytes: 4))
    let ticks = try number(at: mvhd.next + 4, bytes: mvhd.width)
    let isUnknown = ticks == 0 || ticks == (mvhd.width == 8 ? .max : UInt64(UInt32.max))
    let seconds = Double(ticks) / timescale
    return isUnknown || !(seconds < Self.longest) ? nil : seconds
  }

  /// Returns the IDs (`tkhd`, §8.3.2) of the tracks whose sample entries (`stsd`, §8.5.2) name more
  /// than one codec.
  func tracksOfSeveralCodecs() throws(HoldfastError) -> Set<Int> {
    var found: Set<Int> = []
    for trak in try tracks(in: try box("moov", in: 0..<Int64.max)) {
      guard let codecs = try? codecs(of: trak), codecs.count > 1 else { continue }
      let tkhd = try Header(try box("tkhd", in: trak), times: 2, self)
      found.insert(Int(try number(at: tkhd.next, bytes: 4)))
    }
    return found
  }

  private func codecs(of trak: Range<Int64>) throws(HoldfastError) -> Set<String> {
    var place = trak
    for type in ["mdia", "minf", "stbl", "stsd"] { place = try box(type, in: place) }
    // Version and count come before the entries.
    let entries = try boxes(in: min(place.lowerBound + 8, place.upperBound)..<place.upperBound)
    return Set(entries.map(\.type))
  }

  private func tracks(in moov: Range<Int64>) throws(HoldfastError) -> [Range<Int64>] {
    try boxes(in: moov).filter { $0.type == "trak" }.map(\.content)
  }

  private func track(_ number: Int) throws(HoldfastError) -> Range<Int64> {
    let traks = try tracks(in: try box("moov", in: 0..<Int64.max))
    guard traks.indices.contains(number) else { throw Self.unexpected("trak") }
    return traks[number]
  }

  /// The beginning of a box with times. Its version says how many bytes each time has.
  private struct Header {
    let width: Int
    /// The offset of the fields after the times.
    let next: Int64

    init(_ content: Range<Int64>, times: Int64, _ file: MovieIndex) throws(HoldfastError) {
      width = try file.number(at: content.lowerBound, bytes: 1) == 1 ? 8 : 4
      next = content.lowerBound + 4 + times * Int64(width)
    }
  }

  func box(_ type: String, in range: Range<Int64>) throws(HoldfastError) -> Range<Int64> {
    guard let box = try boxes(in: range, until: type).last, box.type == type else {
      throw Self.unexpected(type)
    }
    return box.content
  }

  /// Returns the boxes in a part of the file, up to the first of a type.
  private func boxes(in range: Range<Int64>, until type: String? = nil) throws(HoldfastError)
    -> [Box]
  {
    var boxes: [Box] = []
    var place = range.lowerBound
    while place < range.upperBound, boxes.last?.type != type || type == nil {
      guard boxes.count < Self.mostBoxes else { throw Self.unexpected(type ?? "moov") }
      var size = Int64(try number(at: place, bytes: 4))
      let name = try bytes(at: place + 4, count: 4)
      var header: Int64 = 8
      if size == 1 {
        size = Int64(clamping: try number(at: place + 8, bytes: 8))
        header = 16
      }
      guard size >= header, size <= range.upperBound - place else {
        throw Self.unexpected(type ?? "moov")
      }
      boxes.append((String(decoding: name, as: UTF8.self), place + header..<place + size))
      place += size
    }
    return boxes
  }

  private func number(at place: Int64, bytes count: Int) throws(HoldfastError) -> UInt64 {
    try bytes(at: place, count: count).reduce(0) { $0 << 8 | UInt64($1) }
  }

  func bytes(at place: Int64, count: Int) throws(HoldfastError) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: count)
    let read = pread(descriptor, &bytes, count, off_t(place))
    guard read >= 0 else {
      throw HoldfastError(systemError: errno, as: .outputRefused, operation: "read")
    }
    guard read == count else { throw Self.unexpected("box") }
    return bytes
  }

  private func write(_ number: UInt64, at place: Int64, bytes count: Int) throws(HoldfastError) {
    guard count == 8 || number <= UInt32.max else {
      throw HoldfastError(.library, "its length does not fit into its index")
    }
    try write(
      (0..<count).map { UInt8(truncatingIfNeeded: number >> (8 * (count - 1 - $0))) }, at: place)
  }

  private func write(_ bytes: [UInt8], at place: Int64) throws(HoldfastError) {
    guard pwrite(descriptor, bytes, bytes.count, off_t(place)) == bytes.count else {
      throw HoldfastError(systemError: errno, as: .outputRefused, operation: "write")
    }
  }

  private static func unexpected(_ box: String) -> HoldfastError {
    HoldfastError(.library, "its index is without the \(box) that was expected")
  }
}
