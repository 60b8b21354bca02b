/// A description that a file holds alongside its pictures, and that changes how they are shown.
public enum PictureDescription: String, Codable, Hashable, Sendable, CaseIterable {
  /// The layer for the second eye in MV-HEVC (ISO/IEC 14496-15, `lhvC`).
  case layers = "lhvC"
  /// Which view is for which eye (Apple's "ISO Base Media File Format and Apple HEVC Stereo
  /// Video").
  case eyes = "vexu"
  /// The horizontal field of view (from the same document).
  case fieldOfView = "hfov"
  /// The projection of a 360° video (Spherical Video V2 or V1, or Matroska's Projection).
  case projection = "sv3d"
  /// How the pictures for two eyes are packed into one (Spherical Video V2, or Matroska's
  /// StereoMode).
  case stereo = "st3d"
  /// Dolby Vision's configuration (`dvcC`, `dvvC`).
  case dolbyVision
  /// The colours and the brightness of the display on which the pictures were mastered (SMPTE ST
  /// 2086).
  case masteringDisplay
  /// The brightness of the brightest pixel and of the brightest picture (CTA-861.3).
  case contentLight
  /// The file has more kinds of boxes than are examined. Any of these descriptions may be among the
  /// rest.
  case unseen
}
