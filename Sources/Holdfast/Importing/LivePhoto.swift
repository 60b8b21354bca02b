internal import HoldfastModel
internal import HoldfastStorage
internal import HoldfastSupport

/// How the two halves of a Live Photo are known: a photo, and a movie of the same name that shows
/// the moments around it, and that nobody means when they speak of their recordings.
enum LivePhoto {
  static let photoExtensions = ["heic", "jpg", "jpeg", "heif"]
  /// A movie that an app has stripped of its identifier is known by its length, in seconds: an
  /// iPhone takes a second and a half before and after the photo.
  static let longestUnidentified = 4.0
}

extension SourceImport {
  /// The name of the photo whose movie the source is; `nil` if it is a recording by itself.
  ///
  /// The identifier stands in the header. Only a short movie without one is read further, if there
  /// is a photo: its length decides, and that is never the header's word.
  func photoOfLivePhoto(_ file: OpenFile, _ header: MediaInfo) async throws -> String? {
    guard !options.includesLivePhotos, header.type == .video, header.container == "mov" else {
      return nil
    }
    let isIdentified = header.contentIdentifier != nil
    let isShort = (header.duration ?? 0) < LivePhoto.longestUnidentified
    guard isIdentified || (isShort && item.path.pathExtension == "mov") else { return nil }
    let path = item.path
    let photo = try await onOwnThread { _ in
      path.companion(withExtensions: LivePhoto.photoExtensions)?.escapedForDisplay
    }
    guard let photo, !isIdentified else { return photo }
    let info = try await engine.probe(
      OpenMedia(descriptor: file.descriptor, name: path.name), depth: .packets)
    return info.duration.map { $0 < LivePhoto.longestUnidentified } ?? false ? photo : nil
  }
}
