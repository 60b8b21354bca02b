import Foundation
import HoldfastTestSupport
import Testing

@Suite("The codecs of a recording", .temporaryFolder)
struct CodecStringTests {
  let library = LibraryFolder()

  private struct Row: Decodable {
    var originalFilename: String
    var videoCodec: String?
    var audioCodec: String?
  }

  @Test("are in the row, the list, the export and the text, as browsers ask for them")
  func strings() async throws {
    try await library.importing("portrait.mov", "hevc10.mov", "alac.m4a", "adts.aac")
    let list = try await library.holdfast("list", "--json")
    let rows = try JSONDecoder().decode([Row].self, from: Data(list.outputBytes))
    var found: [String: [String]] = [:]
    for row in rows {
      found[row.originalFilename] = [row.videoCodec, row.audioCodec].compactMap(\.self)
    }
    #expect(found["alac.m4a"] == ["alac"])
    #expect(found["adts.aac"] == ["mp4a.40.2"])
    #expect(found["portrait.mov"] == (try await byDASH(Fixtures.path("portrait.mov"))))
    let hevc = try #require(found["hevc10.mov"]?.first)
    #expect(hevc.firstMatch(of: try await byTrace(Fixtures.path("hevc10.mov"))) != nil, "\(hevc)")

    let shown = try await library.holdfast("show", "--json", try await id(of: "hevc10.mov"))
    #expect(shown.output.contains("\"videoCodec\":\"\(hevc)\""))
    #expect(
      try await library.holdfast("show", try await id(of: "hevc10.mov")).output.contains(hevc))
    let document = try await library.holdfast("export", "--format", "json")
    #expect(document.output.contains("\"\(hevc)\""))
  }

  @Test("are filled in where an older version did not note them")
  func filled() async throws {
    try await library.importing("portrait.mov", "hevc10.mov", "alac.m4a")
    let query = "SELECT id, videoCodec, audioCodec FROM recording ORDER BY id"
    let right = try await library.sql(query)
    try await library.changeCatalog("UPDATE recording SET videoCodec = NULL, audioCodec = NULL")
    #expect(try await library.holdfast("verify", "--decode").status == 0)
    #expect(try await library.sql(query) == right)
    try await library.changeCatalog("UPDATE recording SET videoCodec = NULL, audioCodec = NULL")
    #expect(try await library.holdfast("thumbnails", "--all").status == 0)
    #expect(
      try await library.sql(query).filter { !$0[1].isEmpty } == right.filter { !$0[1].isEmpty })
    // Known strings are not looked up again, and nothing else changes.
    try await library.changeCatalog("UPDATE recording SET videoCodec = 'kept' WHERE type = 'video'")
    #expect(try await library.holdfast("verify", "--decode").status == 0)
    let kept = try await library.column("SELECT videoCodec FROM recording WHERE type = 'video'")
    #expect(kept == ["kept", "kept"])
  }

  private func id(of name: String) async throws -> String {
    try #require(
      try await library.column("SELECT id FROM recording WHERE originalFilename = '\(name)'").first)
  }

  /// The strings that ffmpeg writes into a DASH manifest.
  private func byDASH(_ path: String) async throws -> [String] {
    let manifest = temporary("manifest.mpd")
    _ = try await Command.output(
      of: "ffmpeg",
      [
        "-v", "error", "-i", path, "-map", "0:v", "-map", "0:a", "-c", "copy", "-f", "dash",
        manifest,
      ])
    let text = try String(contentsOfFile: manifest, encoding: .utf8)
    return text.matches(of: /codecs="([^"]*)"/).map { match in
      // It writes H.264's figures in lower case.
      match.1.hasPrefix("avc1.") ? "avc1." + match.1.dropFirst(5).uppercased() : String(match.1)
    }
  }

  /// ffmpeg's reading of the sequence parameter set.
  private func byTrace(_ path: String) async throws -> Regex<AnyRegexOutput> {
    let trace = try await Command.run(
      "ffmpeg",
      ["-v", "trace", "-i", path, "-map", "0:v", "-c", "copy", "-bsf:v", "trace_headers"]
        + ["-frames:v", "1", "-f", "null", "-"]
    ).errorOutput
    func figure(_ name: String) throws -> String {
      let pattern = try Regex("\(name) +[01]+ = ([0-9]+)")
      return String(try #require(trace.firstMatch(of: pattern)?.output[1].substring))
    }
    let profile = try figure("general_profile_idc")
    let level = try figure("general_level_idc")
    return try Regex("^hvc1\\.\(profile)\\.[0-9A-F]+\\.L\(level)(\\.[0-9A-F]{1,2})*$")
  }
}
