import CFFmpeg
import Glibc
import HoldfastModel

extension UnsafeMutablePointer where Pointee == AVFormatContext {
  var streams: [UnsafeMutablePointer<AVStream>] {
    (0..<Int(pointee.nb_streams)).compactMap { pointee.streams[$0] }
  }
}

extension UnsafeMutablePointer where Pointee == AVStream {
  var parameters: UnsafeMutablePointer<AVCodecParameters> { pointee.codecpar }
  var index: Int { Int(pointee.index) }
  var timeBase: AVRational { pointee.time_base }
  /// Whether the stream is video, not cover art or a still image.
  var isMovingPicture: Bool { kind == .video }

  /// The side data of a type, which lives as long as the stream's; `nil` if there is none.
  func sideData(_ type: AVPacketSideDataType) -> UnsafeBufferPointer<UInt8>? {
    var size = 0
    return cff_stream_side_data(self, type, &size).map {
      UnsafeBufferPointer(start: $0, count: size)
    }
  }

  /// Returns the stream as a value. FFmpeg's sentinels become optionals, and its enumerations
  /// become Holdfast's.
  func describe(in context: UnsafeMutablePointer<AVFormatContext>) -> StreamInfo {
    var info = StreamInfo(
      index: index, kind: kind, codec: codecName,
      profile: avcodec_profile_name(parameters.pointee.codec_id, parameters.pointee.profile)
        .map { String(cString: $0) })
    info.isDefault = pointee.disposition & AV_DISPOSITION_DEFAULT != 0
    info.isEncrypted = isEncrypted
    switch info.kind {
    case .video, .picture: info.picture = pictureFormat(in: context)
    case .audio:
      info.sound = SoundFormat(
        sampleRate: Int(parameters.pointee.sample_rate),
        channels: Int(parameters.pointee.ch_layout.nb_channels), bitDepth: losslessBitDepth,
        isLossless: isLossless ? true : nil)
    case .subtitle, .data: break
    }
    return info
  }

  private var kind: StreamInfo.Kind {
    let stills =
      AV_DISPOSITION_ATTACHED_PIC | AV_DISPOSITION_STILL_IMAGE | AV_DISPOSITION_TIMED_THUMBNAILS
    switch parameters.pointee.codec_type {
    case AVMEDIA_TYPE_VIDEO: return pointee.disposition & stills != 0 ? .picture : .video
    case AVMEDIA_TYPE_AUDIO: return .audio
    case AVMEDIA_TYPE_SUBTITLE: return .subtitle
    default: return .data
    }
  }

  /// The codec's name; if FFmpeg does not know it, the file's four-character code.
  private var codecName: String {
    if parameters.pointee.codec_id != AV_CODEC_ID_NONE {
      return String(cString: avcodec_get_name(parameters.pointee.codec_id))
    }
    let tag = parameters.pointee.codec_tag
    let characters = (0..<4).map { UInt8(truncatingIfNeeded: tag >> ($0 * 8)) }
    guard characters.allSatisfy({ (0x20..<0x7F).contains($0) }) else { return "unknown" }
    return String(decoding: characters, as: UTF8.self)
  }

  /// Whether the stream has common encryption (`encv`, `enca`) or the older iTunes kind (`drms`,
  /// `drmi`, `p601`).
  private var isEncrypted: Bool {
    if sideData(AV_PKT_DATA_ENCRYPTION_INIT_INFO) != nil { return true }
    let tags = [
      cff_tag(0x65, 0x6E, 0x63, 0x76), cff_tag(0x65, 0x6E, 0x63, 0x61),
      cff_tag(0x64, 0x72, 0x6D, 0x73), cff_tag(0x64, 0x72, 0x6D, 0x69),
      cff_tag(0x70, 0x36, 0x30, 0x31),
    ]
    return tags.contains(parameters.pointee.codec_tag)
  }

  /// Bits per sample of a lossless codec; `nil` for other codecs.
  var losslessBitDepth: Int? {
    let codec = parameters.pointee.codec_id
    guard properties & AV_CODEC_PROP_LOSSLESS != 0 else { return nil }
    let bits = [
      parameters.pointee.bits_per_raw_sample, av_get_bits_per_sample(codec), alacBitDepth,
      av_get_bytes_per_sample(AVSampleFormat(rawValue: parameters.pointee.format)) * 8,
    ]
    return bits.first { $0 > 0 }.map { Int($0) }
  }

  /// Whether the stream's codec loses nothing. DTS and WavPack also have lossy forms, so they count
  /// as lossy.
  private var isLossless: Bool {
    properties & (AV_CODEC_PROP_LOSSLESS | AV_CODEC_PROP_LOSSY) == AV_CODEC_PROP_LOSSLESS
  }

  private var properties: CInt {
    avcodec_descriptor_get(parameters.pointee.codec_id)?.pointee.props ?? 0
  }

  /// Bits per sample from ALAC's configuration (`ALACSpecificConfig`, after 12 bytes of box); 0 for
  /// none. FFmpeg's demuxer leaves them to the decoder.
  private var alacBitDepth: CInt {
    guard parameters.pointee.codec_id == AV_CODEC_ID_ALAC, parameters.pointee.extradata_size > 17,
      let configuration = parameters.pointee.extradata
    else { return 0 }
    return CInt(configuration[17])
  }

  private func pictureFormat(
    in context: UnsafeMutablePointer<AVFormatContext>
  ) -> PictureFormat {
    let aspect = av_guess_sample_aspect_ratio(context, self, nil)
    let rate = av_guess_frame_rate(context, self, nil)
    var format = PictureFormat(
      width: Int(parameters.pointee.width), height: Int(parameters.pointee.height),
      pixelAspectWidth: Int(aspect.num), pixelAspectHeight: Int(aspect.den),
      orientation: displayMatrix.map(Orientation.init(displayMatrix:)) ?? .upright,
      frameRate: rate.num > 0 && rate.den > 0 ? rate.seconds : nil,
      pixelFormat: pixelFormat.name, bitDepth: pixelFormat.bitDepth,
      dynamicRange: .init(parameters.pointee.color_trc),
      isWideGamut: FrameColour.widePrimaries.contains(parameters.pointee.color_primaries))
    format.mastering = MasteringDisplay(self)
    return format
  }

  var pixelFormat: AVPixelFormat { AVPixelFormat(rawValue: parameters.pointee.format) }

  /// The nine numbers of the display matrix (ISO/IEC 14496-12 §8.3.2), if the stream has one.
  var displayMatrix: [Int32]? {
    guard let data = sideData(AV_PKT_DATA_DISPLAYMATRIX), data.count >= 36,
      let start = data.baseAddress
    else { return nil }
    return start.withMemoryRebound(to: Int32.self, capacity: 9) {
      Array(UnsafeBufferPointer(start: $0, count: 9))
    }
  }
}

extension AVPixelFormat {
  var name: String? { av_get_pix_fmt_name(self).map { String(cString: $0) } }

  /// Bits per sample; `nil` for no format.
  var bitDepth: Int? {
    // The colours of a palette have eight bits, however many the index has.
    if self == AV_PIX_FMT_PAL8 { return 8 }
    guard let description = av_pix_fmt_desc_get(self) else { return nil }
    return Int(description.pointee.comp.0.depth)
  }
}

extension PictureFormat.DynamicRange {
  init(_ transfer: AVColorTransferCharacteristic) {
    self =
      switch transfer {
      case AVCOL_TRC_ARIB_STD_B67: .hlg
      case AVCOL_TRC_SMPTE2084: .pq
      default: .sdr
      }
  }
}

extension [Int32] {
  /// The area that a display matrix turns a unit square into; negative if it mirrors.
  fileprivate var area: Double {
    Double(self[0]) * Double(self[4]) - Double(self[1]) * Double(self[3])
  }

  /// Whether this display matrix makes a picture invisible.
  var isDegenerate: Bool { count < 9 || area == 0 }
}

extension Orientation {
  /// Creates the right angle nearest to a display matrix. A matrix that turns nothing, or makes the
  /// picture invisible, is upright.
  init(displayMatrix matrix: [Int32]) {
    // x' = a x + c y, y' = b x + d y, with y downwards: (a, b) is where the x axis points.
    let (a, b) = (Double(matrix[0]), Double(matrix[1]))
    guard !matrix.isDegenerate else {
      self = .upright
      return
    }
    let isMirrored = matrix.area < 0
    let turn = isMirrored ? atan2(-b, -a) : atan2(b, a)
    self.init(clockwise: Int((turn / (.pi / 2)).rounded()) * 90, isMirrored: isMirrored)
  }
}

extension MasteringDisplay {
  fileprivate init?(_ stream: UnsafeMutablePointer<AVStream>) {
    self.init(
      stream.sideData(AV_PKT_DATA_MASTERING_DISPLAY_METADATA),
      stream.sideData(AV_PKT_DATA_CONTENT_LIGHT_LEVEL))
  }

  init?(_ frame: UnsafeMutablePointer<AVFrame>) {
    let display = av_frame_get_side_data(frame, AV_FRAME_DATA_MASTERING_DISPLAY_METADATA)
    let light = av_frame_get_side_data(frame, AV_FRAME_DATA_CONTENT_LIGHT_LEVEL)
    self.init(
      display.map { UnsafeBufferPointer(start: $0.pointee.data, count: $0.pointee.size) },
      light.map { UnsafeBufferPointer(start: $0.pointee.data, count: $0.pointee.size) })
  }

  private init?(_ display: UnsafeBufferPointer<UInt8>?, _ light: UnsafeBufferPointer<UInt8>?) {
    var figures = [UInt32](repeating: 0, count: 10)
    var levels = [UInt32](repeating: 0, count: 2)
    let hasDisplay = cff_read_mastering(display?.baseAddress, display?.count ?? 0, &figures)
    let hasLight = cff_read_light(light?.baseAddress, light?.count ?? 0, &levels)
    self.init(display: hasDisplay ? figures : nil, light: hasLight ? levels : nil)
  }
}
