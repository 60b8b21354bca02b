import Foundation
@testable import Holdfast
import HoldfastCravings
import HoldfastModel
import HoldfastTestSupport
import Testing

@Suite("What was said in recordings", .temporaryFolder)
struct TranscriptTests {
  private let now = Date(timeIntervalSince1970: 1_700_000_000)

  /// A library with recordings, newest first.
  private func library(_ count: Int = 1) async throws -> (Library, [RecordingID]) {
    var script = ScriptedEngine.Script()
    script.checkedSound = SoundFormat(sampleRate: 44_100, channels: 1)
    let engine = ScriptedEngine(script)
    _ = try await run(engine, (1...count).map { "\($0).m4a" })
    let library = try open(engine)
    return (library, try library.recordings(matching: RecordingQuery()).map(\.id))
  }

  private func transcript(
    of id: RecordingID, _ text: String?, source: TranscriptSource = .program
  ) throws -> Transcript {
    let segments = text.map { [SpokenWords.Segment(startTime: 0, endTime: 900, text: $0)] } ?? []
    return Transcript(
      of: id, try SpokenWords(language: "en", segments: segments, duration: 1000), source: source,
      program: "whisper-cli", createdAt: now)
  }

  @Test("A machine's transcript is kept once, and replaced only if that was asked for")
  func machine() async throws {
    let (library, ids) = try await library()
    let (id, first) = (ids[0], try transcript(of: ids[0], "one"))
    #expect(try library.keepTranscripts([first, transcript(of: UUID(), "gone")]) == [id])
    for replaced in [[], .marks, .persons] as [ReplacedTranscripts] {
      #expect(try library.keepTranscripts([transcript(of: id, "two")], replacing: replaced) == [])
    }
    #expect(try library.transcript(of: id) == first)
    #expect(try library.keepTranscripts([transcript(of: id, "two")], replacing: .machines) == [id])
    #expect(try library.transcript(of: id)?.text == "two")
  }

  @Test("A person's transcript is replaced only if that was asked for")
  func person() async throws {
    let (library, ids) = try await library()
    let id = ids[0]
    try library.keepTranscripts([transcript(of: id, "one")])
    let edited = try library.editTranscript(of: id, now: now) { $0.segments[0].text = "mine" }
    #expect(edited.source == .person && edited.program == "whisper-cli")
    #expect(try #require(edited.modifiedAt) > now)
    let other = try transcript(of: id, "two")
    #expect(try library.keepTranscripts([other], replacing: [.machines, .marks]) == [])
    #expect(try library.transcript(of: id) == edited)
    // It was edited after the program began.
    let start = try #require(edited.modifiedAt).addingTimeInterval(-60)
    #expect(
      try library.keepTranscripts([other], replacing: .persons, madeSince: start) == [])
    #expect(try library.keepTranscripts([other], replacing: .persons) == [id])
    let made = try #require(try library.transcript(of: id))
    #expect(made.text == "two" && made.source == .program && made.isNewer(than: edited))
    #expect(throws: HoldfastError.self) { try library.keepTranscripts([edited]) }
  }

  @Test("What a person asked for, or allowed, is later than the decision that it replaces")
  func asked() async throws {
    let (library, ids) = try await library(2)
    // The clock was ahead at the decision.
    let ahead = Date().addingTimeInterval(86_400 * 365)
    try library.keepTranscripts([transcript(of: ids[0], "one")])
    try library.deleteTranscript(of: ids[0], now: ahead)
    let mark = try #require(try library.transcript(of: ids[0]))
    #expect(
      try library.keepTranscripts([transcript(of: ids[0], "two")], replacing: .marks) == [ids[0]])
    let again = try #require(try library.transcript(of: ids[0]))
    #expect(again.isNewer(than: mark) && !mark.isNewer(than: again) && again.source == .program)

    #expect(try library.forbidTranscript(of: ids[1], now: ahead))
    let never = try #require(try library.transcript(of: ids[1]))
    #expect(try library.allowTranscript(of: ids[1]))
    #expect(try !library.allowTranscript(of: ids[1]))
    let allowed = try #require(try library.transcript(of: ids[1]))
    #expect(allowed.isNewer(than: never) && allowed.isMark)
    #expect(try library.recordingsToTranscribe() == [ids[1]])
    #expect(try library.keepTranscripts([transcript(of: ids[1], "three")]) == [ids[1]])
    let made = try #require(try library.transcript(of: ids[1]))
    #expect(made.isNewer(than: never) && !never.isNewer(than: made))
  }

  @Test("What a person wrote loses to no permission, and to no machine that was not asked by name")
  func written() async throws {
    let (library, ids) = try await library(2)
    for id in ids { try library.keepTranscripts([transcript(of: id, "one")]) }
    let written = try library.editTranscript(of: ids[0]) { $0.segments[0].text = "mine" }
    let machine = try #require(try library.transcript(of: ids[1]))
    // Another copy of the library decides later, without the words.
    let later = Date().addingTimeInterval(60)
    try library.forbidTranscript(of: ids[1], now: later)
    let never = try #require(try library.transcript(of: ids[1]))
    try library.allowTranscript(of: ids[1], now: later)
    var allowed = try #require(try library.transcript(of: ids[1]))
    try library.keepTranscripts([transcript(of: ids[1], "two")])
    var automatic = try #require(try library.transcript(of: ids[1]))
    #expect(automatic.modifiedAt == allowed.modifiedAt)
    automatic.createdAt = later.addingTimeInterval(60)
    (allowed.id, automatic.id) = (ids[0], ids[0])
    for other in [allowed, automatic] {
      #expect(written.isNewer(than: other) && !other.isNewer(than: written))
    }
    #expect(machine.isNewer(than: allowed) && !allowed.isNewer(than: machine))
    #expect(never.isNewer(than: written) && never.isNewer(than: machine))
    #expect(automatic.isNewer(than: never) && !never.isNewer(than: automatic))

    // Made again without a name, the machine's version keeps the time of the decision.
    try library.keepTranscripts([transcript(of: ids[1], "three")], replacing: .machines)
    #expect(try library.transcript(of: ids[1])?.modifiedAt == allowed.modifiedAt)
    // Asked for by name, it wins over what was written before.
    let other = try transcript(of: ids[0], "four")
    #expect(try library.keepTranscripts([other], replacing: .persons) == [ids[0]])
    let forced = try #require(try library.transcript(of: ids[0]))
    #expect(forced.isNewer(than: written) && !written.isNewer(than: forced))
  }

  @Test("Silence that a machine heard after a deletion wins over the deleted words")
  func silenceAfterDeletion() async throws {
    let (library, ids) = try await library(1)
    try library.keepTranscripts([transcript(of: ids[0], "one")])
    let words = try #require(try library.transcript(of: ids[0]))
    try library.deleteTranscript(of: ids[0])
    let silent = Transcript(of: ids[0], SpokenWords(), source: .program, createdAt: Date())
    #expect(try library.keepTranscripts([silent], replacing: .marks) == [ids[0]])
    let kept = try #require(try library.transcript(of: ids[0]))
    #expect(kept.isNewer(than: words) && !words.isNewer(than: kept))
    // But no silence removes what a person wrote in another copy.
    var written = words
    (written.source, written.modifiedAt) = (.person, words.createdAt)
    #expect(written.isNewer(than: kept) && !kept.isNewer(than: written))
  }

  @Test("Segments out of order are refused")
  func order() async throws {
    let (library, ids) = try await library()
    var transcript = try transcript(of: ids[0], "one")
    transcript.segments.append(TranscriptSegment(startTime: 500, endTime: 600, text: "two"))
    transcript.segments.append(TranscriptSegment(startTime: 400, endTime: 600, text: "three"))
    let error = #expect(throws: HoldfastError.self) { try library.keepTranscripts([transcript]) }
    #expect(error?.explanation.contains("begins at 400 ms, before the one in front of it") == true)
  }

  @Test("A deleted transcript is made again only if that was asked for, and a forbidden one never")
  func marks() async throws {
    let (library, ids) = try await library(2)
    try library.keepTranscripts([transcript(of: ids[0], "one")])
    try library.deleteTranscript(of: ids[0], now: now)
    #expect(try library.forbidTranscript(of: ids[1], now: now))
    #expect(try !library.forbidTranscript(of: ids[1], now: now))
    #expect(try ids.map { try library.transcript(of: $0)?.state } == [.deleted, .never])
    for id in ids {
      let other = try transcript(of: id, "two")
      #expect(try library.transcript(of: id)?.segments == [])
      #expect(try library.keepTranscripts([other], replacing: [.machines, .persons]) == [])
      #expect(throws: HoldfastError.self) { try library.deleteTranscript(of: id) }
      #expect(throws: HoldfastError.self) { try library.editTranscript(of: id) { _ in } }
    }
    let never = try transcript(of: ids[1], "two")
    #expect(try library.keepTranscripts([never], replacing: .marks) == [])
    #expect(try library.allowTranscript(of: ids[1]))
    #expect(try !library.allowTranscript(of: ids[1]))
    #expect(try library.transcript(of: ids[1])?.state == .allowed)
    let other = try transcript(of: ids[0], "two")
    #expect(try library.keepTranscripts([other], replacing: .marks) == [ids[0]])
    #expect(try !library.allowTranscript(of: ids[0]))
  }

  @Test("A machine that hears nothing replaces no words, also in a merge")
  func silence() async throws {
    let (library, ids) = try await library(1)
    let words = try transcript(of: ids[0], "one")
    try library.keepTranscripts([words])
    let silent = Transcript(
      of: ids[0], SpokenWords(), source: .program, createdAt: words.createdAt + 60)
    #expect(try library.keepTranscripts([silent], replacing: .machines) == [])
    #expect(try library.transcript(of: ids[0]) == words)
    #expect(words.isNewer(than: silent) && !silent.isNewer(than: words))
  }

  @Test("A program's words win over the phone's, which came with a later import")
  func phone() throws {
    let id = RecordingID()
    let program = try transcript(of: id, "one")
    var phone = program
    (phone.source, phone.createdAt) = (.phone, program.createdAt + 60)
    #expect(program.isNewer(than: phone) && !phone.isNewer(than: program))
    (phone.source, phone.modifiedAt) = (.person, phone.createdAt)
    #expect(phone.isNewer(than: program))
  }

  @Test("Times of words that are far outside their sentence are not believed")
  func farTimes() throws {
    let word = SpokenWord("mango", startTime: 5_000_000, endTime: 5_000_500)
    let words = try SpokenWords(
      language: "en",
      segments: [.init(startTime: 5_000_000, endTime: 5_000_500, text: "mango", words: [word])],
      duration: 6_000_000)
    var segment = try #require(words.segments.first)
    #expect(segment.words == [word])
    (segment.startTime, segment.endTime) = (0, 800)
    #expect(segment.words.isEmpty)
  }

  @Test("The recordings to transcribe are listed newest first, and counted")
  func list() async throws {
    let (library, ids) = try await library(5)
    #expect(try library.recordingsToTranscribe() == ids)
    #expect(try library.recordingsToTranscribe(limit: 2) == Array(ids.prefix(2)))
    try library.keepTranscripts([transcript(of: ids[0], "one"), transcript(of: ids[1], "two")])
    try library.editTranscript(of: ids[1], now: now) { $0.segments = [] }
    try library.forbidTranscript(of: ids[2], now: now)
    func expect(_ indices: [Int], _ replaced: ReplacedTranscripts) throws {
      #expect(try library.recordingsToTranscribe(replacing: replaced) == indices.map { ids[$0] })
      #expect(try library.countToTranscribe(replacing: replaced) == indices.count)
    }
    try expect([3, 4], [])
    try expect([0, 3, 4], .machines)
    try expect([1, 3, 4], .persons)
    // The third one is never to have a transcript.
    try expect([3, 4], .marks)
    try expect([0, 1, 3, 4], [.machines, .persons, .marks])
  }

  @Test("The list of recordings to transcribe walks an index")
  func plan() async throws {
    let (library, _) = try await library()
    try library.read { db in
      for replaced in [[], .machines] as [ReplacedTranscripts] {
        try PlannedDatabase.expectWalk(
          of: Library.listToTranscribe(replaced), by: "recording_recent", in: db)
      }
    }
  }

  @Test("An import finds the recording under another ID, and refuses a lost recording's transcript")
  func document() async throws {
    let (library, ids) = try await library()
    try library.keepTranscripts([transcript(of: ids[0], "one")])
    var data = Data()
    try library.exportDocument { data += $0 }
    let other = UUID()
    let text = String(decoding: data, as: UTF8.self).replacing(
      ids[0].uuidString, with: other.uuidString)
    let lost =
      #"{"id":"\#(UUID())","state":"silent","source":"phone","segments":[],"#
      + #""isLanguageDoubtful":false,"createdAt":"2025-10-25T13:42:00.000Z"},"#
    let both = text.replacing("\"transcripts\":[", with: "\"transcripts\":[\(lost)")
    let document = try ExportDocument(json: Data(both.utf8), journals: [.cravings])
    #expect(try library.write { db in try db.delete(Transcript.self, id: ids[0]) })
    let report = try library.importData(document)
    #expect(
      report.items.map { "\($0)".contains("its recording is not in the library") } == [true],
      "\(report.items)")
    #expect(try library.transcript(of: ids[0]) == transcript(of: ids[0], "one"))
    #expect(try library.importData(document).changes == [])
  }
}
