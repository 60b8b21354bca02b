/// Something that a file says of its pictures beside the pictures themselves, without which they are
/// shown differently.
public enum PictureDescription: String, Codable, Hashable, Sendable, CaseIterable {
  /// The second eye's layer of MV-HEVC (ISO/IEC 14496-15, `lhvC`).
  case layers = "lhvC"
  /// Which eye sees what (Apple's "ISO Base Media File Format and Apple HEVC Stereo Video").
  case eyes = "vexu"
  /// The horizontal field of view, of the same.
  case fieldOfView = "hfov"
  /// The projection of a 360° video (Spherical Video V2 or V1, or Matroska's Projection).
  case projection = "sv3d"
  /// How the pictures for two eyes are packed into one (Spherical Video V2, or Matroska's StereoMode).
  case stereo = "st3d"
  /// Dolby Vision's configuration (`dvcC`, `dvvC`).
  case dolbyVision
  /// The colours and the brightness of the screen that it was made on (SMPTE ST 2086).
  case masteringDisplay
  /// Its brightest pixel and its brightest picture (CTA-861.3).
  case contentLight
  /// More kinds of boxes than are looked at: any of these may be among them.
  case unseen
}
