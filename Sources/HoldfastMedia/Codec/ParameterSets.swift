internal import CFFmpeg

/// The parameter sets in a stream's header, and whether its packets keep to them.
///
/// A player is given the header's sets alone: packets that bring others along, because the camera
/// began anew in the middle, show as garbage. Only the lengths and types of the units in a packet
/// are read, of which no function of FFmpeg's speaks without unpacking every byte.
struct ParameterSets {
  /// What a packet shows.
  enum Finding {
    case kept
    /// It brings parameter sets that are not the header's.
    case changed
    /// Its units do not fill it, as its form demands: it is damaged.
    case damaged
  }

  private let isH264: Bool
  /// How many bytes the length of a unit takes.
  private let lengthSize: Int
  private var known: Set<[UInt8]> = []

  /// Reads the configuration of H.264 (`avcC`, ISO/IEC 14496-15 §5.3.3.1) or HEVC (`hvcC`,
  /// §8.3.3.1); `nil` for other codecs, and for configurations in another form.
  init?(_ parameters: AVCodecParameters) {
    guard let start = parameters.extradata, parameters.extradata_size > 6, start[0] == 1 else {
      return nil
    }
    var bytes = ByteReader(UnsafeBufferPointer(start: start, count: Int(parameters.extradata_size)))
    switch parameters.codec_id {
    case AV_CODEC_ID_H264:
      isH264 = true
      bytes.skip(4)
      lengthSize = Int(bytes.byte() & 3) + 1
      for mask: UInt8 in [0x1F, 0xFF] { readUnits(Int(bytes.byte() & mask), from: &bytes) }
    case AV_CODEC_ID_HEVC:
      isH264 = false
      bytes.skip(21)
      lengthSize = Int(bytes.byte() & 3) + 1
      for _ in 0..<bytes.byte() {
        bytes.skip(1)
        readUnits(bytes.number(of: 2), from: &bytes)
      }
    default: return nil
    }
  }

  private mutating func readUnits(_ count: Int, from bytes: inout ByteReader) {
    for _ in 0..<count {
      guard let unit = bytes.slice(bytes.number(of: 2)) else { return }
      known.insert(Array(unit))
    }
  }

  /// Looks through a packet.
  func examine(_ packet: UnsafeMutablePointer<AVPacket>) -> Finding {
    guard let data = packet.pointee.data else { return .kept }
    var bytes = ByteReader(UnsafeBufferPointer(start: data, count: Int(packet.pointee.size)))
    while bytes.rest >= lengthSize {
      guard let unit = bytes.slice(bytes.number(of: lengthSize)) else { return .damaged }
      // Some cameras fill up with zeros.
      guard let first = unit.first else { continue }
      let isParameterSet =
        isH264 ? [7, 8].contains(first & 0x1F) : (32...34).contains(first >> 1 & 0x3F)
      if isParameterSet, !known.contains(Array(unit)) { return .changed }
    }
    return .kept
  }
}

/// Reads bytes one after the other; beyond the end there are only zeros.
private struct ByteReader {
  private let bytes: UnsafeBufferPointer<UInt8>
  private var place = 0

  init(_ bytes: UnsafeBufferPointer<UInt8>) { self.bytes = bytes }

  var rest: Int { bytes.count - place }

  mutating func skip(_ count: Int) { place = min(bytes.count, place + count) }

  mutating func byte() -> UInt8 {
    guard place < bytes.count else { return 0 }
    defer { place += 1 }
    return bytes[place]
  }

  /// A number of so many bytes, the most significant first.
  mutating func number(of count: Int) -> Int {
    (0..<count).reduce(0) { number, _ in number << 8 | Int(byte()) }
  }

  /// The next bytes; `nil` if there are not so many.
  mutating func slice(_ count: Int) -> Slice<UnsafeBufferPointer<UInt8>>? {
    guard count <= rest else { return nil }
    defer { place += count }
    return bytes[place..<place + count]
  }
}
