import CFFmpeg

/// The parameter sets in a stream's header, and a check that its packets bring no others.
///
/// A player gets only the sets in the header. Packets that bring others, because the camera
/// restarted in the middle, show as garbage. Only the lengths and types of a packet's units are
/// read. FFmpeg's functions for that unpack every byte.
struct ParameterSets {
  enum Finding {
    case kept
    /// The packet brings parameter sets that are not in the header.
    case changed
    /// A unit is longer than the rest of its packet: the packet is damaged.
    case damaged
  }

  var followsStartCodes: Bool { startCodes != nil }

  private let isH264: Bool
  /// The number of bytes of a unit's length.
  private let lengthSize: Int
  private var known: Set<[UInt8]> = []
  /// The form of packets whose units follow start codes; `nil` if they follow their lengths.
  private let startCodes: StartCodes?

  /// Reads the configuration of H.264 (`avcC`, ISO/IEC 14496-15 §5.3.3.1) or HEVC (`hvcC`,
  /// §8.3.3.1). Returns `nil` for other codecs, and for configurations in another form.
  init?(_ parameters: AVCodecParameters) {
    startCodes = StartCodes(parameters)
    if let startCodes {
      (isH264, lengthSize) = (parameters.codec_id == AV_CODEC_ID_H264, 0)
      known = Set(startCodes.parameterSets)
      return
    }
    guard let start = parameters.extradata, parameters.extradata_size > 6, start[0] == 1 else {
      return nil
    }
    var bytes = ByteReader(
      bytes: UnsafeBufferPointer(start: start, count: Int(parameters.extradata_size)))
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

  func examine(_ packet: UnsafeMutablePointer<AVPacket>) -> Finding {
    guard let data = packet.pointee.data else { return .kept }
    let bytes = UnsafeBufferPointer(start: data, count: Int(packet.pointee.size))
    if let startCodes {
      guard StartCodes.areIn(bytes) else { return .damaged }
      var isChanged = false
      startCodes.forEachUnit(in: bytes) { unit in
        if startCodes.isParameterSet(unit), !known.contains(StartCodes.trimmed(unit)) {
          isChanged = true
        }
      }
      return isChanged ? .changed : .kept
    }
    var reader = ByteReader(bytes: bytes)
    while reader.rest >= lengthSize {
      guard let unit = reader.slice(reader.number(of: lengthSize)) else { return .damaged }
      // Some cameras pad packets with zeros, which read as empty units.
      guard let first = unit.first else { continue }
      let isParameterSet =
        isH264 ? [7, 8].contains(first & 0x1F) : (32...34).contains(first >> 1 & 0x3F)
      if isParameterSet, !known.contains(Array(unit)) { return .changed }
    }
    return .kept
  }
}

/// A reader of consecutive bytes. Beyond the end it reads zeros.
private struct ByteReader {
  let bytes: UnsafeBufferPointer<UInt8>
  var place = 0

  var rest: Int { bytes.count - place }

  mutating func skip(_ count: Int) { place = min(bytes.count, place + count) }

  mutating func byte() -> UInt8 {
    guard place < bytes.count else { return 0 }
    defer { place += 1 }
    return bytes[place]
  }

  /// Reads a number of `count` bytes, the most significant first.
  mutating func number(of count: Int) -> Int {
    (0..<count).reduce(0) { number, _ in number << 8 | Int(byte()) }
  }

  mutating func slice(_ count: Int) -> Slice<UnsafeBufferPointer<UInt8>>? {
    guard count <= rest else { return nil }
    defer { place += count }
    return bytes[place..<place + count]
  }
}
