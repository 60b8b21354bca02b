import Foundation

/// The result of merging two versions of a recording from two libraries.
///
/// The versions have the same ID, or were made from the same part of the same source. In the second
/// case the smaller ID is kept.
public struct MergedRecording: Hashable, Sendable {
  /// A version of a recording, with how its thumbnail was made.
  public struct Version: Hashable, Sendable {
    /// The recording.
    public var recording: Recording
    /// How its thumbnail was made; `nil` if that is not known.
    public var thumbnail: ThumbnailRecord?

    /// Describes a version.
    public init(_ recording: Recording, thumbnail: ThumbnailRecord? = nil) {
      self.recording = recording
      self.thumbnail = thumbnail
    }
  }

  /// The recording. It has this library's count of plays.
  public private(set) var recording: Recording
  /// Whether the file is the other library's.
  public let takesFile: Bool
  /// Why neither file replaces the other, although they differ; `nil` if one covers the other.
  public let difference: String?
  /// Whether the thumbnail is the other library's. It always is if the file is.
  public let takesThumbnail: Bool

  /// Merges two versions. Both libraries get the same recording.
  ///
  /// - Parameters:
  ///   - own: This library's version.
  ///   - other: The other library's version.
  ///   - isJoined: Whether neither library knew until now that both are one recording. If so, the
  ///     text that was written in both is kept.
  /// - Returns: The merged recording; `nil` if the notes of both are too long to keep together.
  /// - Throws: `EncodingError`.
  public init?(_ own: Version, _ other: Version, isJoined: Bool) throws {
    let (ours, others) = (own.recording, other.recording)
    let isOwnKept =
      if ours.id != others.id {
        ours.id.uuidString < others.id.uuidString
      } else if ours.isRebuilt != others.isRebuilt {
        // A recording that was rebuilt from its file does not know its source.
        others.isRebuilt
      } else {
        ours.ingestion.originalFilename >= others.ingestion.originalFilename
      }
    let (kept, dropped) = isOwnKept ? (ours, others) : (others, ours)
    guard let words = Words(kept, dropped, isJoined: isJoined) else { return nil }

    recording = kept
    recording.playCount = ours.playCount
    recording.createdAt = min(ours.createdAt, others.createdAt)
    recording.modifiedAt = [ours.modifiedAt, others.modifiedAt].compactMap(\.self).max()
    recording.lastPlayedAt = [ours.lastPlayedAt, others.lastPlayedAt].compactMap(\.self).max()
    recording.title = words.title
    recording.notes = words.notes
    recording.purpose = words.purpose
    recording.recorded = words.recorded

    let (file, otherFile) = (MediaFile(ours), MediaFile(others))
    let isSameFile = file.hash == otherFile.hash
    let comparison = FileComparison(ours, others)
    takesFile = comparison.choice == .other
    difference = comparison.choice == .neither ? comparison.difference : nil
    takesThumbnail = takesFile || (isSameFile && other.hasBetterThumbnail(than: own))
    let isDescribedByOther =
      if !isSameFile {
        takesFile
      } else if ours.isRebuilt != others.isRebuilt {
        ours.isRebuilt
      } else {
        try otherFile.saysMore(than: file)
      }
    (isDescribedByOther ? otherFile : file).describe(&recording)
    recording.ingestion.thumbnailSHA256 =
      (takesThumbnail ? others : ours).ingestion.thumbnailSHA256
    if ours.id == recording.id {
      recording.filePath = ours.filePath
      recording.thumbnailPath = ours.thumbnailPath
    } else {
      recording = recording.atOwnPaths
    }
  }
}

/// The title, notes and other values that a person chose, merged from two versions.
private struct Words {
  var title: String?
  var notes: String?
  var purpose: RecordingPurpose
  var recorded: RecordingTimestamp

  init?(_ kept: Recording, _ dropped: Recording, isJoined: Bool) {
    let isTie = kept.modifiedAt == dropped.modifiedAt && kept.isRebuilt == dropped.isRebuilt
    let isKeptNewer =
      kept.modifiedAt == dropped.modifiedAt
      ? !kept.isRebuilt : RecordingDocument(kept).isNewer(than: RecordingDocument(dropped))
    let (newer, older) = isKeptNewer ? (kept, dropped) : (dropped, kept)
    (title, notes) = (newer.title, newer.notes)
    (purpose, recorded) = (newer.purpose, newer.recorded)
    if isTie {
      // By value: after one library has the result, the same version must win again.
      title = [kept.title, dropped.title].compactMap(\.self).max()
      purpose = kept.purpose.rawValue > dropped.purpose.rawValue ? kept.purpose : dropped.purpose
      recorded =
        Self.order(kept.recorded) > Self.order(dropped.recorded) ? kept.recorded : dropped.recorded
    } else if isJoined {
      title = newer.title ?? older.title
    }
    if isJoined || isTie {
      let isKeptFirst = isJoined || (kept.notes ?? "") > (dropped.notes ?? "")
      let (first, second) = isKeptFirst ? (kept, dropped) : (dropped, kept)
      guard let both = Self.both(first.notes, second.notes) else { return nil }
      notes = both
    }
  }

  private static func order(_ time: RecordingTimestamp) -> (Double, Int, String) {
    (time.date.timeIntervalSince1970, time.offsetMinutes ?? .min, time.source.rawValue)
  }

  /// Returns both notes, one below the other, without repeating shared paragraphs; `nil` if they
  /// are longer together than notes may be.
  fileprivate static func both(_ first: String?, _ second: String?) -> String?? {
    guard let first, let second else { return .some(first ?? second) }
    let (paragraphs, others) = (
      first.components(separatedBy: "\n\n"), second.components(separatedBy: "\n\n")
    )
    // Notes that already contain the other's paragraphs stay unchanged.
    if Set(others).isSubset(of: paragraphs) { return .some(first) }
    if Set(paragraphs).isSubset(of: others) { return .some(second) }
    let both = (paragraphs + others.filter { !paragraphs.contains($0) })
      .joined(separator: "\n\n")
    return both.unicodeScalars.count <= Recording.longestNotes ? .some(both) : nil
  }
}

extension Recording {
  /// Returns the recording with the words of another description of it, which was not known until
  /// now to be of this recording. The words of both are kept.
  ///
  /// The later title is the title, and the other one goes into the notes.
  ///
  /// - Returns: `nil` if the notes of both are too long to keep together.
  package func joined(with other: Recording) -> Recording? {
    let isOtherLater = (other.modifiedAt ?? other.createdAt) > (modifiedAt ?? createdAt)
    let (later, earlier) = isOtherLater ? (other, self) : (self, other)
    let titles = [later.title, earlier.title].compactMap { $0?.nonBlank }
    var joined = self
    joined.title = titles.first
    guard var words = Words.both(notes?.nonBlank, other.notes?.nonBlank) else { return nil }
    if let title = titles.last, title != titles[0] {
      guard let all = Words.both(words, "Title: \(title)") else { return nil }
      words = all
    }
    joined.notes = words
    if RecordingDocument(other).isNewer(than: RecordingDocument(self)) {
      joined.purpose = other.purpose
      joined.recorded = other.recorded
      joined.modifiedAt = other.modifiedAt
    }
    return joined
  }
}

/// The catalog's data about a recording's file.
private struct MediaFile: Encodable {
  private let type: RecordingType
  private let duration: Double
  private let size: Int64
  let hash: SHA256Digest
  private let width: Int?
  private let height: Int?
  private let codecs: CodecStrings
  private let conversion: ConversionReport?

  init(_ recording: Recording) {
    (type, duration) = (recording.type, recording.duration)
    let ingestion = recording.ingestion
    (size, hash) = (ingestion.fileSize, ingestion.fileSHA256)
    (width, height) = (ingestion.width, ingestion.height)
    (codecs, conversion) = (ingestion.codecs, ingestion.conversion)
  }

  /// Returns whether this description wins over another of the same file: first the one that knows
  /// how the source was converted, then the larger value.
  func saysMore(than other: MediaFile) throws -> Bool {
    let (isKnown, isOtherKnown) = (conversion?.check != nil, other.conversion?.check != nil)
    guard isKnown == isOtherKnown else { return isKnown }
    let encoder = JSONFormat.encoder
    let (own, others) = try (encoder.encode(self), encoder.encode(other))
    return others.lexicographicallyPrecedes(own)
  }

  func describe(_ recording: inout Recording) {
    (recording.type, recording.duration) = (type, duration)
    (recording.ingestion.fileSize, recording.ingestion.fileSHA256) = (size, hash)
    (recording.ingestion.width, recording.ingestion.height) = (width, height)
    (recording.ingestion.codecs, recording.ingestion.conversion) = (codecs, conversion)
  }
}

extension MergedRecording.Version {
  /// Returns whether this thumbnail wins over another of the same file: first the one whose moment
  /// a person chose, then the larger one, then the one with the larger hash.
  fileprivate func hasBetterThumbnail(than other: MergedRecording.Version) -> Bool {
    func rank(_ version: MergedRecording.Version) -> (Int, Int, String) {
      (
        version.thumbnail?.asked == nil ? 0 : 1, version.thumbnail?.longSide ?? 0,
        version.recording.ingestion.thumbnailSHA256?.hexadecimal ?? ""
      )
    }
    return recording.ingestion.thumbnailSHA256 != nil && rank(self) > rank(other)
  }
}
