public import Foundation
public import HoldfastModel

/// Which thumbnails are made, and how.
public struct ThumbnailOptions: Sendable {
  /// Which picture of its video a thumbnail is.
  public enum Place: Hashable, Sendable {
    /// The one that a person asked for once, if anyone did; else the one that is chosen.
    case kept
    /// The one that is chosen; what a person asked for once is forgotten.
    case chosen
    /// The one that is shown so many seconds after the presented start.
    case seconds(Double)
  }

  /// The recordings; `nil` for all videos of the library.
  public var ids: [RecordingID]?
  /// Whether only what is missing is made, or was made with another size or quality than those that are
  /// asked for here.
  public var onlyMissing = true
  /// The longer side in pixels, from 16 to 4,096; `nil` for what each has, or the usual one.
  public var longSide: Int?
  /// The quality of the JPEG, from 1 to 100; `nil` for what each has, or the usual one.
  public var quality: Int?
  /// Which picture of its video each is.
  public var place = Place.kept
  /// How many are made at a time, within ``JobCount/range``.
  public var jobs = JobCount.usual { didSet { jobs = JobCount.clamped(jobs) } }

  /// What ``longSide`` may be: JPEG itself ends at 65,535, and nobody needs more of a thumbnail.
  public static let longSides = 16...4096
  /// What ``quality`` may be.
  public static let qualities = 1...100

  /// All that are missing.
  public init() {}

  /// What is asked of the engine for a recording.
  func job(after record: ThumbnailRecord?) -> ThumbnailJob {
    let seconds: Double? =
      switch place {
      case .kept: record?.asked
      case .chosen: nil
      case .seconds(let seconds): seconds
      }
    return ThumbnailJob(
      longSide: longSide ?? record?.longSide ?? ThumbnailJob.usualLongSide,
      quality: quality ?? record?.quality ?? ThumbnailJob.usualQuality, seconds: seconds)
  }

  /// Whether a thumbnail that was made like this is to be made again.
  func differs(from record: ThumbnailRecord?) -> Bool {
    guard longSide != nil || quality != nil else { return false }
    let job = job(after: record)
    return record?.longSide != job.longSide || record?.quality != job.quality
  }

  /// Refuses figures that no thumbnail can have.
  func validate() throws(RuleError) {
    if let longSide, !Self.longSides.contains(longSide) {
      throw RuleError(
        "a thumbnail of \(longSide) pixels: the longer side goes from \(Self.longSides.lowerBound) "
          + "to \(Self.longSides.upperBound)")
    }
    if let quality, !Self.qualities.contains(quality) {
      throw RuleError("a quality of \(quality): it goes from 1 to 100")
    }
    if case .seconds(let seconds) = place, !seconds.isFinite || seconds < 0 {
      throw RuleError("a picture at \(seconds) s: name a time from 0 on, in seconds")
    }
  }
}

/// What happens to the thumbnails of a run, as it happens.
public enum ThumbnailEvent: Sendable {
  /// So many are to be made.
  case planned(Int)
  /// So many are done, or could not be made; some of them are yet to be put into their places.
  case progress(Int)
  /// A thumbnail is in its place, and on the disk.
  case made(RecordingID, RelativePath, ThumbnailReport)
  /// A thumbnail could not be made; what was there before is there still.
  case failed(RecordingID, LibraryError)
  /// The run was interrupted; nothing became of this one.
  case interrupted(RecordingID)
}
