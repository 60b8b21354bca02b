public import Foundation

extension RecordingDocument: DeclaredRecord {
  /// Recordings, without their files.
  ///
  /// Their import has its own rule: a recording without a file cannot be added.
  ///
  /// The comma-separated values leave out `searchText`, which repeats other columns, `conversion`,
  /// which is a tree and is in the JSON export, and the results of verification (`verifiedAt`,
  /// `fault`, `faultySince`).
  public static let declaration = RecordDeclaration<RecordingDocument>(
    .recordings, version: 2, table: "recording",
    children: [
      ChildTable("thumbnail", owner: "recordingId"),
      ChildTable("sound", owner: "recordingId"),
      ChildTable(
        "plays", owner: "recordingId", list: "plays", of: .object(["replica", "count"]),
        position: nil),
      ChildTable("alias", owner: "recordingId"),
    ],
    counters: [.maximum(\.recording.playCount), .maximum(\.recording.lastPlayedAt)],
    csv: [
      .init("id", \.id), .init("timestamp", \.recording.recorded.date),
      .init("timestampOffset", \.recording.recorded.offsetMinutes),
      .init("timestampSource") { .word($0.recording.recorded.source.rawValue) },
      .init("type", \.recording.type), .init("purpose", \.recording.purpose),
      .init("duration", \.recording.duration), .init("filePath", \.recording.filePath.string),
      .init("thumbnailPath") { .text($0.recording.thumbnailPath?.string) },
      .init("title", \.recording.title), .init("notes", \.recording.notes),
      .init("playCount", \.recording.playCount), .init("lastPlayedAt", \.recording.lastPlayedAt),
      .init("createdAt", \.recording.createdAt), .init("modifiedAt", \.recording.modifiedAt),
      .init("originalFilename", \.recording.ingestion.originalFilename),
      .init("sourceSHA256") { .word($0.recording.ingestion.sourceSHA256.hexadecimal) },
      .init("part", \.recording.ingestion.part),
      .init("partCount", \.recording.ingestion.partCount),
      .init("fileSize") { .number("\($0.recording.ingestion.fileSize)") },
      .init("fileSHA256") { .word($0.recording.ingestion.fileSHA256.hexadecimal) },
      .init("thumbnailSHA256") { .word($0.recording.ingestion.thumbnailSHA256?.hexadecimal) },
      .init("width", \.recording.ingestion.width), .init("height", \.recording.ingestion.height),
      .init("videoCodec", \.recording.ingestion.codecs.video),
      .init("audioCodec", \.recording.ingestion.codecs.audio),
    ])

  /// When it was imported.
  public var createdAt: Date { recording.createdAt }
  /// When a person last changed it; `nil` for never.
  public var modifiedAt: Date? { recording.modifiedAt }
  /// When it was recorded.
  public var happenedAt: Date? { recording.recorded.date }

  /// Refuses a title, notes or figures that the catalog would refuse.
  ///
  /// - Throws: ``RuleError`` with the figure and the limit.
  public func validate() throws(RuleError) {
    try Recording.validate(title: recording.title, notes: recording.notes)
    try recording.playCount.validateAsCount("playCount")
    for counted in plays ?? [] { try counted.count.validateAsCount("the count of plays") }
    if let offset = recording.recorded.offsetMinutes { try Entry.validate(offset: offset) }
  }
}
