import CFFmpeg
import HoldfastModel

/// Decides which streams an Apple player can play as they are (docs/media.md).
enum CopyPolicy {
  /// Returns why the stream's packets cannot be copied; `nil` if its header allows it.
  static func obstacle(to stream: UnsafeMutablePointer<AVStream>, in container: String) -> String? {
    let parameters = stream.parameters.pointee
    switch parameters.codec_id {
    case AV_CODEC_ID_H264:
      let profiles = [
        cff_profile_h264_baseline, cff_profile_h264_constrained_baseline, cff_profile_h264_main,
        cff_profile_h264_high,
      ]
      guard profiles.contains(Int(parameters.profile))
      else { return "H.264 \(profileName(parameters)) does not play everywhere" }
      return pictureObstacle(
        stream, in: container, formats: [AV_PIX_FMT_YUV420P, AV_PIX_FMT_YUVJ420P])
    case AV_CODEC_ID_HEVC:
      let profiles = [cff_profile_hevc_main, cff_profile_hevc_main_10]
      guard profiles.contains(Int(parameters.profile))
      else { return "HEVC \(profileName(parameters)) does not play everywhere" }
      return pictureObstacle(
        stream, in: container,
        formats: [AV_PIX_FMT_YUV420P, AV_PIX_FMT_YUVJ420P, AV_PIX_FMT_YUV420P10LE])
    case AV_CODEC_ID_AAC:
      let profiles = [cff_profile_aac_low, cff_profile_aac_he, cff_profile_aac_he_v2]
      guard profiles.contains(Int(parameters.profile))
      else { return "AAC \(profileName(parameters)) does not play everywhere" }
      guard parameters.ch_layout.nb_channels <= 2 else {
        return "\(parameters.ch_layout.nb_channels) channels"
      }
      // ADTS has the configuration in each packet. The muxer makes the header from it.
      let isADTS = Demuxer.unindexed.contains(container)
      return parameters.extradata_size > 0 || isADTS ? nil : "its AAC has no configuration"
    case AV_CODEC_ID_ALAC:
      guard parameters.ch_layout.nb_channels <= 2 else {
        return "\(parameters.ch_layout.nb_channels) channels"
      }
      return parameters.extradata_size > 0 ? nil : "its ALAC has no configuration"
    default: return otherCodec(parameters)
    }
  }

  /// Returns the reason for a codec that is never copied. It does not matter whether players know
  /// the codec: only a library of few formats plays everywhere, and uncompressed sound fills a
  /// phone.
  private static func otherCodec(_ parameters: AVCodecParameters) -> String {
    let name = String(cString: avcodec_get_name(parameters.codec_id))
    guard parameters.codec_type == AVMEDIA_TYPE_AUDIO else {
      return "\(name) does not play everywhere"
    }
    let properties = avcodec_descriptor_get(parameters.codec_id)?.pointee.props ?? 0
    let isLossless = properties & AV_CODEC_PROP_LOSSLESS != 0
    return isLossless ? "\(name) is stored as AAC, to save space" : "\(name) is stored as AAC"
  }

  private static func pictureObstacle(
    _ stream: UnsafeMutablePointer<AVStream>, in container: String, formats: [AVPixelFormat]
  ) -> String? {
    guard formats.contains(stream.pixelFormat) else {
      let name = av_get_pix_fmt_name(stream.pixelFormat).map { String(cString: $0) }
      return "\(name ?? "unknown") pictures do not play everywhere"
    }
    let parameters = stream.parameters.pointee
    if startCoded.contains(container), let codes = StartCodes(parameters) { return codes.obstacle }
    // The MP4 form of the configuration (ISO/IEC 14496-15) starts with version 1.
    let isH264 = parameters.codec_id == AV_CODEC_ID_H264
    guard let configuration = parameters.extradata,
      parameters.extradata_size > (isH264 ? 6 : 22), configuration[0] == 1
    else { return "its parameter sets are not in MP4 form" }
    // avcC counts its sequence parameter sets (§5.3.3.1), and hvcC its arrays of parameter sets
    // (§8.3.3.1). With none in the header, players that want hvc1 or avc1 cannot start.
    let sets = isH264 ? configuration[5] & 0x1F : configuration[22]
    guard sets > 0 else { return "its parameter sets are not in its header" }
    guard !isH264 || sets == 1 else { return "it has \(sets) sequence parameter sets" }
    return nil
  }

  /// The containers whose H.264 and HEVC may follow start codes and is copied. AVI gives no
  /// presentation times.
  private static let startCoded: Set = ["mpegts", "matroska"]

  private static func profileName(_ parameters: AVCodecParameters) -> String {
    avcodec_profile_name(parameters.codec_id, parameters.profile).map { String(cString: $0) }
      ?? "of an unknown profile"
  }
}
