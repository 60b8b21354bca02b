internal import Foundation
internal import HoldfastModel

/// The columns of each table, under their names in the catalog.
extension CSV {
  /// The columns of a recording.
  ///
  /// Left out are `searchText`, which repeats other columns, `conversion`, which is a tree and is
  /// in the JSON export, and the results of verification (`verifiedAt`, `fault`, `faultySince`).
  static let recordings: [CSVColumn<Recording>] = [
    .init("id") { .id($0.id) },
    .init("timestamp") { .date($0.recorded.date) },
    .init("timestampOffset") { .integer($0.recorded.offsetMinutes) },
    .init("timestampSource") { .word($0.recorded.source.rawValue) },
    .init("type") { .word($0.type.rawValue) },
    .init("purpose") { .word($0.purpose.rawValue) },
    .init("duration") { .decimal($0.duration) },
    .init("filePath") { .text($0.filePath.string) },
    .init("thumbnailPath") { .text($0.thumbnailPath?.string) },
    .init("title") { .text($0.title) },
    .init("notes") { .text($0.notes) },
    .init("playCount") { .integer($0.playCount) },
    .init("lastPlayedAt") { .date($0.lastPlayedAt) },
    .init("createdAt") { .date($0.createdAt) },
    .init("modifiedAt") { .date($0.modifiedAt) },
    .init("originalFilename") { .text($0.ingestion.originalFilename) },
    .init("sourceSHA256") { .word($0.ingestion.sourceSHA256.hexadecimal) },
    .init("part") { .integer($0.ingestion.part) },
    .init("partCount") { .integer($0.ingestion.partCount) },
    .init("fileSize") { .number("\($0.ingestion.fileSize)") },
    .init("fileSHA256") { .word($0.ingestion.fileSHA256.hexadecimal) },
    .init("thumbnailSHA256") { .word($0.ingestion.thumbnailSHA256?.hexadecimal) },
    .init("width") { .integer($0.ingestion.width) },
    .init("height") { .integer($0.ingestion.height) },
    .init("videoCodec") { .text($0.ingestion.codecs.video) },
    .init("audioCodec") { .text($0.ingestion.codecs.audio) },
  ]

  static let cravings: [CSVColumn<Craving>] = [
    .init("id") { .id($0.id) },
    .init("timestamp") { .date($0.timestamp) },
    .init("timestampOffset") { .integer($0.timestampOffset) },
    .init("intensity") { .integer($0.intensity.value) },
    .init("triggers") { .triggers($0.triggers) },
    .init("location") { .text($0.location?.text) },
    .init("notes") { .text($0.notes) },
    .init("recordingId") { .id($0.recordingID) },
    .init("createdAt") { .date($0.createdAt) },
    .init("modifiedAt") { .date($0.modifiedAt) },
  ]

  static let usage: [CSVColumn<Usage>] = [
    .init("id") { .id($0.id) },
    .init("timestamp") { .date($0.timestamp) },
    .init("timestampOffset") { .integer($0.timestampOffset) },
    .init("method") { .word($0.method.rawValue) },
    .init("amount") { .decimal($0.amount) },
    .init("triggers") { .triggers($0.triggers) },
    .init("location") { .text($0.location?.text) },
    .init("notes") { .text($0.notes) },
    .init("createdAt") { .date($0.createdAt) },
    .init("modifiedAt") { .date($0.modifiedAt) },
  ]

  /// True and false are written as 1 and 0, as in the catalog.
  static let messages: [CSVColumn<Message>] = [
    .init("id") { .id($0.id) },
    .init("content") { .text($0.content) },
    .init("category") { .word($0.category.rawValue) },
    .init("isCustom") { .integer($0.isCustom ? 1 : 0) },
    .init("priority") { .integer($0.priority) },
    .init("timesShown") { .integer($0.timesShown) },
    .init("lastShownAt") { .date($0.lastShownAt) },
    .init("isActive") { .integer($0.isActive ? 1 : 0) },
    .init("createdAt") { .date($0.createdAt) },
    .init("modifiedAt") { .date($0.modifiedAt) },
  ]
}

extension CSV.Field {
  fileprivate static func id(_ id: UUID?) -> Self { .word(id?.uuidString) }

  fileprivate static func date(_ date: Date?) -> Self { .word(date.map(JSONFormat.text)) }

  fileprivate static func integer(_ number: Int?) -> Self { .number(number.map { "\($0)" } ?? "") }

  /// Writes whole numbers without a decimal point.
  fileprivate static func decimal(_ number: Double) -> Self {
    .number(Int(exactly: number).map { "\($0)" } ?? "\(number)")
  }

  fileprivate static func triggers(_ triggers: TriggerSet) -> Self {
    .word(triggers.list.map(\.rawValue).joined(separator: "; "))
  }
}
