import HoldfastModel
import HoldfastStorage
import HoldfastSupport

/// The rules that recognise the two halves of a Live Photo.
///
/// They are a photo, and a movie of the same name that shows the moments around it. Users do not
/// think of that movie as a recording.
enum LivePhoto {
  static let photoExtensions = ["heic", "jpg", "jpeg", "heif"]
  /// The longest movie, in seconds, that counts as a Live Photo although an app has removed its
  /// identifier. An iPhone records 1.5 s before and 1.5 s after the photo.
  static let longestUnidentified = 4.0
}

extension SourceImport {
  /// Returns the name of the photo that the source's movie belongs to, or `nil` if the source is a
  /// recording of its own.
  ///
  /// The identifier is in the header. Only a short movie without one, beside a photo, is read
  /// further: its length decides, and the header's length cannot be trusted.
  func photoOfLivePhoto(_ file: OpenFile, _ header: MediaInfo) async throws -> String? {
    guard !options.includesLivePhotos, header.type == .video, header.container == "mov" else {
      return nil
    }
    let isIdentified = header.contentIdentifier != nil
    let isShort = (header.duration ?? 0) < LivePhoto.longestUnidentified
    guard isIdentified || (isShort && item.path.pathExtension == "mov") else { return nil }
    let route = item.route
    let photo = try await onOwnThread { _ in
      route.companion(withExtensions: LivePhoto.photoExtensions)?.escapedForDisplay
    }
    guard let photo, !isIdentified else { return photo }
    let info = try await engine.probe(
      OpenMedia(descriptor: file.descriptor, name: item.fileName), depth: .packets)
    return info.duration.map { $0 < LivePhoto.longestUnidentified } ?? false ? photo : nil
  }
}
