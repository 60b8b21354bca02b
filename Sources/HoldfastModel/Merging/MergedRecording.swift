public import Foundation

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
    /// The IDs that it had, or that recordings had which became one with it.
    public var formerIDs: [RecordingID]
    /// Those of them with whose words the recording was not edited yet.
    public var unseenIDs: Set<RecordingID>
    /// When an app last had this version's words; `nil` if it did not come from an app.
    public var importedAt: Date?

    /// Describes a version.
    public init(
      _ recording: Recording, thumbnail: ThumbnailRecord? = nil, formerIDs: [RecordingID] = [],
      unseenIDs: Set<RecordingID> = [], importedAt: Date? = nil
    ) {
      self.recording = recording
      self.unseenIDs = unseenIDs
      self.importedAt = importedAt
      self.thumbnail = thumbnail
      self.formerIDs = formerIDs
    }

    var names: Set<RecordingID> { Set(formerIDs + [recording.id]) }
    /// The IDs of the recordings whose words this version's editor surely saw. After two became
    /// one, either may have been the editor's.
    var seenIDs: Set<RecordingID> {
      unseenIDs.isEmpty ? names : names.subtracting(unseenIDs).subtracting([recording.id])
    }
  }

  /// The recording. It has this library's count of plays.
  public private(set) var recording: Recording
  /// The former IDs with whose words the recording was not edited yet.
  public let unseenIDs: Set<RecordingID>
  /// Whether the file is the other library's.
  public let takesFile: Bool
  /// Why neither file replaces the other, although they differ; `nil` if one covers the other.
  public let difference: String?
  /// Whether the thumbnail is the other library's. It always is if the file is.
  public let takesThumbnail: Bool
  /// Whether neither library knew until now that both are one recording.
  public let isJoined: Bool

  /// Merges two versions. Both libraries get the same recording.
  ///
  /// - Parameters:
  ///   - own: This library's version.
  ///   - other: The other library's version.
  /// - Returns: The merged recording; `nil` if the notes of both are too long to keep together.
  /// - Throws: `EncodingError`.
  public init?(_ own: Version, _ other: Version) throws {
    isJoined = own.names.isDisjoint(with: other.names)
    let (ours, others) = (own.recording, other.recording)
    guard let words = Words(of: own, and: other) else { return nil }

    recording = ours.isKept(over: others) ? ours : others
    recording.playCount = ours.playCount
    recording.createdAt = min(ours.createdAt, others.createdAt)
    recording.lastPlayedAt = [ours.lastPlayedAt, others.lastPlayedAt].compactMap(\.self).max()
    words.describe(&recording)
    unseenIDs = own.names.union(other.names).subtracting(words.seenIDs)
      .subtracting([recording.id])

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

extension MergedRecording.Version {
  /// Returns this recording with the words of another version merged into it, as
  /// ``MergedRecording`` does, and the former IDs with whose words it was not edited yet; `nil` if
  /// the notes of both are too long to keep together.
  package func recording(
    withWordsOf other: Self
  ) -> (recording: Recording, unseenIDs: Set<RecordingID>)? {
    guard let words = Words(of: self, and: other) else { return nil }
    var recording = recording
    words.describe(&recording)
    let former = names.union(other.names).subtracting([recording.id])
    return (recording, former.subtracting(words.seenIDs))
  }
}

extension Recording {
  fileprivate var hasWords: Bool { title != nil || notes != nil }

  /// Whether the merged recording is this version, with what it takes from the other one. It is the
  /// same in both libraries.
  fileprivate func isKept(over other: Recording) -> Bool {
    if id != other.id { return id.uuidString < other.id.uuidString }
    // A recording that was rebuilt from its file does not know its source.
    if isRebuilt != other.isRebuilt { return other.isRebuilt }
    return ingestion.originalFilename >= other.ingestion.originalFilename
  }
}

/// The title, notes and other values that a person chose, merged from two versions.
private struct Words {
  var title: String?
  var notes: String?
  var purpose: RecordingPurpose
  var recorded: RecordingTimestamp
  var modifiedAt: Date?
  /// The IDs of the recordings with whose words these were written.
  var seenIDs: Set<RecordingID>

  init?(of own: MergedRecording.Version, and other: MergedRecording.Version) {
    if own.recording.isKept(over: other.recording) {
      self.init(own, other)
    } else {
      self.init(other, own)
    }
  }

  func describe(_ recording: inout Recording) {
    (recording.title, recording.notes) = (title, notes)
    (recording.purpose, recording.recorded) = (purpose, recorded)
    recording.modifiedAt = modifiedAt
  }

  private init?(_ keptVersion: MergedRecording.Version, _ droppedVersion: MergedRecording.Version) {
    let (kept, dropped) = (keptVersion.recording, droppedVersion.recording)
    let areEqual = kept.modifiedAt == dropped.modifiedAt && kept.isRebuilt == dropped.isRebuilt
    // Without edits here, the app's later version is newer. It may not be dated.
    let isFollowed = areEqual && keptVersion.importedAt != droppedVersion.importedAt
    let isTie = areEqual && !isFollowed
    let isKeptNewer =
      if isFollowed {
        (keptVersion.importedAt ?? .distantPast) > (droppedVersion.importedAt ?? .distantPast)
      } else if kept.modifiedAt == dropped.modifiedAt {
        !kept.isRebuilt
      } else {
        RecordingDocument(kept).isNewer(than: RecordingDocument(dropped))
      }
    let (newer, older) = isKeptNewer ? (kept, dropped) : (dropped, kept)
    (title, notes) = (newer.title, newer.notes)
    (purpose, recorded) = (newer.purpose, newer.recorded)
    modifiedAt = [kept.modifiedAt, dropped.modifiedAt].compactMap(\.self).max()
    // Only a version that was edited since it has all of the other's IDs was edited by a user who
    // saw the words of both.
    let known = isTie ? \MergedRecording.Version.names : \.seenIDs
    let (knowsDropped, knowsKept) = (
      keptVersion[keyPath: known].isSuperset(of: droppedVersion.names),
      droppedVersion[keyPath: known].isSuperset(of: keptVersion.names)
    )
    seenIDs =
      if isTie, knowsDropped == knowsKept {
        keptVersion.seenIDs.intersection(droppedVersion.seenIDs)
      } else {
        (isTie && knowsDropped || !isTie && isKeptNewer ? keptVersion : droppedVersion).seenIDs
      }
    let isNews = isTie ? !knowsDropped && !knowsKept : !(isKeptNewer ? knowsDropped : knowsKept)
    if isTie {
      // By value: after one library has the result, the same version must win again.
      title = [kept.title, dropped.title].compactMap(\.self).max()
      purpose =
        [kept.purpose, dropped.purpose].filter { $0 != .motivational }
        .max { $0.rawValue < $1.rawValue } ?? .motivational
      recorded =
        Self.order(kept.recorded) > Self.order(dropped.recorded) ? kept.recorded : dropped.recorded
    } else if isNews || isFollowed {
      title = newer.title ?? older.title
    }
    if isFollowed {
      // An app may say less in one document than in another. This purpose is the default.
      notes = newer.notes ?? older.notes
      if newer.purpose == .motivational { purpose = older.purpose }
    }
    if isNews {
      // Of a version without words, there is nothing to see.
      let keptIDs = kept.hasWords ? keptVersion.seenIDs : keptVersion.names
      let droppedIDs = dropped.hasWords ? droppedVersion.seenIDs : droppedVersion.names
      seenIDs =
        kept.hasWords && dropped.hasWords
        ? keptIDs.intersection(droppedIDs) : keptIDs.union(droppedIDs)
    }
    guard isNews || isTie else { return }
    let isKeptFirst = isNews || (kept.notes ?? "") > (dropped.notes ?? "")
    let (first, second) = isKeptFirst ? (kept, dropped) : (dropped, kept)
    guard var both = Self.both(first.notes, second.notes) else { return nil }
    let titles = [kept.title, dropped.title].compactMap(\.self)
    if isNews, let lost = titles.first(where: { $0 != title }) {
      guard let all = Self.both(both, "Title: \(lost)") else { return nil }
      both = all
    }
    notes = both
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
  /// Whether a recording of another library that has this one's ID is this one.
  ///
  /// An app gives a memo that is recorded again the ID of the first. Of a recording that was
  /// rebuilt from its file, the source is not known. An app's export has a recording's file as the
  /// source of a new one.
  package func isSameRecording(as other: Recording) -> Bool {
    let (made, others) = (ingestion, other.ingestion)
    return isRebuilt || other.isRebuilt || made.sourceSHA256 == others.sourceSHA256
      || made.fileSHA256 == others.fileSHA256 || made.sourceSHA256 == others.fileSHA256
      || made.fileSHA256 == others.sourceSHA256
  }

  /// Returns the recording with the later words of another description of it, which may not know
  /// all the notes here: they are kept.
  ///
  /// - Returns: `nil` if the notes of both are too long to keep together.
  package func updated(by later: Recording, keepingNotes: Bool) -> Recording? {
    var updated = self
    updated.title = later.title?.nonBlank ?? (keepingNotes ? title : nil)
    updated.notes = later.notes?.nonBlank
    if keepingNotes {
      guard let both = Words.both(notes?.nonBlank, later.notes?.nonBlank) else { return nil }
      updated.notes = both
    }
    updated.purpose = later.purpose
    updated.recorded = later.recorded
    updated.modifiedAt = later.modifiedAt
    return updated
  }

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
