import HoldfastModel
import HoldfastStorage
import HoldfastSupport

/// The rules that recognise, by their names, files that are not recordings of their own: a camera's
/// small copy of a recording, and a download that has not ended.
enum CameraCompanion {
  private static let unfinished: Set = ["part", "partial", "crdownload", "opdownload", "download"]
  private static let proxies: Set = ["lrv", "lrf", "glv"]
  private static let recordings = ["MP4", "MOV", "INSV", "360"]

  /// Whether a browser or another program is still writing the file.
  static func isUnfinished(_ name: String) -> Bool { unfinished.contains(name.pathExtension) }

  /// Returns the names that the recording may have that a small copy was made from; `nil` for a
  /// file that is not named like a copy.
  static func originals(ofProxy name: String) -> [String]? {
    let stem = name.withoutExtension
    if name.pathExtension == "mp4" {
      // Sony: C0001S03.MP4 beside C0001.MP4.
      return stem.wholeMatch(of: /(C[0-9]{4})S03/.ignoresCase()).map { ["\($0.1).MP4"] }
    }
    guard proxies.contains(name.pathExtension) else { return nil }
    var stems = [stem]
    // GoPro: GL010012.LRV beside GH010012.MP4 or GX010012.MP4.
    if let match = stem.wholeMatch(of: /GL([0-9]{6})/.ignoresCase()) {
      stems += ["GH", "GX", "GP"].map { "\($0)\(match.1)" }
    }
    // Insta360: LRV_20240506_070809_11_001 beside VID_20240506_070809_00_001.
    if let match = stem.wholeMatch(of: /LRV_([0-9]{8}_[0-9]{6})_[0-9]{2}_([0-9]+)/.ignoresCase()) {
      stems += ["00", "10", "01"].map { "VID_\(match.1)_\($0)_\(match.2)" }
    }
    return stems.flatMap { stem in recordings.map { "\(stem).\($0)" } }
  }
}

extension SourceImport {
  /// Returns why the source's name shows that it is not a recording of its own; `nil` if it does
  /// not.
  func companion() async throws -> SkipReason? {
    guard !options.includesLivePhotos else { return nil }
    if CameraCompanion.isUnfinished(item.fileName) { return .unfinished }
    guard let names = CameraCompanion.originals(ofProxy: item.fileName) else { return nil }
    let route = item.route
    let original = try await onOwnThread { _ in route.companion(named: names, listsFolder: true) }
    return original.map { .proxy(of: $0.escapedForDisplay) }
  }
}

extension String {
  /// The name without its last extension.
  var withoutExtension: String {
    guard let dot = lastIndex(of: "."), dot > startIndex else { return self }
    return String(self[..<dot])
  }

  /// The last extension, in lower case; empty if there is none.
  var pathExtension: String {
    guard let dot = lastIndex(of: "."), dot > startIndex else { return "" }
    return self[index(after: dot)...].lowercased()
  }
}
