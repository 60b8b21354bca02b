import Foundation
import Holdfast
import HoldfastFaith
import Testing

/// An app's document as records, without a library.
@Suite("Faith: the reading of an app's data")
struct FaithAppReadingTests {
  private let head = #""id": "11111111-1111-4111-8111-111111111111", "createdAt": "2025-06-08""#

  private func reading(_ list: String, _ values: String) throws -> AppReading {
    let model = try #require(Journal.faith.app)
    let json = "{\"\(list)\": [{\(head), \(values)}]}"
    let document = try JSONDecoder().decode(AppValue.self, from: Data(json.utf8))
    return AppReading(try #require(AppRows(document, [model])), [model])
  }

  private func record(_ reading: AppReading) throws -> [String: AppValue] {
    try #require(reading.records.values.first?.first)
  }

  @Test(
    "The readings of a plan come in every form, and what is not understood is named",
    arguments: [
      (#"["Psalm 1", "Psalm 2"]"#, ["Psalm 1", "Psalm 2"], nil),
      (#"[{"day": 1, "reference": "Psalm 1"}]"#, ["Psalm 1"], nil),
      (
        #"[{"title": "Day 1", "passages": ["Psalm 1", "Psalm 2"]}]"#, ["Day 1: Psalm 1; Psalm 2"],
        nil
      ),
      (
        #"[{"book": "Psalms", "startChapter": 1, "endChapter": 3}, {"book": "Ruth"}]"#,
        ["Psalms 1–3", "Ruth"], nil
      ),
      (#"{"10": "Psalm 10", "2": ["Psalm 2", "Psalm 3"]}"#, ["Psalm 2; Psalm 3", "Psalm 10"], nil),
      (
        #"[{"reference": "Psalm 1", "note": "slowly"}, {"a": 1}]"#, ["Psalm 1"],
        "readingsData.note: 1 reading plan, \"slowly\", not kept"
      ),
      ("AAEC", [], "readingsData: 1 reading plan, \"AAEC\", not kept"),
      (#"{"a": 1}"#, [], "readingsData: 1 reading plan, an object, not kept"),
    ] as [(String, [String], String?)])
  func readings(json: String, expected: [String], remark: String?) throws {
    let data = Data(json.utf8).base64EncodedString()
    let isJSON = json != "AAEC"
    for value in isJSON ? [json, "\"\(data)\""] : ["\"\(json)\""] {
      let reading = try reading(
        "readingPlans", #""title": "A", "startDate": "2025-06-08", "readingsData": \#(value)"#)
      let readings = try record(reading)["dailyReadings"]?.list ?? []
      #expect(readings.map { $0["reading"].text } == expected, "\(value)")
      let sentences = reading.remarks.map(\.sentence)
      #expect(remark.map(sentences.contains) ?? sentences.isEmpty, "\(sentences)")
    }
  }

  @Test(
    "What is done without a date was done at the last change",
    arguments: [
      ("devotionals", #""title": "A", "date": "2025-06-01", "isCompleted": true"#, "completedAt"),
      ("journalPrompts", #""prompt": "Q", "isUsed": true"#, "usedDate"),
      (
        "liveSessions",
        #""title": "S", "hostId": "h", "startTime": "2025-06-01T00:00:00Z", "isActive": false"#,
        "endTime"
      ),
    ])
  func undated(list: String, values: String, name: String) throws {
    let reading = try reading(list, values + #", "updatedAt": "2025-07-01T00:00:00Z""#)
    #expect(try record(reading)[name]?.text == "2025-07-01T00:00:00.000Z")
    #expect(
      reading.remarks.map(\.sentence).contains {
        $0.hasPrefix(name) && $0.hasSuffix("missing, read as the time of the last change")
      })
  }

  @Test("A reading that is done keeps its tick, with a date or without")
  func ticks() throws {
    let reading = try reading(
      "readingPlans",
      """
      "title": "A", "startDate": "2025-06-08", "updatedAt": "2025-07-01T00:00:00Z",
      "dailyReadings": [{"reference": "a", "isCompleted": true},
        {"reference": "b", "isCompleted": true, "completedDate": "2025-06-09T00:00:00Z"},
        {"reference": "c", "isCompleted": false}]
      """)
    let readings = try record(reading)["dailyReadings"]?.list ?? []
    #expect(
      readings.map { $0["doneAt"].text }
        == ["2025-07-01T00:00:00.000Z", "2025-06-09T00:00:00.000Z", nil])
  }

  @Test("Words in place of a list are kept, and other values are named")
  func words() throws {
    let entry = try reading(
      "journalEntries",
      """
      "title": "A", "content": "c", "activities": "Walk, Tea", "triggersJSON": "[{\\"a\\": 1}]",
      "photoURLs": "a.jpg", "audioURL": {"path": "x"}, "linkedPrayerRequestIdsJSON": "[]"
      """)
    #expect(try record(entry)["content"]?.text == "c\n\nActivities: Walk, Tea")
    #expect(try record(entry)["photoURLs"]?.list == [.text("a.jpg")])
    #expect(
      Set(entry.remarks.map(\.sentence)) == [
        "triggersJSON: 1 journal entry, an object, not kept",
        "audioURL: 1 journal entry, an object, not kept",
      ])
    let mood = try reading(
      "moodEntries", #""mood": "Joy", "date": "2025-06-08", "tags": "x y", "weather": {"t": 20}"#)
    #expect(try record(mood)["notes"]?.text == "Tags: x y")
    #expect(mood.remarks.map(\.sentence) == ["weather: 1 mood, an object, not kept"])
    let topic = try reading(
      "bibleStudyTopics",
      """
      "title": "A", "versesJSON": "[\\"John 1:1\\"]",
      "notesData": [{"id": "11111111-1111-4111-8111-111111111111", "content": "Hm"}]
      """)
    #expect(try record(topic)["verses"]?.list == [.text("John 1:1")])
    #expect(try record(topic)["notes"]?.text == "Notes: content: Hm")
    #expect(topic.remarks.isEmpty)
  }
}
