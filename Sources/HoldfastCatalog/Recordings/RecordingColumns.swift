internal import GRDB

extension RecordingRow {
  /// The columns of the table `recording`.
  enum Columns {
    static let id = Column("id")
    static let timestamp = Column("timestamp")
    static let timestampOffset = Column("timestampOffset")
    static let timestampSource = Column("timestampSource")
    static let type = Column("type")
    static let purpose = Column("purpose")
    static let duration = Column("duration")
    static let filePath = Column("filePath")
    static let thumbnailPath = Column("thumbnailPath")
    static let title = Column("title")
    static let notes = Column("notes")
    static let playCount = Column("playCount")
    static let lastPlayedAt = Column("lastPlayedAt")
    static let createdAt = Column("createdAt")
    static let modifiedAt = Column("modifiedAt")
    static let originalFilename = Column("originalFilename")
    static let sourceSHA256 = Column("sourceSHA256")
    static let part = Column("part")
    static let partCount = Column("partCount")
    static let fileSize = Column("fileSize")
    static let fileSHA256 = Column("fileSHA256")
    static let thumbnailSHA256 = Column("thumbnailSHA256")
    static let width = Column("width")
    static let height = Column("height")
    static let searchText = Column("searchText")
    static let conversion = Column("conversion")
    static let verifiedAt = Column("verifiedAt")
    static let fault = Column("fault")
    static let videoCodec = Column("videoCodec")
    static let audioCodec = Column("audioCodec")
    static let faultySince = Column("faultySince")
  }
}
