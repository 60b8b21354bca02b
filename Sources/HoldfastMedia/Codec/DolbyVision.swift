import CFFmpeg

/// The Dolby Vision configuration of a stream.
///
/// - SeeAlso: "Dolby Vision Streams Within the ISO Base Media File Format", 2.4.
struct DolbyVision {
  /// Whether players without Dolby Vision can show the base layer. Phones record profile 8, whose
  /// base is HLG. Profile 5 has no such base.
  let hasCompatibleBase: Bool
  /// Whether it is profile 5. Its sample entry is called `dvh1`, so that no other decoder tries it.
  let isProfile5: Bool
  /// The level, which stands for the number of pixels a second.
  let level: Int

  init?(of stream: UnsafeMutablePointer<AVStream>) {
    guard let data = stream.sideData(AV_PKT_DATA_DOVI_CONF),
      data.count >= MemoryLayout<AVDOVIDecoderConfigurationRecord>.size
    else { return nil }
    let record = UnsafeRawBufferPointer(data).loadUnaligned(
      as: AVDOVIDecoderConfigurationRecord.self)
    level = Int(record.dv_level)
    isProfile5 = record.dv_profile == 5
    hasCompatibleBase = record.dv_bl_signal_compatibility_id != 0
  }
}
