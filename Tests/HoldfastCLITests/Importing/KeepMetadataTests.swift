import Foundation
import HoldfastTestSupport
import Testing

@Suite("Keeping place and device", .temporaryFolder)
struct KeepMetadataTests {
  let library = LibraryFolder()

  @Test("--keep-metadata keeps them in the file, and the catalog and `show` say so")
  func kept() async throws {
    try await library.importing("portrait.mov", options: ["--keep-metadata"])
    let row = try #require(
      try await library.sql("SELECT id, filePath, conversion FROM recording").first)
    let path = "\(library.path)/\(row[1])"
    let exif = try await Exif.tags(path)
    #expect(exif["Keys:Model"] == "iPhone 15 Pro" && exif["Keys:GPSCoordinates"] != nil)
    let conversion = try #require(
      try JSONSerialization.jsonObject(with: Data(row[2].utf8)) as? [String: Any])
    #expect((conversion["plan"] as? [String: Any])?["keepsMetadata"] as? Bool == true)
    let names = try #require(conversion["keptMetadata"] as? [String])
    #expect(names.contains("com.apple.quicktime.make"))
    let tags = try #require(try await FFprobe.format(path)).tags
    #expect(names.allSatisfy { tags[$0] != nil })

    let show = try await library.holdfast("show", row[0])
    let line = try #require(show.lines.first { $0.hasPrefix("kept ") })
    #expect(line.hasSuffix("creationdate, location, location.ISO6709, make, model, software"))
    // The catalog says which metadata were kept, but not the place itself.
    let json = try await library.holdfast("show", "--json", row[0]).output
    #expect(json.contains("keptMetadata") && !json.contains("59.91"))
    #expect(!row[2].contains("59.91"))
    try await library.expectSound()
  }

  @Test("Without it, no file, row or line contains them")
  func notKept() async throws {
    try await library.importing("portrait.mov")
    let row = try #require(
      try await library.sql("SELECT id, filePath, conversion FROM recording").first)
    #expect(try await Exif.hasLocationOrDevice("\(library.path)/\(row[1])").isEmpty)
    #expect(!row[2].contains("etadata"))
    #expect(!(try await library.holdfast("show", row[0]).output.contains("kept")))
  }

  @Test("A source with neither is imported, and `show` says that there was nothing to keep")
  func nothingToKeep() async throws {
    try await library.importing("voice.wav", options: ["--keep-metadata"])
    let id = try #require(try await library.column("SELECT id FROM recording").first)
    let show = try await library.holdfast("show", id).output
    #expect(show.contains("no place or device, as the source has none"))
  }
}
