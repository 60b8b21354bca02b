import Foundation
import HoldfastModel

/// A path is accepted exactly if its bytes, read without regard to Unicode, allow it.
enum PathPromises {
  static let examples = [
    "Recordings/a", "Recordings/video_6F9619FF-8B86-D011-B42D-00C04FC964FF.mov",
    "Recordings/audio_6F9619FF-8B86-D011-B42D-00C04FC964FF.m4a",
    "Recordings/Thumbnails/video_6F9619FF-8B86-D011-B42D-00C04FC964FF_thumb.jpg",
    "Recordings/\u{301}/é/…", "Recordings/.../.a",
  ].map { Data($0.utf8) }

  static let words = [
    "Recordings", "/", "..", ".", "//", "/../", "\u{0}", "\n", "\u{7F}", "\u{301}", "\u{2044}",
    "\u{FF0E}", "Thumbnails/", "video_", "audio_", ".mov", ".m4a", "_thumb.jpg", "\\",
    String(repeating: "a", count: 250),
  ]

  static func check(_ bytes: Data) throws {
    let string = String(decoding: bytes, as: UTF8.self)
    let path = RelativePath(string)
    try BrokenPromise.unless(
      (path != nil) == isBeneathRecordings(Array(string.utf8)),
      "\(string.debugDescription) is \(path == nil ? "refused" : "taken")")
    let json = try JSONEncoder().encode([string])
    let decoded = try? JSONDecoder().decode([RelativePath].self, from: json)
    try BrokenPromise.unless(
      decoded?.first == path, "\(string.debugDescription) is another path in JSON")
    guard let path else { return }
    try BrokenPromise.unless(
      path.string.utf8.elementsEqual(string.utf8)
        && path.components.joined(separator: "/").utf8.elementsEqual(string.utf8)
        && path.components.last == path.name,
      "\(string.debugDescription) is not the path that it was made from")
    guard let id = path.recordingID else { return }
    try BrokenPromise.unless(
      [.media(.video, id: id), .media(.audio, id: id), .thumbnail(id: id)].contains(path),
      "\(string.debugDescription) is not where \(id) lies")
  }

  private static func isBeneathRecordings(_ bytes: [UInt8]) -> Bool {
    let names = bytes.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    let dot = UInt8(ascii: ".")
    return names.count >= 2 && names[0].elementsEqual("Recordings".utf8) && bytes.count <= 1024
      && bytes.allSatisfy { $0 >= 0x20 && $0 != 0x7F }
      && names.allSatisfy { name in
        (1...255).contains(name.count) && !name.elementsEqual([dot])
          && !name.elementsEqual([dot, dot])
      }
  }
}
