import Foundation
import HoldfastCravings
import HoldfastModel

/// An app's document or property list is read within its limits, and every record that comes of it
/// is accepted or refused in a sentence.
enum AppPromises {
  private static let models = [AppModel.recordings, .voiceMemos, .cravings]

  private static let id = "00000000-0000-4000-8000-000000000001"

  static let examples =
    [
      """
      {"cravings":[{"id":"\(id)","intensity":8,"timestamp":782000000,"trigger":"Sad",
      "recording":"\(id)","wasManagedSuccessfully":true}]}
      """,
      """
      [{"id":"\(id)","filePath":"Recordings/a.mov","playCount":2,"purpose":"Craving Moment"}]
      """,
      """
      [{"id":"\(id)","method":"Bowls","amount":1.5,"timestamp":"2025-10-12T22:13:20+02:00",
      "triggers":["x"]}]
      """,
    ].map { Data($0.utf8) } + [
      Data(
        base64Encoded: "YnBsaXN0MDCiAQJXQW54aW91c1VCb3JlZAgLEwAAAAAAAAEBAAAAAAAAAAMAAAAAAAAAAAAA"
          + "AAAAAAAZ") ?? Data()
    ]

  static let words = [
    "bplist00", "$archiver", "$objects", "$top", "NS.objects", "NS.keys", "cravings", "filePath",
    "triggers", "timestamp", "recordingId", "createdAt", "updatedAt", "Full moon", "file:///",
    "/Documents/", "../", "2025-10-12T22:13:20.5Z",
  ]

  static func check(_ bytes: Data) throws {
    if let value = AppValue.bytes(bytes).unpacked {
      try BrokenPromise.unless(count(value) <= 400_000, "a list has more values than its limit")
      try read(value)
    }
    if let value = try? JSONDecoder().decode(AppValue.self, from: bytes) { try read(value) }
  }

  private static func read(_ value: AppValue) throws {
    guard let rows = AppRows(value, models) else { return }
    let reading = AppReading(rows, models)
    for remark in reading.remarks { try BrokenPromise.unlessSentence(remark.sentence) }
    for recording in reading.recordings {
      guard let path = AppRecording.relativePath(recording.path) else { continue }
      try BrokenPromise.unless(
        !path.hasPrefix("/") && !path.split(separator: "/").contains(".."),
        "the path \(path) leaves the folder")
    }
    let document = try ExportDocument(reading.records, recordings: [], journals: [.cravings])
    for element in document[Craving.self] {
      if case .refused(_, let reason) = element { try BrokenPromise.unlessSentence(reason) }
    }
  }

  private static func count(_ value: AppValue) -> Int {
    switch value {
    case .list(let list): list.reduce(1) { $0 + count($1) }
    case .object(let values): values.values.reduce(1) { $0 + count($1) }
    default: 1
    }
  }
}
