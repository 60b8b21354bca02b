import CFFmpeg
import HoldfastModel

extension Demuxer {
  /// Whether each packet is read from a place of its own, so that a complaint concerns only that
  /// packet. This is so in an MP4 without fragments.
  var readsPacketsAlone: Bool {
    boxes.contains("root/moov") && !boxes.contains("moov/mvex") && !boxes.contains("and more")
  }

  /// Returns the descriptions of its pictures that the file has beside the pictures themselves.
  ///
  /// FFmpeg reports some descriptions in every container and skips the rest. For an MP4 opened with
  /// the description `index`, the names of its boxes show the rest.
  func descriptions(ofStream index: Int?) -> [PictureDescription] {
    guard let index, let stream = streams.first(where: { $0.index == index }) else { return [] }
    var found: Set<PictureDescription> = []
    for (type, description) in Self.sideData where stream.sideData(type) != nil {
      found.insert(description)
    }
    for (box, description) in Self.describingBoxes where boxes.contains(box) {
      found.insert(description)
    }
    return PictureDescription.allCases.filter(found.contains)
  }

  private static let sideData = [
    (AV_PKT_DATA_SPHERICAL, PictureDescription.projection), (AV_PKT_DATA_STEREO3D, .stereo),
    (AV_PKT_DATA_DOVI_CONF, .dolbyVision),
    (AV_PKT_DATA_MASTERING_DISPLAY_METADATA, .masteringDisplay),
    (AV_PKT_DATA_CONTENT_LIGHT_LEVEL, .contentLight),
  ]

  /// The boxes in a sample's description that describe pictures. box_names.c writes `and more` at
  /// the end of a list that has no room for all names.
  private static let describingBoxes = [
    ("stsd/lhvC", PictureDescription.layers), ("stsd/vexu", .eyes), ("stsd/hfov", .fieldOfView),
    ("stsd/sv3d", .projection), ("stsd/st3d", .stereo), ("and more", .unseen),
  ]
}
