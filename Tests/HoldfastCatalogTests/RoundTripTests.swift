import Foundation
import HoldfastCatalog
import HoldfastModel
import HoldfastTestSupport
import Testing

@Suite("Values are read back as they were written")
struct RoundTripTests {
  /// A video with every optional field.
  private func fullVideo() throws -> Recording {
    let info = ConversionPlan.Stream(index: 1, encodedBecause: "10-bit \"4:2:2\"")
    let json = """
      {"type":"video","start":{"ticks":-7,"numerator":1,"denominator":90000},"duration":61.25}
      """
    var plan = try JSONDecoder().decode(ConversionPlan.self, from: Data(json.utf8))
    plan.video = info
    plan.audio = ConversionPlan.Stream(index: 0)
    plan.creationTime = Date(timeIntervalSince1970: 1_700_000_000.123)
    var report = ConversionReport(plan: plan)
    report.pictures = 1800
    report.encodedSize = PictureSize(width: 1080, height: 1920)
    report.encodedSound = 0..<96_000
    report.encodedSampleRate = 48_000
    report.encodedPeak = 0.1
    report.settings = ["libx264 medium crf=20"]
    report.versions = ["libavcodec": "59.37.100", "a": "b"]
    report.warnings = ["the second sound track was dropped"]
    var check = CheckReport(duration: 61.25)
    (check.width, check.height, check.pictures) = (1080, 1920, 1800)
    report.check = check
    var recording = Recording(
      id: UUID(),
      recorded: RecordingTimestamp(
        date: Date(timeIntervalSince1970: 1_699_999_999.999), offsetMinutes: -210,
        source: .quickTime),
      type: .video, purpose: .craving, duration: 61.25, title: "Ätna 🌋", notes: "line\nline 'q'",
      createdAt: Date(timeIntervalSince1970: 1_700_000_001.001),
      ingestion: Ingestion(
        originalFilename: "IMG 0001 (é).MOV", sourceSHA256: try digest(0xAB), part: 2, partCount: 3,
        fileSize: 5_000_000_000, fileSHA256: try digest(0xCD), thumbnailSHA256: try digest(0xEF),
        width: 1080, height: 1920, conversion: report))
    recording.playCount = 7
    recording.lastPlayedAt = Date(timeIntervalSince1970: 1_700_000_002.002).roundedToMillisecond
    recording.modifiedAt = Date(timeIntervalSince1970: 1_700_000_003.003).roundedToMillisecond
    return recording
  }

  @Test("A video with every field")
  func fullVideoIsEqual() throws {
    let catalog = try Catalog.inMemory()
    let video = try fullVideo()
    try catalog.recordings.insert([video])
    #expect(try catalog.recordings.find(id: video.id) == video)
  }

  @Test("An export has every field as the model's JSON has it")
  func exportedVideo() throws {
    let catalog = try Catalog.inMemory()
    let video = try fullVideo()
    try catalog.recordings.insert([video])
    let page = try #require(try catalog.records.exportPage(of: .recordings, as: .json, after: nil))
    #expect(try page.records() == [JSONFormat.data(RecordingDocument(video, plays: []))])
  }

  @Test(
    "An export leaves out a report that cannot be read",
    arguments: [
      #"{"a":"\ud800"}"#, #"{"plan":{"creationTime":"then"}}"#, "7", "no JSON", #"{"a":1"#, "",
    ])
  func exportedReport(stored: String) throws {
    let folder = try CatalogFolder()
    var video = try fullVideo()
    let path = try folder.catalog([video])
    try sqlite3(path, "UPDATE recording SET conversion = '\(stored)';")
    let catalog = try Catalog(path: path, access: .reading)
    let page = try #require(try catalog.records.exportPage(of: .recordings, as: .json, after: nil))
    video.ingestion.conversion = nil
    #expect(try page.records() == [JSONFormat.data(RecordingDocument(video, plays: []))])
  }

  @Test("A voice memo without any optional field")
  func bareAudioIsEqual() throws {
    let catalog = try Catalog.inMemory()
    let audio = try recording(type: .audio)
    try catalog.recordings.insert([audio])
    #expect(try catalog.recordings.find(id: audio.id) == audio)
  }

  @Test("The sqlite3 command reads the columns as the design names them")
  func columnsAreAsDesigned() throws {
    let folder = try CatalogFolder()
    let video = try fullVideo()
    let path = try folder.catalog([video])
    let row = try sqlite3(
      path,
      """
      .mode line
      SELECT id, timestamp, timestampOffset, timestampSource, type, purpose, duration, filePath,
        thumbnailPath, title, playCount, lastPlayedAt, createdAt, modifiedAt,
        originalFilename, sourceSHA256, part, partCount, fileSize, fileSHA256, thumbnailSHA256,
        width, height, replace(searchText, char(10), '|') AS search FROM recording;
      """)
    let values = row.split(separator: "\n").map {
      $0.drop { $0 != "=" }.dropFirst(2)
    }
    #expect(
      values == [
        "\(video.id.uuidString)", "2023-11-14 22:13:19.999", "-210", "quickTime", "video",
        "craving", "61.25", "Recordings/video_\(video.id.uuidString).mov",
        "Recordings/Thumbnails/video_\(video.id.uuidString)_thumb.jpg", "Ätna 🌋", "7",
        "2023-11-14 22:13:22.002", "2023-11-14 22:13:21.001", "2023-11-14 22:13:23.003",
        "IMG 0001 (é).MOV", "\(try digest(0xAB))", "2", "3", "5000000000", "\(try digest(0xCD))",
        "\(try digest(0xEF))", "1080", "1920", "atna 🌋|img 0001 (e).mov|line|line 'q'",
      ])
  }

  @Test("Dates keep their millisecond, in every year")
  func datesKeepTheirMillisecond() throws {
    let catalog = try Catalog.inMemory()
    var random = SystemRandomNumberGenerator()
    let moments = (0..<2000).map { index in
      // From the year 1000 to the year 3000, and every millisecond of one second.
      let seconds = Int64.random(in: -30_610_224_000...32_503_680_000, using: &random)
      let milliseconds = index < 1000 ? 1_715_947_200_000 + Int64(index) : seconds * 1000 + 1
      return Date(timeIntervalSince1970: Double(milliseconds) / 1000)
    }
    let recordings = try moments.map { try recording(at: $0) }
    try catalog.recordings.insert(recordings)
    for recording in recordings {
      #expect(try catalog.recordings.find(id: recording.id) == recording)
    }
  }

  @Test("An impossible date is refused", arguments: [Double.nan, .infinity, 1e15, -1e15])
  func impossibleDate(seconds: Double) throws {
    let catalog = try Catalog.inMemory()
    var bad = try recording()
    bad.recorded.date = Date(timeIntervalSince1970: seconds)
    #expect(throws: HoldfastError.self) { try catalog.recordings.insert([bad]) }
    #expect(try catalog.recordings.count(matching: RecordingQuery()) == 0)
  }

  @Test("An unreadable conversion is read as none, and one with odd figures survives")
  func conversion() throws {
    let folder = try CatalogFolder()
    var video = try fullVideo()
    video.ingestion.conversion?.encodedPeak = .infinity
    let path = try folder.catalog([video])
    let catalog = try Catalog(path: path, access: .reading)
    #expect(try catalog.recordings.find(id: video.id) == video)
    try sqlite3(path, "UPDATE recording SET conversion = '{\"plan\": 5';")
    let read = try #require(try catalog.recordings.find(id: video.id))
    #expect(read.ingestion.conversion == nil)
    #expect(read.title == video.title)
  }

  @Test("A title with a NUL is refused rather than cut short")
  func zeroCharacter() throws {
    let catalog = try Catalog.inMemory()
    let bad = try recording(title: "before\0after")
    let error = #expect(throws: HoldfastError.self) { try catalog.recordings.insert([bad]) }
    #expect(error?.code == .refused)
    #expect(error?.reason == "title holds a NUL character; remove it and try again")
  }

  @Test(
    "A row whose path is not a library's is an error that says so",
    arguments: ["Recordings//x.mov", "Recordings/./x.mov", "Recordings/a\u{1B}[2J.mov"])
  func badPath(path: String) throws {
    let folder = try CatalogFolder()
    let video = try recording(id: uuid(7))
    let database = try folder.catalog([video])
    try sqlite3(database, "UPDATE recording SET filePath = '\(path)';")
    let catalog = try Catalog(path: database, access: .reading)
    let error = #expect(throws: HoldfastError.self) {
      try catalog.recordings.matching(RecordingQuery())
    }
    #expect(error?.code == .unreadableRow)
    #expect(
      error?.description
        == "\(database): row \(video.id.uuidString) cannot be read: its filePath is "
        + "\"\(path.escapedForDisplay)\"")
    #expect(try catalog.files.page(after: nil).map(\.filePath) == [path])
    #expect(try catalog.recordings.contains(id: video.id))
  }
}
