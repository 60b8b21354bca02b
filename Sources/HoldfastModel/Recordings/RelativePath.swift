public import Foundation

/// The path of a file in the library's `Recordings` tree, relative to the library's folder.
///
/// It cannot point anywhere else. These are refused: an absolute path, `.` or `..`, an empty
/// component, NUL or another control character, and anything outside `Recordings/`.
public struct RelativePath: Hashable, Sendable, Codable, CustomStringConvertible {
  /// The folder that holds every such path.
  public static let root = "Recordings"
  /// The folder of the thumbnails, inside ``root``.
  public static let thumbnails = "Thumbnails"

  /// The folder of the photos, inside ``root``.
  public static let photos = "Photos"

  /// The path as the catalog stores it, such as `Recordings/video_….mov`.
  public let string: String

  /// Makes a path that is relative to the library's folder; `nil` if it does not name something
  /// under `Recordings/`.
  public init?(_ string: String) {
    // Scalars, not characters: a combining mark after a slash would hide the slash.
    let components = string.unicodeScalars.split(separator: "/", omittingEmptySubsequences: false)
    guard components.count >= 2, String(components[0]) == Self.root,
      string.utf8.count <= 1024,
      !string.unicodeScalars.contains(where: { $0.value < 0x20 || $0.value == 0x7F })
    else { return nil }
    for component in components {
      let name = String(component)
      guard !name.isEmpty, name != ".", name != "..", name.utf8.count <= 255 else { return nil }
    }
    self.string = string
  }

  private init(unchecked string: String) { self.string = string }

  /// Returns the path of a recording's media file: `Recordings/video_<ID>.mov` or
  /// `…/audio_<ID>.m4a`.
  public static func media(_ type: RecordingType, id: RecordingID) -> RelativePath {
    RelativePath(unchecked: "\(root)/\(type.rawValue)_\(id.uuidString).\(type.fileExtension)")
  }

  /// Returns the path of a recording's thumbnail: `Recordings/Thumbnails/video_<ID>_thumb.jpg`.
  public static func thumbnail(id: RecordingID) -> RelativePath {
    RelativePath(unchecked: "\(root)/\(thumbnails)/video_\(id.uuidString)_thumb.jpg")
  }

  /// Returns the path of a photo: `Recordings/Photos/photo_<ID>.jpg`.
  public static func photo(id: UUID) -> RelativePath {
    RelativePath(unchecked: "\(root)/\(photos)/photo_\(id.uuidString).jpg")
  }

  /// The recording that this media file or thumbnail belongs to; `nil` if the path is neither.
  public var recordingID: RecordingID? {
    guard let id = ownerID, self != .photo(id: id) else { return nil }
    return id
  }

  /// The photo whose file this is; `nil` if it is not that of a photo.
  public var photoID: UUID? {
    guard let id = ownerID, self == .photo(id: id) else { return nil }
    return id
  }

  /// The recording or the photo whose file this is; `nil` if it is the file of neither.
  package var ownerID: UUID? {
    guard let underscore = name.firstIndex(of: "_"),
      let id = UUID(uuidString: String(name[underscore...].dropFirst().prefix(36))),
      [.media(.video, id: id), .media(.audio, id: id), .thumbnail(id: id), .photo(id: id)]
        .contains(self)
    else { return nil }
    return id
  }

  /// The last component, which is the file's own name.
  public var name: String {
    guard let slash = string.utf8.lastIndex(of: UInt8(ascii: "/")) else { return string }
    return String(string[string.utf8.index(after: slash)...])
  }

  /// The folder inside ``root`` that the file is in; `nil` if it is in ``root`` itself.
  package var subfolder: String? {
    let components = components
    return components.count > 2 ? components[1] : nil
  }

  /// The path's components, with `Recordings` first.
  public var components: [String] {
    string.unicodeScalars.split(separator: "/").map(String.init)
  }

  /// The path as a string.
  public var description: String { string }

  /// Reads a path from a single string.
  ///
  /// - Throws: `DecodingError` for anything that ``init(_:)`` refuses.
  public init(from decoder: any Decoder) throws {
    let string = try decoder.singleValueContainer().decode(String.self)
    guard let path = RelativePath(string) else {
      throw DecodingError.dataCorrupted(
        .init(
          codingPath: decoder.codingPath,
          debugDescription: "\(string.escapedForDisplay) is not a path under \(Self.root)/"))
    }
    self = path
  }

  /// Writes the path as a single string.
  public func encode(to encoder: any Encoder) throws { try string.encode(to: encoder) }
}
