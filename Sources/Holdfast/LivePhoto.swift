internal import HoldfastModel
internal import HoldfastStorage

/// How the two halves of a Live Photo are known: a photo, and a movie of the same name that shows
/// the moments around it, and that nobody means when they speak of their recordings.
enum LivePhoto {
  static let photoExtensions: Set<String> = ["heic", "heif", "jpg", "jpeg"]
  static let movieExtensions: Set<String> = ["mov", "mp4"]
  /// A movie that an app has stripped of its identifier is known by its length, in seconds: an
  /// iPhone takes a second and a half before and after the photo.
  static let longestUnidentified = 4.0
}

extension SourceImport {
  /// The photo whose movie the source is; `nil` if it is a recording by itself.
  ///
  /// The identifier stands in the header. Only a short movie without one is read further: its
  /// length decides, and that is never the header's word.
  func photoOfLivePhoto(_ file: OpenFile, _ header: MediaInfo) async throws -> String? {
    guard let photo = item.photo, header.type == .video else { return nil }
    if header.contentIdentifier != nil { return photo.escapedForDisplay }
    let claimed = header.duration ?? 0
    guard item.path.pathExtension == "mov", claimed < LivePhoto.longestUnidentified else {
      return nil
    }
    let info = try await engine.probe(
      OpenMedia(descriptor: file.descriptor, name: item.path.name), depth: .packets)
    let isShort = info.duration.map { $0 < LivePhoto.longestUnidentified } ?? false
    return isShort ? photo.escapedForDisplay : nil
  }
}
