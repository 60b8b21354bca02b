import Foundation

/// exiftool's description of a file.
public enum Exif {
  /// Every tag, embedded ones included, by group and name, such as `Keys:Make`.
  public static func tags(_ path: String) async throws -> [String: String] {
    let result = try await Command.output(
      of: "exiftool", ["-j", "-G1", "-ee", "-api", "largefilesupport=1", path])
    let files = try JSONDecoder().decode([[String: Value]].self, from: Data(result.outputBytes))
    return files.first?.mapValues(\.text) ?? [:]
  }

  /// The names of all tags with a file's place or device, in order.
  public static func hasLocationOrDevice(_ path: String) async throws -> [String] {
    try await tags(path).keys.filter(tellsLocationOrDevice).sorted()
  }

  private static func tellsLocationOrDevice(_ tag: String) -> Bool {
    let parts = tag.split(separator: ":", maxSplits: 1)
    guard let group = parts.first, let name = parts.last?.lowercased() else { return false }
    // exiftool's notes on the file system and itself are not in the file.
    if ["System", "File", "ExifTool"].contains(group) { return false }
    return ["gps", "location", "com.apple", "comapple", "android"].contains { name.hasPrefix($0) }
      || ["iso6709", "quicktimemake", "quicktimemodel"].contains { name.contains($0) }
      || ["make", "model", "software", "cameramodelname"].contains(name)
  }

  /// A tag's value: exiftool writes numbers, booleans and lists as JSON's own.
  private struct Value: Decodable {
    var text: String

    init(from decoder: any Decoder) throws {
      let value = try decoder.singleValueContainer()
      if let text = try? value.decode(String.self) {
        self.text = text
      } else if let truth = try? value.decode(Bool.self) {
        text = String(truth)
      } else if let whole = try? value.decode(Int64.self) {
        text = String(whole)
      } else if let number = try? value.decode(Double.self) {
        text = String(number)
      } else if let list = try? value.decode([Value].self) {
        text = list.map(\.text).joined(separator: ", ")
      } else {
        text = ""
      }
    }
  }
}
