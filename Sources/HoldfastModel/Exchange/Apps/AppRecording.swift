public import Foundation

/// A recording as an app knows it, before its file is imported.
public struct AppRecording: Hashable, Sendable {
  /// The recording's ID in the app.
  public var id: RecordingID
  /// The path of its file, as the app wrote it.
  public var path: String
  /// The title.
  public var title: String?
  /// The notes.
  public var notes: String?
  /// Why the person keeps it.
  public var purpose: RecordingPurpose?
  /// When it was recorded.
  public var timestamp: Date?
  /// The time zone in which it was recorded, in minutes east of Greenwich; `nil` if the app does
  /// not know it.
  public var timestampOffset: Int?
  /// Where ``timestamp`` comes from; `nil` if the app does not know it.
  public var timestampSource: TimestampSource?
  /// The name of the file that was once imported; `nil` if the app does not know it.
  public var originalFilename: String?
  /// How many times it was played.
  public var playCount = 0
  /// How often each copy of a library counted a play; `nil` if the app does not know it.
  public var plays: [CountedPlays]?
  /// When it was last played.
  public var lastPlayedAt: Date?
  /// When the app made it.
  public var createdAt: Date?
  /// When a person last changed it; `nil` for never.
  public var modifiedAt: Date?

  /// Whether the app knows only its file, as that of a record's voice note.
  public var isVoiceNote = false
  /// Whether the app has it in its bin.
  public var isDeleted = false
  /// Whether the app's data give it an ID. Otherwise ``id`` only tells it from others in an import.
  public var hasID = true

  /// Makes a recording when only its file is known.
  public init(id: RecordingID, path: String) {
    self.id = id
    self.path = path
  }

  /// Refuses a title or notes that the catalog would refuse.
  public func validate() throws(RuleError) {
    try Recording.validate(title: title, notes: notes)
  }

  /// Whether a recording with this ID can be the app's, by its dates. Without its file, nothing
  /// else proves it: an ID that was taken here belongs to another recording.
  package func mayBe(_ recording: Recording) -> Bool {
    guard timestamp != nil || createdAt != nil else { return true }
    return timestamp?.roundedToMillisecond.isSameMoment(as: recording.recorded.date) == true
      || createdAt?.roundedToMillisecond.isSameMoment(as: recording.createdAt) == true
  }

  /// Returns a recording with what the app knows about it.
  package func describing(_ recording: Recording, now: Date) -> Recording {
    var recording = recording
    recording.title = title?.nonBlank ?? recording.title
    recording.notes = notes?.nonBlank ?? recording.notes
    recording.purpose = purpose ?? recording.purpose
    if let timestamp, timestamp <= now {
      let own = recording.recorded
      let isSame = timestamp.isSameMoment(as: own.date)
      recording.recorded = RecordingTimestamp(
        date: isSame ? max(own.date, timestamp) : timestamp,
        offsetMinutes: timestampOffset ?? (isSame ? own.offsetMinutes : nil),
        source: timestampSource ?? .container)
    }
    if let originalFilename { recording.ingestion.originalFilename = originalFilename }
    if let createdAt, createdAt <= now, !createdAt.isSameMoment(as: recording.createdAt) {
      recording.createdAt = createdAt.roundedToMillisecond
    }
    // An edit here is not one in the app.
    recording.modifiedAt = modifiedAt.flatMap {
      $0 > recording.createdAt ? $0.roundedToMillisecond : nil
    }
    recording.playCount = min(max(playCount, 0), 1_000_000_000)
    recording.lastPlayedAt = recording.playCount > 0 ? lastPlayedAt?.roundedToMillisecond : nil
    return recording
  }

  /// Returns the part of a path that is relative to an app's documents; `nil` for a path that
  /// leaves them.
  public static func relativePath(_ path: String) -> String? {
    var path = path
    if path.hasPrefix("file://") {
      path = String(path.dropFirst("file://".count)).removingPercentEncoding ?? path
    }
    if path.hasPrefix("/") {
      // The folder before it changes with each installation of the app.
      guard let documents = path.range(of: "/Documents/", options: .backwards) else { return nil }
      path = String(path[documents.upperBound...])
    }
    let parts = path.split(separator: "/", omittingEmptySubsequences: false)
    let isPlain = parts.allSatisfy { !["", ".", ".."].contains($0) } && !path.contains("\0")
    return isPlain && path.utf8.count <= 1000 ? path : nil
  }
}

extension AppReading {
  /// Leaves out recordings with the ID of another one. The one that was changed last is kept, and
  /// among equals the last one.
  ///
  /// - Returns: How many were left out.
  package mutating func removeRepeatedRecordings() -> Int {
    var kept: [AppRecording] = []
    var places: [RecordingID: Int] = [:]
    for recording in recordings {
      guard let place = places[recording.id] else {
        places[recording.id] = kept.count
        kept.append(recording)
        continue
      }
      let changes = [kept[place], recording].map {
        $0.modifiedAt ?? $0.createdAt ?? .distantPast
      }
      if changes[1] >= changes[0] { kept[place] = recording }
    }
    defer { recordings = kept }
    return recordings.count - kept.count
  }
}

extension AppModel {
  /// The recordings of any app.
  public static let recordings = AppModel(
    "recordings", entities: ["recording"],
    marks: [("recordings", ["filepath"]), ("recordings", ["fileurl"])]
  ) { reading in
    for fields in reading.rows["recording"] {
      var row = AppRow(fields)
      let path = row.value("filePath", "fileURL", "path")
      guard let id = row.value("id").uuid else {
        reading.remark(.recordings, name: "id", what: "not a UUID, so the recording is left out")
        continue
      }
      // A URL in JSON may be an object with its text.
      var recording = AppRecording(
        id: id, path: path.text ?? path["relative"].text ?? path.unpacked?.text ?? "")
      recording.title = row.words(of: "title")
      recording.notes = row.words(of: "notes")
      let purpose = row.value("purpose", "recordingPurpose")
      recording.purpose = AppRow.word(purpose, RecordingPurpose.self)
      if recording.purpose == nil, !purpose.isNull {
        row.remark("purpose", "\(purpose.shown) is not known, not kept")
      }
      recording.createdAt = row.value("createdAt").moment?.date
      recording.timestamp = row.value("timestamp").moment?.date ?? recording.createdAt
      recording.modifiedAt = row.value("modifiedAt", "updatedAt").moment?.date
      recording.timestampOffset = row.value("timestampOffset").integer.flatMap {
        Entry.offsets.contains($0) ? $0 : nil
      }
      recording.timestampSource = row.value("timestampSource").text
        .flatMap(TimestampSource.init(rawValue:))
      recording.originalFilename = row.value("originalFilename").text?.nonBlank
        .flatMap { $0.utf8.count <= 255 && !$0.contains("/") ? $0 : nil }
      recording.playCount = row.value("playCount").integer ?? 0
      recording.lastPlayedAt = row.value("lastPlayedAt").moment?.date
      if case .list(let counts) = row.value("plays") {
        recording.plays = counts.compactMap { element in
          guard let replica = element["replica"].uuid, let count = element["count"].integer else {
            return nil
          }
          return CountedPlays(replica: replica, count: min(max(count, 0), 1_000_000_000))
        }
      }
      // The file itself says the rest.
      row.skip(
        "type", "recordingType", "duration", "thumbnailPath", "thumbnailURL", "craving", "cravings",
        "cravingId", "isFavorite")
      reading.recordings.append(recording)
      reading.finish(row, .recordings)
    }
  } write: { writing in
    writing.each(.recordings, as: "recordings") { element in
      element.values = element.values.filter { written.contains($0.key) }
    }
  }

  /// The values of a recording that a document of an app has. The file itself says the rest.
  private static let written: Set<String> = [
    "id", "timestamp", "type", "purpose", "duration", "filePath", "thumbnailPath", "title", "notes",
    "playCount", "lastPlayedAt", "createdAt", "modifiedAt",
    // An app ignores these.
    "timestampOffset", "timestampSource", "originalFilename", "plays",
  ]

  /// The voice memos of a phone or a Mac: the titles and folders of files.
  public static let voiceMemos = AppModel(
    "voice memos", entities: ["cloudrecording", "folder"]
  ) { reading in
    var folders: [Int: String] = [:]
    for row in reading.rows["folder"] {
      let name = (row.values["encryptedname"] ?? row.values["name"])?.value.text
      if let number = row.number, let name { folders[number] = name }
    }
    for fields in reading.rows["cloudrecording"] {
      var row = AppRow(fields)
      // Older versions have the whole path on the phone.
      let path = row.value("path").text?.split(separator: "/").last.map(String.init) ?? ""
      let id = row.value("uniqueId").uuid
      var recording = AppRecording(id: id ?? RecordingID(), path: path)
      recording.hasID = id != nil
      let label = row.value("customLabel").text?.nonBlank
      recording.title = row.value("encryptedTitle").text?.nonBlank ?? label
      recording.timestamp = row.value("date").date
      recording.createdAt = recording.timestamp
      recording.isDeleted = !row.value("evictionDate").isNull
      if let folder = row.value("folder").integer.flatMap({ folders[$0] }) {
        recording.notes = "Folder: \(folder)"
      }
      reading.add(recording)
    }
  }
}
