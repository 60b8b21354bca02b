internal import CFFmpeg

/// What a stream says of its Dolby Vision.
///
/// - SeeAlso: "Dolby Vision Streams Within the ISO Base Media File Format", 2.4.
struct DolbyVision {
  /// Whether players that know nothing of Dolby Vision can show the base; phones record profile 8,
  /// whose base is HLG, while profile 5 has none.
  let hasCompatibleBase: Bool
  /// Whether it is profile 5, whose sample entry is called `dvh1`: no other decoder is to try it.
  let isProfile5: Bool
  /// The level, which says how many pixels a second there are.
  let level: Int

  /// Reads a stream's configuration; `nil` if it has none.
  init?(of stream: UnsafeMutablePointer<AVStream>) {
    var size = 0
    guard let data = cff_stream_side_data(stream, AV_PKT_DATA_DOVI_CONF, &size),
      size >= MemoryLayout<AVDOVIDecoderConfigurationRecord>.size
    else { return nil }
    let record = UnsafeRawPointer(data).loadUnaligned(as: AVDOVIDecoderConfigurationRecord.self)
    level = Int(record.dv_level)
    isProfile5 = record.dv_profile == 5
    hasCompatibleBase = record.dv_bl_signal_compatibility_id != 0
  }
}
