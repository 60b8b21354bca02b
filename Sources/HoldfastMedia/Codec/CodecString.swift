import CFFmpeg
import HoldfastModel

extension CodecStrings {
  /// Creates the codec strings of the first picture stream and the first sound stream of an MP4.
  init(_ demuxer: borrowing Demuxer) {
    self.init()
    for stream in demuxer.streams {
      switch stream.parameters.pointee.codec_type {
      case AVMEDIA_TYPE_VIDEO: video = video ?? stream.codecString
      case AVMEDIA_TYPE_AUDIO: audio = audio ?? stream.codecString
      default: break
      }
    }
  }
}

extension UnsafeMutablePointer where Pointee == AVStream {
  /// The stream's codec string (RFC 6381), from an MP4's header; `nil` if the configuration is
  /// missing, or for codecs that no recording uses.
  ///
  /// FFmpeg has no function for it before version 8.
  ///
  /// - SeeAlso: RFC 6381, 3.3 and 3.4; ISO/IEC 14496-15, annex E.
  fileprivate var codecString: String? {
    let parameters = parameters.pointee
    let configuration = UnsafeBufferPointer(
      start: parameters.extradata, count: Int(parameters.extradata_size))
    switch parameters.codec_id {
    case AV_CODEC_ID_H264:
      // avcC (§5.3.3.1): a version, then profile, constraints and level.
      guard configuration.count >= 4, configuration[0] == 1 else { return nil }
      return "avc1." + configuration[1...3].map { $0.hexadecimal(digits: 2) }.joined()
    case AV_CODEC_ID_HEVC:
      if let vision = DolbyVision(of: self), vision.isProfile5 {
        // "Dolby Vision Streams Within the ISO Base Media File Format", annex C.
        return "dvh1.05." + (vision.level < 10 ? "0" : "") + "\(vision.level)"
      }
      return hevcString(configuration)
    case AV_CODEC_ID_AAC:
      // AudioSpecificConfig (ISO/IEC 14496-3, 1.6.2.1): the type has five bits. If all are set, six
      // more follow.
      guard configuration.count >= 2 else { return nil }
      let type = configuration[0] >> 3
      guard type == 31 else { return "mp4a.40.\(type)" }
      return "mp4a.40.\(32 + (configuration[0] & 7) << 3 + configuration[1] >> 5)"
    case AV_CODEC_ID_ALAC: return "alac"
    default: return nil
    }
  }

  /// Returns the codec string for an hvcC (§8.3.3.1). That has profile space, tier and profile in
  /// one byte, then 32 flags of compatible profiles, 48 flags of constraints, and the level.
  private func hevcString(_ configuration: UnsafeBufferPointer<UInt8>) -> String? {
    guard configuration.count >= 13, configuration[0] == 1 else { return nil }
    let profile = configuration[1]
    let space = ["", "A", "B", "C"][Int(profile >> 6)]
    let tier = profile & 0x20 == 0 ? "L" : "H"
    // In the string the first flag is the lowest bit, and leading zeros are left out.
    let compatible = configuration[2...5].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }.bitReversed
    var parts = [
      "hvc1", "\(space)\(profile & 0x1F)", compatible.hexadecimal(digits: 1),
      "\(tier)\(configuration[12])",
    ]
    var constraints = Array(configuration[6...11])
    while constraints.last == 0 { constraints.removeLast() }
    parts += constraints.map { $0.hexadecimal(digits: 1) }
    return parts.joined(separator: ".")
  }
}

extension FixedWidthInteger {
  /// Returns the number in upper-case hexadecimal with at least `digits` digits.
  fileprivate func hexadecimal(digits: Int) -> String {
    let text = String(self, radix: 16, uppercase: true)
    return String(repeating: "0", count: Swift.max(0, digits - text.count)) + text
  }
}

extension UInt32 {
  fileprivate var bitReversed: UInt32 {
    (0..<32).reduce(0) { $0 << 1 | (self >> $1 & 1) }
  }
}
