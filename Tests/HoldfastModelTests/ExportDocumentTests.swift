import Foundation
import HoldfastCravings
import HoldfastModel
import Testing

@Suite("Reading an export's document")
struct ExportDocumentTests {
  private static let id = "00000000-0000-4000-8000-000000000001"
  private static let date = "2026-01-01T10:00:00.000Z"

  private func document(_ lists: String) throws(RuleError) -> ExportDocument {
    try ExportDocument(
      json: Data("{\"format\":\"holdfast\",\"schemaVersion\":1\(lists)}".utf8),
      journals: [.cravings])
  }

  /// A craving's JSON with one value replaced, or removed if empty.
  private func craving(_ name: String = "", _ value: String = "") -> String {
    var values = [
      "id": "\"\(Self.id)\"", "timestamp": "\"\(Self.date)\"", "intensity": "7",
      "triggers": "[\"Sad\"]", "createdAt": "\"\(Self.date)\"", "modifiedAt": "\"\(Self.date)\"",
    ]
    if !name.isEmpty { values[name] = value.isEmpty ? nil : value }
    return "{\(values.map { "\"\($0.key)\":\($0.value)" }.joined(separator: ","))}"
  }

  @Test(
    "A file that is not an export is refused whole, in one sentence",
    arguments: [
      ("", "not readable JSON"), ("hello", "not readable JSON"),
      ("{\"format\":\"holdfast\"", "not readable JSON"),
      ("{\"format\":\"holdfast\",\"schemaVersion\":1}{}", "not readable JSON"),
      ("[]", "not a document of Holdfast"), ("1", "not a document of Holdfast"),
      ("null", "not a document of Holdfast"),
      ("{}", "not a document of Holdfast"), ("{\"schemaVersion\":1}", "not a document of Holdfast"),
      ("{\"format\":\"other\",\"schemaVersion\":1}", "not a document of Holdfast"),
      ("{\"format\":\"holdfast\",\"schemaVersion\":0}", "not a document of Holdfast"),
      ("{\"format\":\"holdfast\",\"schemaVersion\":\"1\"}", "not a document of Holdfast"),
      ("{\"format\":\"holdfast\",\"schemaVersion\":1e999}", "not a document of Holdfast"),
      ("{\"format\":\"holdfast\",\"schemaVersion\":3}", "written by a newer version of Holdfast"),
      (
        "{\"format\":\"holdfast\",\"schemaVersion\":2,\"versions\":{\"usage\":2,\"cravings\":3}}",
        "written by a newer version of Holdfast (cravings of version 3)"
      ),
      (
        "{\"format\":\"holdfast\",\"schemaVersion\":2,\"versions\":{\"meals\":1},\"meals\":[]}",
        "it has \"meals\", which this program does not know"
      ),
      (
        "{\"format\":\"holdfast\",\"schemaVersion\":2,\"versions\":{\"usage\":2},\"meals\":[]}",
        "it has \"meals\", which this program does not know"
      ),
      ("{\"format\":\"holdfast\",\"schemaVersion\":2,\"usage\":[]}", "not a document of Holdfast"),
      (
        "{\"format\":\"holdfast\",\"schemaVersion\":2,\"versions\":{\"usage\":-1}}",
        "not a document of Holdfast"
      ),
      (
        "{\"format\":\"holdfast\",\"schemaVersion\":2,\"versions\":[1]}",
        "not a document of Holdfast"
      ),
      (
        "{\"format\":\"holdfast\",\"schemaVersion\":1,\"cravings\":{}}",
        "its cravings are not a list"
      ),
      ("{\"format\":\"holdfast\",\"schemaVersion\":1,\"usage\":null}", "its usage are not a list"),
    ])
  func foreign(text: String, words: String) {
    let error = #expect(throws: RuleError.self) {
      try ExportDocument(json: Data(text.utf8), journals: [.cravings])
    }
    #expect(error?.description.hasPrefix(words) == true, "\(error?.description ?? "")")
  }

  @Test("JSON nested a hundred thousand deep is refused, and does not end the process")
  func deep() {
    let nested = String(repeating: "[", count: 100_000) + String(repeating: "]", count: 100_000)
    #expect(throws: RuleError.self) { try document(",\"cravings\":\(nested)") }
  }

  @Test("A missing list is empty")
  func missingLists() throws {
    let document = try document("")
    #expect(document[RecordingDocument.self].isEmpty && document[Message.self].isEmpty)
  }

  @Test(
    "An invalid record is refused with the reason, and does not affect the others",
    arguments: [
      ("intensity", "11", "intensity 11: an intensity goes from 1 to 10"),
      ("intensity", "\"7\"", "its intensity is not a number"),
      ("intensity", "7.5", "it holds a number that is too large or not whole"),
      ("intensity", "1e999", "it holds a number that is too large or not whole"),
      ("intensity", "123456789012345678901234567890", "it holds a number that is too large"),
      ("intensity", "", "it has no intensity"), ("intensity", "null", "its intensity is null"),
      ("triggers", "[\"Sade\"]", "no trigger is called \"Sade\"; did you mean Sad?"),
      ("triggers", "[\"Sad\",7]", "its triggers[1] is not text"),
      ("triggers", "\"Sad\"", "its triggers is not a list"),
      ("timestamp", "\"2026-02-30T00:00:00.000Z\"", "timestamp \"2026-02-30T00:00:00.000Z\" is no"),
      ("timestamp", "1767261600", "its timestamp is not text"),
      ("id", "\"1\"", "its id cannot be read"), ("id", "[]", "its id is no"),
      ("location", "\"91,0\"", "location \"91,0\": a latitude goes from -90 to 90"),
      ("notes", "\"a\\u0000b\"", "the notes have a NUL character"),
      ("notes", "\"\\ud800\"", "it holds a number that is too large or not whole, or a text"),
      ("notes", "[[[[[[[[[[]]]]]]]]]]", "its notes is not text"),
      ("recordingId", "true", "its recordingId is no"),
    ])
  func refused(name: String, value: String, reason: String) throws {
    let list = [craving(), craving(name, value), craving()].joined(separator: ",")
    let cravings = try document(",\"cravings\":[\(list)]")[Craving.self]
    try #require(cravings.count == 3)
    #expect(cravings[0] == cravings[2])
    guard case .value(let good) = cravings[0], case .refused(let id, let said) = cravings[1] else {
      Issue.record("\(cravings)")
      return
    }
    #expect(good.triggers == [.sad])
    #expect(said.hasPrefix(reason), "\(said)")
    #expect(id == (name == "id" ? (value == "[]" ? nil : "1") : Self.id))
  }

  @Test("A record that is not an object, or has ten megabytes of text, is refused briefly")
  func hostile() throws {
    let long = String(repeating: "é", count: 5_000_000)
    let elements =
      ["7", "null", "\"x\"", "[]", "{}"]
      + ["notes", "id", "location", "timestamp"].map { craving($0, "\"\(long)\"") }
      + [craving("triggers", "[\"\(long)\"]"), craving("intensity", long)]
    #expect(throws: RuleError.self) {
      try document(",\"cravings\":[\(elements.joined(separator: ","))]")
    }
    let cravings = try document(
      ",\"cravings\":[\(elements.dropLast().joined(separator: ","))]"
    )[Craving.self]
    #expect(cravings.count == 10)
    for craving in cravings {
      guard case .refused(let id, let reason) = craving else {
        Issue.record("\(craving)")
        continue
      }
      #expect(reason.count < 310 && (id ?? "").count < 45)
      #expect(!reason.isEmpty)
    }
  }

  @Test(
    "Counts outside 0 to 1,000,000,000 are refused",
    arguments: ["-1", "1000000001", "9223372036854775807"])
  func counts(number: String) throws {
    let text = """
      {"id":"\(Self.id)","content":"Breathe.","category":"urge","isCustom":true,"priority":1,\
      "timesShown":\(number),"isActive":true,"createdAt":"\(Self.date)","modifiedAt":"\(Self.date)"}
      """
    let messages = try document(",\"messages\":[\(text)]")[Message.self]
    #expect(
      messages == [
        .refused(id: Self.id, reason: "timesShown \(number): a count goes from 0 to 1000000000")
      ])
  }

  @Test("A recording is read as it was written, whatever its conversion")
  func recording() throws {
    var recording = try Samples.recording()
    recording.title = "Day one"
    recording.playCount = 3
    recording.lastPlayedAt = Samples.moment
    recording.ingestion.conversion?.encodedPeak = .infinity
    let data = try JSONFormat.encoder.encode(RecordingDocument(recording))
    #expect(
      try JSONFormat.decoder.decode(RecordingDocument.self, from: data).recording == recording)
    // The conversion is history: another version's conversion does not hide the recording.
    var fields = try #require(
      try JSONSerialization.jsonObject(with: data) as? [String: Any])
    fields["conversion"] = ["plan": 5]
    let odd = try JSONFormat.decoder.decode(
      RecordingDocument.self, from: JSONSerialization.data(withJSONObject: fields))
    recording.ingestion.conversion = nil
    #expect(odd.recording == recording)
  }

  @Test("An app's texts and figures come through as they are")
  func appRecord() throws {
    let notes =
      String((1..<0x180).compactMap(Unicode.Scalar.init).map(Character.init)) + "\u{2028}😀"
    let record: [String: AppValue] = [
      "id": .text(Self.id), "timestamp": .text(Self.date), "createdAt": .text(Self.date),
      "intensity": .number(7), "triggers": .list([]), "notes": .text(notes),
      "isUnknown": .flag(true),
      "figures": .list([.number(0.1), .number(-.infinity), .null, .object([:])]),
    ]
    let document = try ExportDocument(
      [Craving.declaration.kind: [record]], recordings: [], journals: [.cravings])
    guard case .value(let craving)? = document[Craving.self].first else {
      Issue.record("\(document[Craving.self])")
      return
    }
    #expect(Array((craving.notes ?? "").unicodeScalars) == Array(notes.unicodeScalars))
    #expect(craving.intensity.value == 7)
  }
}
