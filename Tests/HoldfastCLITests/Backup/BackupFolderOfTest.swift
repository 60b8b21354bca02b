import Foundation
import HoldfastTestSupport
import Testing

/// A folder of backups in the running test's folder, checked by other programs.
struct Backups {
  let path = temporary("backups")

  /// The names of the complete backups, oldest first.
  func names() throws -> [String] {
    guard FileManager.default.fileExists(atPath: path) else { return [] }
    return try FileManager.default.contentsOfDirectory(atPath: path)
      .filter { !$0.hasPrefix(".") && !$0.hasSuffix(".partial") && !$0.hasSuffix(".update") }
      .sorted()
  }

  /// The path of the newest backup.
  func newest() throws -> String { "\(path)/\(try #require(try names().last))" }

  /// The export in a backup.
  func export(in bag: String) throws -> [UInt8] {
    [UInt8](try Data(contentsOf: URL(filePath: bag + "/data/export.json")))
  }

  /// Dates a backup as by a wrong clock.
  func setMoment(_ moment: String, of bag: String) async throws {
    _ = try await Command.output(
      of: "bash",
      [
        "-c",
        """
        cd "$0" && sed -i 's/^Holdfast-Moment: .*/Holdfast-Moment: \(moment)/' bag-info.txt \
        && sha256sum bag-info.txt bagit.txt manifest-sha256.txt > tagmanifest-sha256.txt
        """, bag,
      ])
  }

  /// The program of the Library of Congress that validates bags; `nil` where it is not installed.
  static let bagit: String? = {
    let path = Repository.root + "/.build/python/bin/bagit.py"
    return FileManager.default.isExecutableFile(atPath: path) ? path : nil
  }()

  /// Expects that other programs find a backup valid.
  func expectValid(
    _ bag: String, _ moment: String = "", sourceLocation: SourceLocation = #_sourceLocation
  ) async throws {
    for manifest in ["manifest-sha256.txt", "tagmanifest-sha256.txt"] {
      let result = try await Command.run(
        "bash", ["-c", "cd \"$0\" && exec sha256sum --strict -c --quiet \"$1\"", bag, manifest])
      #expect(
        result.status == 0, "\(moment): \(result.output)\(result.errorOutput)",
        sourceLocation: sourceLocation)
    }
    if let bagit = Self.bagit {
      let result = try await Command.run(bagit, ["--validate", "--quiet", bag])
      #expect(
        result.status == 0, "\(moment): \(result.errorOutput)", sourceLocation: sourceLocation)
    }
  }
}

extension LibraryFolder {
  /// A library that is restored from backups, which must succeed.
  static func restored(from backup: String, to name: String) async throws -> LibraryFolder {
    let result = try await Command.run(
      Command.holdfast, ["restore", backup, "--to", temporary(name)])
    try #require(result.status == 0, "\(result.output)\(result.errorOutput)")
    return LibraryFolder(at: name)
  }
}
