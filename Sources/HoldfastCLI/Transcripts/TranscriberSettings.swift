import Foundation

/// The transcriber that was last used on this computer. It is not kept in the library, which may
/// be used on other computers.
struct TranscriberSettings: Codable, Hashable {
  /// The program's path; `nil` for the first that is found.
  var program: String?
  /// The path of its model.
  var model: String?
  /// The language's tag, or `auto`.
  var language: String?

  private static func file(_ environment: [String: String]) -> URL? {
    let folder =
      environment["XDG_CONFIG_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil }
      ?? environment["HOME"].map { "\($0)/.config" }
    return folder.map { URL(filePath: $0).appending(path: "holdfast/transcriber.json") }
  }

  /// Reads the settings. A file that cannot be read counts as none.
  static func read(_ environment: [String: String]) -> TranscriberSettings {
    guard let file = file(environment), let data = try? Data(contentsOf: file),
      let settings = try? JSONDecoder().decode(Self.self, from: data)
    else { return TranscriberSettings() }
    return settings
  }

  /// Writes the settings for the next time.
  func write(_ environment: [String: String]) throws {
    guard let file = Self.file(environment) else { return }
    try FileManager.default.createDirectory(
      at: file.deletingLastPathComponent(), withIntermediateDirectories: true,
      attributes: [.posixPermissions: 0o700])
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    try encoder.encode(self).write(to: file, options: .atomic)
  }
}
