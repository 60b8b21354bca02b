import HoldfastModel
import HoldfastStorage
import HoldfastSupport

/// The rules that recognise the two halves of a Live Photo, and of the motion photos of Android.
///
/// They are a photo, and a movie of the same name that shows the moments around it. Users do not
/// think of that movie as a recording.
enum LivePhoto {
  static let photoExtensions = ["heic", "jpg", "jpeg", "heif"]
  /// The longest movie, in seconds, that counts as a Live Photo although an app has removed its
  /// identifier. An iPhone records 1.5 s before and 1.5 s after the photo. A Pixel and a Samsung
  /// record as long.
  static let longestUnidentified = 4.0
  /// The part of a photo, in bytes, in which its XMP says that it is a motion photo.
  static let searched = 128 << 10

  /// Returns the names that a photo beside the movie of a Live Photo may have.
  ///
  /// Programs that fetch photos add the codec to the movie's name, and an iPhone names the edited
  /// half `IMG_E1234`.
  static func photoNames(ofMovie stem: String) -> [String] {
    var stems = [stem]
    if let match = stem.wholeMatch(of: /(.+)_HEVC/.ignoresCase()) { stems.append(String(match.1)) }
    for stem in stems {
      if let match = stem.wholeMatch(of: /IMG_(E?)([0-9]+)/.ignoresCase()) {
        stems.append(match.1.isEmpty ? "IMG_E\(match.2)" : "IMG_\(match.2)")
      }
    }
    return names(stems)
  }

  /// Returns the names that the photo of a motion photo may have, and whether the movie's own name
  /// shows that it is a part of one: Google names it `.MP`, before or in place of its extension.
  static func motionPhotoNames(ofMovie name: String) -> (names: [String], isSure: Bool) {
    let stem = name.withoutExtension
    let isSure =
      ["mp", "mv"].contains(name.pathExtension) || stem.lowercased().hasSuffix(".mp")
      || name.lowercased().hasPrefix("mvimg_")
    return (names([name, stem, "\(stem).MP"]), isSure)
  }

  private static func names(_ stems: [String]) -> [String] {
    stems.flatMap { stem in
      photoExtensions.flatMap { ["\(stem).\($0.uppercased())", "\(stem).\($0)"] }
    }
  }

  /// Whether the beginning of a photo says that a movie belongs to it (Google's Motion Photo
  /// format, and the older Micro Video).
  static func isMotionPhoto(_ beginning: [UInt8]) -> Bool {
    let text = String(decoding: beginning, as: UTF8.self)
    return ["MotionPhoto", "MicroVideo"].contains { text.contains($0) }
  }
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
    let isMovie = isIdentified || item.path.pathExtension == "mov"
    let (names, isSure) = LivePhoto.motionPhotoNames(ofMovie: item.fileName)
    guard isIdentified || isShort else { return nil }
    let route = item.route
    let name = item.fileName
    let photo = try await onOwnThread { _ -> String? in
      if isMovie {
        return route.companion(
          named: LivePhoto.photoNames(ofMovie: name.withoutExtension), listsFolder: true)
      }
      guard let photo = route.companion(named: names, listsFolder: isSure) else { return nil }
      let isMotionPhoto =
        isSure
        || route.beginning(ofCompanion: photo, count: LivePhoto.searched)
          .map(LivePhoto.isMotionPhoto) ?? false
      return isMotionPhoto ? photo : nil
    }
    guard let photo = photo?.escapedForDisplay, !isIdentified else {
      return photo?.escapedForDisplay
    }
    let info = try await engine.probe(
      OpenMedia(descriptor: file.descriptor, name: item.fileName), depth: .packets)
    return info.duration.map { $0 < LivePhoto.longestUnidentified } ?? false ? photo : nil
  }
}
