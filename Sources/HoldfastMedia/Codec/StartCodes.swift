import CFFmpeg
import Glibc

/// H.264 and HEVC whose units follow start codes (ITU-T H.264 and H.265, annex B), as in MPEG-TS.
///
/// In an MP4 each unit follows its length. FFmpeg's muxer writes that form.
struct StartCodes {
  typealias Unit = Slice<UnsafeBufferPointer<UInt8>>

  private let isH264: Bool
  /// The parameter sets of the header.
  private(set) var parameterSets: [[UInt8]] = []

  /// Reads the parameter sets that FFmpeg found in a stream. Returns `nil` for other codecs, and
  /// for a header in another form.
  init?(_ parameters: AVCodecParameters) {
    switch parameters.codec_id {
    case AV_CODEC_ID_H264: isH264 = true
    case AV_CODEC_ID_HEVC: isH264 = false
    default: return nil
    }
    let header = UnsafeBufferPointer(
      start: parameters.extradata, count: Int(parameters.extradata_size))
    guard Self.areIn(header) else { return nil }
    var sets: [[UInt8]] = []
    forEachUnit(in: header) { unit in
      if isParameterSet(unit) { sets.append(Self.trimmed(unit)) }
    }
    parameterSets = sets
  }

  /// Why the header cannot be written in MP4 form; `nil` if it can.
  var obstacle: String? {
    let wanted: [UInt8] = isH264 ? [7, 8] : [32, 33, 34]
    let types = parameterSets.map { type($0[0]) }
    guard wanted.allSatisfy(types.contains) else {
      return "its parameter sets are not in its header"
    }
    let sequences = types.count { $0 == 7 }
    return isH264 && sequences > 1 ? "it has \(sequences) sequence parameter sets" : nil
  }

  /// Whether bytes begin with a start code.
  static func areIn(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    bytes.starts(with: [0, 0, 1]) || bytes.starts(with: [0, 0, 0, 1])
  }

  /// Returns the bytes of a unit without the zeros that may follow it.
  static func trimmed(_ unit: Unit) -> [UInt8] {
    Array(unit[..<(unit.lastIndex { $0 != 0 }.map { $0 + 1 } ?? unit.endIndex)])
  }

  func isParameterSet(_ unit: Unit) -> Bool {
    guard let first = unit.first else { return false }
    return isH264 ? [7, 8].contains(type(first)) : (32...34).contains(type(first))
  }

  private func type(_ first: UInt8) -> UInt8 { isH264 ? first & 0x1F : first >> 1 & 0x3F }

  /// Calls `body` with each unit, which begins and ends where FFmpeg's muxer finds it
  /// (`ff_avc_find_startcode`).
  func forEachUnit(in bytes: UnsafeBufferPointer<UInt8>, _ body: (Unit) -> Void) {
    var place = Self.startCode(in: bytes, from: 0)
    while true {
      while place < bytes.count, bytes[place] == 0 { place += 1 }
      place += 1
      guard place < bytes.count else { return }
      let end = Self.startCode(in: bytes, from: place)
      body(bytes[place..<end])
      place = end
    }
  }

  /// Returns where the next start code begins, with one of the zeros before it; the end of the
  /// bytes if there is none.
  private static func startCode(in bytes: UnsafeBufferPointer<UInt8>, from: Int) -> Int {
    guard let base = bytes.baseAddress else { return bytes.count }
    var place = from + 2
    while place < bytes.count, let found = memchr(base + place, 1, bytes.count - place) {
      let one = UnsafeRawPointer(base).distance(to: UnsafeRawPointer(found))
      if bytes[one - 1] == 0, bytes[one - 2] == 0 {
        let start = one - 2
        return start > from && bytes[start - 1] == 0 ? start - 1 : start
      }
      place = one + 1
    }
    return bytes.count
  }
}

/// A check that each packet of H.264 is a whole picture. Some cameras store the two fields of an
/// interlaced picture one after the other, and players of MP4 show only one of them.
final class FieldPictures {
  private let parser: UnsafeMutablePointer<AVCodecParserContext>
  private let context: UnsafeMutablePointer<AVCodecContext>

  /// Returns `nil` for other codecs, and for progressive pictures.
  init?(_ parameters: UnsafeMutablePointer<AVCodecParameters>) {
    guard parameters.pointee.codec_id == AV_CODEC_ID_H264,
      parameters.pointee.field_order != AV_FIELD_PROGRESSIVE,
      let context = avcodec_alloc_context3(nil)
    else { return nil }
    guard avcodec_parameters_to_context(context, parameters) >= 0,
      let parser = cff_parser_init(AV_CODEC_ID_H264)
    else {
      release(context) { avcodec_free_context($0) }
      return nil
    }
    parser.pointee.flags |= PARSER_FLAG_COMPLETE_FRAMES
    self.context = context
    self.parser = parser
  }

  deinit {
    av_parser_close(parser)
    release(context) { avcodec_free_context($0) }
  }

  func isField(_ packet: UnsafeMutablePointer<AVPacket>) -> Bool {
    var output: UnsafeMutablePointer<UInt8>?
    var size: CInt = 0
    av_parser_parse2(
      parser, context, &output, &size, packet.pointee.data, packet.pointee.size,
      packet.pointee.pts, packet.pointee.dts, packet.pointee.pos)
    return [AV_PICTURE_STRUCTURE_TOP_FIELD, AV_PICTURE_STRUCTURE_BOTTOM_FIELD]
      .contains(parser.pointee.picture_structure)
  }
}
