import Foundation
import HoldfastTestSupport
import Testing

/// Merges random libraries whose sources were imported with random options, and compares every
/// recording before and after by ffprobe.
@Suite("Merging random imports", .temporaryFolder)
struct MergedMediaCampaign {
  private static let count = Extent.isWhole ? 200 : Extent.hasEachTest ? 12 : 4

  @Test(
    "No recording ends with less than a file that covers it, and no words or links are lost",
    arguments: (0..<UInt64(count)).map { Extent.seed &* 1000 &+ $0 })
  func bothWays(seed: UInt64) async throws {
    var random = SeededNumbers(seed: seed)
    let one = LibraryFolder("one")
    try await one.importAtRandom(&random)
    var two = LibraryFolder(at: "two")
    if Int.random(in: 0..<4, using: &random) == 0 {
      _ = try await Command.output(of: "cp", ["-aT", one.path, two.path])
      try await one.importAtRandom(&random)
    } else {
      two = LibraryFolder("two")
    }
    try await two.importAtRandom(&random)
    for library in [one, two] { try await library.changeAtRandom(&random) }

    let copies = [LibraryFolder(at: "one-before"), LibraryFolder(at: "two-before")]
    for (library, copy) in zip([one, two], copies) {
      _ = try await Command.output(of: "cp", ["-aT", library.path, copy.path])
    }
    let before = [try await SeenLibrary(copies[0]), try await SeenLibrary(copies[1])]
    for (own, other) in [(0, 1), (1, 0)] {
      let library = [one, two][own]
      let moment = "seed \(seed), \(own == 0 ? "first" : "second") library"
      let merged = try await library.holdfast("merge", copies[other].path)
      #expect(merged.status == 0, "\(moment): \(merged.output)\(merged.errorOutput)")
      try await library.expectSound(moment)
      let after = try await SeenLibrary(library)
      after.expectFiles(of: before[own], and: before[other], moment)
      after.expectWords(of: before[own], and: before[other], moment)
      // A second merge changes nothing.
      let again = try await library.holdfast("merge", copies[other].path)
      #expect(again.status == 0 && !again.output.contains("added, "), "\(moment): \(again.output)")
      #expect(try await SeenLibrary(library).recordings == after.recordings, "\(moment)")
    }
  }
}

extension LibraryFolder {
  /// Sources, and options with which each may be imported.
  private static let choices: [(fixture: String, options: [[String]])] = [
    ("trimmed-hlg.mov", [[], ["--video", "h264"], ["--video", "hevc"], ["--max-height", "90"]]),
    ("hevc10.mov", [[], ["--video", "h264"], ["--max-height", "100"], ["--audio", "aac"]]),
    (
      "portrait.mov",
      [
        [], ["--keep-metadata"], ["--max-height", "160"], ["--audio", "aac"],
        ["--max-height", "160", "--keep-metadata"], ["--video", "h264", "--audio", "aac"],
      ]
    ),
    ("voice.wav", [[], ["--audio", "alac"]]),
    (
      "len-121.m4a",
      [
        ["--over-limit", "trim"], ["--over-limit", "trim", "--audio", "aac"],
        ["--over-limit", "split"],
      ]
    ),
  ]

  fileprivate func importAtRandom(_ random: inout SeededNumbers) async throws {
    let count = Int.random(in: 1...3, using: &random)
    for choice in Self.choices.shuffled(using: &random).prefix(count) {
      let options = choice.options.randomElement(using: &random) ?? []
      let note = "note \(UInt32.random(in: 0 ... .max, using: &random))"
      let title = Bool.random(using: &random) ? ["--title", "title of \(note)"] : []
      let result = try await holdfast(
        ["import", Fixtures.path(choice.fixture), "--notes", note] + title + options)
      try #require(result.status == 0, "\(result.errorOutput)")
    }
  }

  fileprivate func changeAtRandom(_ random: inout SeededNumbers) async throws {
    for id in try await column("SELECT id FROM recording ORDER BY originalFilename, part") {
      let word = "word \(UInt32.random(in: 0 ... .max, using: &random))"
      switch Int.random(in: 0..<4, using: &random) {
      case 0: try await holdfast("edit", id, "--title", word)
      case 1: try await holdfast("edit", id, "--notes", word)
      case 2: try await holdfast("craving", "log", "--intensity", "3", "--recording", id)
      default: try await holdfast("play", id, "--count-only")
      }
    }
  }
}

/// A library by sqlite3, ffprobe and exiftool.
private struct SeenLibrary {
  struct Recording: Equatable {
    var source: String
    var title: String
    var notes: String
    var modifiedAt: String
    var plays: Int
    var file: SeenFile
  }

  var recordings: [String: Recording] = [:]
  var aliases: [String: String] = [:]
  var links: [String: String] = [:]

  init(_ library: LibraryFolder) async throws {
    let rows = try await library.sql(
      """
      SELECT id, filePath, originalFilename, title, notes, modifiedAt, playCount, fileSHA256,
        part || '/' || partCount FROM recording
      """)
    for row in rows {
      recordings[row[0]] = Recording(
        source: row[2] + row[8], title: row[3], notes: row[4], modifiedAt: row[5],
        plays: Int(row[6]) ?? 0,
        file: try await SeenFiles.shared.file(
          "\(library.path)/\(row[1])", hash: row[7], of: Fixtures.path(row[2])))
    }
    for row in try await library.sql("SELECT id, recordingId FROM alias") {
      aliases[row[0]] = row[1]
    }
    for row in try await library.sql("SELECT id, recordingId FROM craving") {
      links[row[0]] = row[1]
    }
  }

  /// The recording that an ID finds.
  func recording(_ id: String) -> (id: String, value: Recording)? {
    let id = recordings[id] == nil ? aliases[id] ?? id : id
    return recordings[id].map { (id, $0) }
  }

  func expectFiles(of own: SeenLibrary, and other: SeenLibrary, _ moment: String) {
    for (id, before) in Array(own.recordings) + Array(other.recordings) {
      guard let after = recording(id)?.value else {
        Issue.record("\(moment): \(before.source) \(id) is gone")
        continue
      }
      #expect(after.file.covers(before.file), "\(moment): \(before.source) \(id)")
    }
    for (id, before) in own.recordings {
      #expect(recording(id)?.value.file.tags == before.file.tags, "\(moment): \(before.source)")
    }
    // If each has one recording of a source and one file covers the other, one recording remains.
    for (id, before) in own.recordings {
      let twins = other.recordings.filter { $0.value.source == before.source }
      guard let twin = twins.first, twins.count == 1, twin.key != id,
        own.recordings.values.count(where: { $0.source == before.source }) == 1,
        before.file.tags == twin.value.file.tags,
        before.file.covers(twin.value.file) || twin.value.file.covers(before.file)
      else { continue }
      #expect(recording(id)?.id == recording(twin.key)?.id, "\(moment): \(before.source)")
    }
  }

  func expectWords(of own: SeenLibrary, and other: SeenLibrary, _ moment: String) {
    for (id, link) in own.links.merging(other.links, uniquingKeysWith: { first, _ in first })
    where !link.isEmpty {
      #expect(links[id] == recording(link)?.id, "\(moment): the link to \(link)")
    }
    for (id, before) in Array(own.recordings) + Array(other.recordings) {
      guard let after = recording(id)?.value else { continue }
      let versions = [own.recordings[id], other.recordings[id]].compactMap(\.self)
      #expect(after.plays >= versions.map(\.plays).max() ?? 0, "\(moment): \(id)")
      if versions.count == 2, let newest = versions.max(by: { $0.modifiedAt < $1.modifiedAt }),
        versions[0].modifiedAt != versions[1].modifiedAt
      {
        #expect(after.title == newest.title && after.notes == newest.notes, "\(moment): \(id)")
      } else if versions.count == 1 {
        #expect(after.notes.contains(before.notes), "\(moment): \(id)")
        #expect(before.title.isEmpty || !after.title.isEmpty, "\(moment): \(id)")
      }
    }
  }
}

/// A file's contents, by other programs.
private struct SeenFile: Equatable {
  struct Stream: Equatable {
    /// Whether its packets are the source's, or its samples.
    var isExact: Bool
    var width = 0
    var height = 0
    var bits = 0
    var isHDR = false
    var rate = 0
    var channels = 0
  }

  var streams: [String: Stream]
  var duration: Double
  var tags: [String]

  func covers(_ other: SeenFile) -> Bool {
    guard duration >= other.duration - 0.2 else { return false }
    return other.streams.allSatisfy { kind, stream in
      guard let own = streams[kind], own.isHDR || !stream.isHDR else { return false }
      return own.isExact
        || !stream.isExact && own.width >= stream.width && own.height >= stream.height
          && own.bits >= stream.bits && own.rate >= stream.rate
          && own.channels >= stream.channels
    }
  }
}

/// Each file is read once: equal imports give equal files.
private actor SeenFiles {
  static let shared = SeenFiles()
  private var files: [String: SeenFile] = [:]
  private var sizes: [String: [String: [Int]]] = [:]

  func file(_ path: String, hash: String, of source: String) async throws -> SeenFile {
    if let file = files[hash] { return file }
    let (packets, sources) = (try await sizes(of: path), try await sizes(of: source))
    var streams: [String: SeenFile.Stream] = [:]
    for stream in try await FFprobe.streams(path) {
      guard let kind = stream.codecType, let own = packets[kind] else { continue }
      // The parts of a split source begin anywhere in it.
      let isCopied = sources[kind].map { $0.contains(own) } ?? false
      let isTurned = [90, 270].contains(stream.clockwiseTurn)
      let sides = (stream.width ?? 0, stream.height ?? 0)
      streams[kind] = SeenFile.Stream(
        isExact: isCopied || stream.codecName == "alac", width: isTurned ? sides.1 : sides.0,
        height: isTurned ? sides.0 : sides.1,
        bits: stream.pixelFormat?.contains("10") == true ? 10 : 8,
        isHDR: ["arib-std-b67", "smpte2084"].contains(stream.colorTransfer),
        rate: stream.sampleRate ?? 0, channels: stream.channels ?? 0)
    }
    let file = SeenFile(
      streams: streams, duration: try await FFprobe.presentedDuration(path),
      tags: try await Exif.hasLocationOrDevice(path))
    files[hash] = file
    return file
  }

  /// The sizes of a file's packets, by the kind of their stream.
  private func sizes(of path: String) async throws -> [String: [Int]] {
    if let known = sizes[path] { return known }
    let kinds = try await FFprobe.streams(path)
    var found: [String: [Int]] = [:]
    for packet in try await FFprobe.packets(path) {
      guard let kind = kinds.first(where: { $0.index == packet.streamIndex })?.codecType else {
        continue
      }
      found[kind, default: []].append(packet.size)
    }
    if path.hasPrefix(Repository.root) { sizes[path] = found }
    return found
  }
}
