import Foundation
import Holdfast
import HoldfastCravings
import HoldfastModel
import HoldfastTestSupport
import Testing

/// Merges random libraries both ways. The expected figures are computed here, from the libraries
/// before the merge.
@Suite("Merging random libraries", .temporaryFolder)
struct MergePropertyTests {
  @Test(
    "Both ways give the same, and nothing is lost or duplicated",
    arguments: (0..<UInt64(Extent.choose(sample: 12, whole: 200))).map { Extent.seed &* 1000 &+ $0 }
  )
  func bothWays(seed: UInt64) async throws {
    var random = SeededNumbers(seed: seed)
    var one = try RandomLibrary("one")
    try await one.change(times: Int.random(in: 0...15, using: &random), &random)
    // A copy of the library, or another one.
    let isCopy = Int.random(in: 0..<4, using: &random) > 0
    var two = isCopy ? try one.copy("two") : try RandomLibrary("two")
    try await one.change(times: Int.random(in: 0...20, using: &random), &random)
    try await two.change(times: Int.random(in: 0...20, using: &random), &random)

    let (before, other) = (try Contents(of: one), try Contents(of: two))
    let (oneCopy, twoCopy) = (try one.copy("one-before"), try two.copy("two-before"))
    let planned = try await merge(twoCopy, into: one, isDryRun: true)
    #expect(try Contents(of: one).document == before.document, "seed \(seed)")
    let report = try await merge(twoCopy, into: one)
    #expect(report.added == planned.added && report.updated == planned.updated, "seed \(seed)")
    #expect(report.records.counts == planned.records.counts, "seed \(seed)")
    _ = try await merge(oneCopy, into: two)
    let merged = try Contents(of: one)
    try merged.expectSame(Contents(of: two), "seed \(seed)")

    // Merging again changes nothing, and neither does merging a merged library.
    for (source, target) in [(twoCopy, one), (two, one), (one, two)] {
      let again = try await merge(source, into: target)
      #expect(again.added == 0 && again.updated == 0, "seed \(seed)")
      #expect(again.records.changes.isEmpty, "seed \(seed)")
      try merged.expectSame(Contents(of: target), "seed \(seed)")
    }
    // One merge after the other gives the same as both at once.
    _ = try await merge(one, into: twoCopy)
    try merged.expectSame(Contents(of: twoCopy), "seed \(seed)")

    try merged.expectUnion(of: before, other, "seed \(seed)")
    for library in [one, two] {
      for recording in merged.recordings.values {
        for path in [recording.filePath, recording.thumbnailPath].compactMap(\.self) {
          #expect(FileManager.default.fileExists(atPath: "\(library.path)/\(path)"), "seed \(seed)")
        }
      }
      let files = try FileManager.default.contentsOfDirectory(atPath: "\(library.path)/Recordings")
      #expect(files.count == merged.recordings.count + 1, "seed \(seed)")
      for folder in [".staging", ".trash"] {
        let left = try FileManager.default.contentsOfDirectory(atPath: "\(library.path)/\(folder)")
        #expect(left == [], "seed \(seed)")
      }
      var options = VerifyOptions()
      options.isDeep = true
      for try await event in try library.library.verify(options: options) {
        if case .found(let finding) = event { Issue.record("seed \(seed): \(finding)") }
      }
    }
  }

  private func merge(
    _ other: RandomLibrary, into library: RandomLibrary, isDryRun: Bool = false
  ) async throws -> MergeReport {
    var finished: MergeReport?
    let run = try library.library.merge(
      other.path, options: MergeOptions(isDryRun: isDryRun, jobs: 2))
    for try await event in run {
      switch event {
      case .compared, .stays: break
      case .different(let id, let reason): Issue.record("\(id): \(reason)")
      case .failed(let id, let error): Issue.record("\(id): \(error)")
      case .finished(let report): finished = report
      }
    }
    return try #require(finished)
  }
}

/// A library's contents, by its export.
private struct Contents {
  let document: String
  var recordings: [RecordingID: Recording] = [:]
  var cravings: [UUID: Craving] = [:]
  var messages: [UUID: Message] = [:]
  var transcripts: [RecordingID: Transcript] = [:]

  init(of library: RandomLibrary) throws {
    var data = Data()
    try library.library.exportDocument { data += $0 }
    document = String(decoding: data, as: UTF8.self)
    let export = try ExportDocument(json: data, journals: [.cravings])
    for case .value(let value) in export[RecordingDocument.self] {
      recordings[value.id] = value.recording
    }
    for case .value(let value) in export[Craving.self] { cravings[value.id] = value }
    for case .value(let value) in export[Message.self] { messages[value.id] = value }
    for case .value(let value) in export[Transcript.self] { transcripts[value.id] = value }
  }

  /// Expects that another library has the same document.
  func expectSame(_ other: Contents, _ moment: String) {
    let (lines, others) = (document.split(separator: "\n"), other.document.split(separator: "\n"))
    let first = zip(lines, others).first { $0.0 != $0.1 }
    #expect(document == other.document, "\(moment): \(first?.0 ?? "") \(first?.1 ?? "")")
  }

  func expectUnion(of one: Contents, _ two: Contents, _ moment: String) throws {
    #expect(Set(cravings.keys) == Set(one.cravings.keys).union(two.cravings.keys), "\(moment)")
    #expect(Set(messages.keys) == Set(one.messages.keys).union(two.messages.keys), "\(moment)")
    for (id, craving) in cravings {
      let versions = [one.cravings[id], two.cravings[id]].compactMap(\.self)
      let newest = versions.compactMap(\.modifiedAt).max()
      #expect(craving.modifiedAt == newest, "\(moment)")
      #expect(
        versions.contains { $0.modifiedAt == newest && $0.notes == craving.notes }, "\(moment)")
      if let recording = craving.recordingID { #expect(recordings[recording] != nil, "\(moment)") }
    }
    try expectRecordings(of: one, two, moment)
  }

  private func expectRecordings(
    of one: Contents, _ two: Contents, _ moment: String
  ) throws {
    let shared = Set(one.recordings.keys).intersection(two.recordings.keys)
    let sources = Set(
      (Array(one.recordings.values) + two.recordings.values).map(\.ingestion.sourceSHA256))
    for source in sources {
      func of(_ contents: Contents) -> [Recording] {
        contents.recordings.values.filter { $0.ingestion.sourceSHA256 == source }
          .sorted { $0.id.uuidString < $1.id.uuidString }
      }
      let both = of(one).filter { shared.contains($0.id) }
      let (ones, twos) = (
        of(one).filter { !shared.contains($0.id) }, of(two).filter { !shared.contains($0.id) }
      )
      // As many as in the library with more of its own.
      #expect(of(self).count == both.count + max(ones.count, twos.count), "\(moment)")
      for (first, second) in zip(ones, twos) {
        let (kept, other) =
          first.id.uuidString < second.id.uuidString ? (first, second) : (second, first)
        let merged = try #require(recordings[kept.id], "\(moment)")
        #expect(recordings[other.id] == nil, "\(moment)")
        for notes in [first.notes, second.notes].compactMap(\.self) {
          #expect(merged.notes?.contains(notes) == true, "\(moment)")
        }
        #expect(merged.playCount == first.playCount + second.playCount, "\(moment)")
      }
      for rest in ones.dropFirst(twos.count) + twos.dropFirst(ones.count) {
        #expect(recordings[rest.id]?.playCount == rest.playCount, "\(moment)")
      }
    }
    for id in shared {
      let (first, second) = (try #require(one.recordings[id]), try #require(two.recordings[id]))
      let merged = try #require(recordings[id], "\(moment)")
      let newest = [first.modifiedAt, second.modifiedAt].compactMap(\.self).max()
      #expect(merged.modifiedAt == newest, "\(moment)")
      // The larger one has at least the records that both had when one was copied from the other.
      #expect(merged.playCount >= max(first.playCount, second.playCount), "\(moment)")
      #expect(merged.playCount <= first.playCount + second.playCount, "\(moment)")
      let versions = [one.transcripts[id], two.transcripts[id]].compactMap(\.self)
      // A person's before a machine's, else the later one.
      let best = versions.max {
        ($0.source == .person ? 1 : 0, $0.modifiedAt ?? $0.createdAt)
          < ($1.source == .person ? 1 : 0, $1.modifiedAt ?? $1.createdAt)
      }
      #expect(transcripts[id]?.source == best?.source, "\(moment)")
      #expect(transcripts[id]?.modifiedAt == best?.modifiedAt, "\(moment)")
      if best?.source != .person {
        #expect(transcripts[id]?.createdAt == best?.createdAt, "\(moment)")
      }
    }
  }
}

/// A library in the test's folder that is changed at random.
private struct RandomLibrary {
  let path: String
  let library: Library
  private let engine: ScriptedEngine
  private var moment: Date
  private static let start = Date(timeIntervalSince1970: 1_700_000_000)

  init(_ name: String) throws {
    try self.init(at: temporary(name), from: Self.start)
  }

  private init(at path: String, from moment: Date) throws {
    self.path = path
    self.moment = moment
    var script = ScriptedEngine.Script()
    script.checkedSound = SoundFormat(sampleRate: 44_100, channels: 1)
    engine = ScriptedEngine(script)
    let location = LibraryLocation(path: path)
    try Library.create(at: location)
    library = try Library.open(
      at: location, for: .writing, engine: engine, journals: [.cravings])
  }

  /// A copy of the folder, at another place.
  func copy(_ name: String) throws -> RandomLibrary {
    try FileManager.default.copyItem(atPath: path, toPath: temporary(name))
    return try RandomLibrary(at: temporary(name), from: moment)
  }

  mutating func change(times: Int, _ random: inout SeededNumbers) async throws {
    for _ in 0..<times {
      // Some things happen at the same time.
      if Bool.random(using: &random) { moment += 60 }
      try await change(&random)
    }
  }

  private func change(_ random: inout SeededNumbers) async throws {
    let recording = try library.recordings(matching: RecordingQuery()).randomElement(using: &random)
    let craving = try library.cravings(matching: CravingQuery()).randomElement(using: &random)
    let message = try library.messages(matching: MessageQuery()).randomElement(using: &random)
    let word = "word \(Int.random(in: 0..<6, using: &random))"
    switch Int.random(in: 0..<18, using: &random) {
    case 0...2: try await importSource(word, &random)
    case 3:
      guard let recording else { return }
      try library.editRecording(id: recording.id, now: moment) { $0.title = word }
    case 4:
      guard let recording else { return }
      try library.editRecording(id: recording.id, now: moment) { $0.notes = word }
    case 5:
      guard let recording else { return }
      try library.countPlay(id: recording.id, now: moment)
    case 6:
      guard let recording else { return }
      try library.deleteRecording(id: recording.id)
    case 7, 8:
      try library.add(
        Craving(
          timestamp: moment, intensity: try Intensity(5), notes: word, recordingID: recording?.id,
          createdAt: moment))
    case 9:
      guard let craving else { return }
      try library.edit(Craving.self, id: craving.id, now: moment) { $0.notes = word }
    case 10:
      guard let craving else { return }
      try library.delete(Craving.self, id: craving.id)
    case 11: try library.add(Message(content: word, category: .urge, createdAt: moment))
    case 12...15:
      guard let recording else { return }
      try changeTranscript(of: recording.id, word, &random)
    case 16:
      guard let message else { return }
      if message.isCustom {
        try library.editMessage(id: message.id, now: moment) { $0.content = word }
      } else {
        try library.hideMessage(id: message.id, Bool.random(using: &random), now: moment)
      }
    default:
      guard let message else { return }
      try library.countShowing(id: message.id, now: moment)
    }
  }

  private func changeTranscript(
    of id: RecordingID, _ word: String, _ random: inout SeededNumbers
  ) throws {
    let hasWords = try library.transcript(of: id)?.isMark == false
    switch Int.random(in: 0..<6, using: &random) {
    case 0 where hasWords: try library.deleteTranscript(of: id, now: moment)
    case 1: try library.forbidTranscript(of: id, now: moment)
    case 2 where hasWords:
      try library.editTranscript(of: id, now: moment) {
        $0.segments = [TranscriptSegment(startTime: 0, endTime: 10, text: "edited \(word)")]
      }
    default:
      let segment = SpokenWords.Segment(startTime: 0, endTime: 20, text: word)
      let words = try SpokenWords(language: "en", segments: [segment], duration: 1000)
      try library.keepTranscripts(
        [Transcript(of: id, words, source: .program, program: "test", createdAt: moment)],
        replacing: .machines)
    }
  }

  /// Imports one of a few sources. Depending on its name, one source becomes different files.
  private func importSource(_ word: String, _ random: inout SeededNumbers) async throws {
    let content = "source \(Int.random(in: 0..<4, using: &random))"
    let folder = temporary("sources")
    try FileManager.default.createDirectory(
      atPath: folder, withIntermediateDirectories: true)
    let source = "\(folder)/\(content)\(Bool.random(using: &random) ? " again" : "").m4a"
    try Data(content.utf8).write(to: URL(filePath: source))
    var options = ImportOptions(jobs: 1)
    options.allowsDuplicates = Int.random(in: 0..<4, using: &random) == 0
    options.notes = Bool.random(using: &random) ? word : nil
    for try await event in try library.importRecordings([source], options: options) {
      if case .failed(_, let error) = event { throw error }
    }
  }
}
