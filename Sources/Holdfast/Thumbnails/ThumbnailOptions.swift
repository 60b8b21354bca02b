public import Foundation
public import HoldfastModel

/// Options for making thumbnails.
public struct ThumbnailOptions: Sendable {
  /// The picture of the video that becomes its thumbnail.
  public enum Place: Hashable, Sendable {
    /// The picture that a user asked for earlier, or else the engine's choice.
    case kept
    /// The picture that the engine chooses. An earlier request of a user is forgotten.
    case chosen
    /// The picture that is shown this many seconds after the presented start.
    case seconds(Double)
  }

  /// The recordings; `nil` for all videos in the library.
  public var ids: [RecordingID]?
  /// Whether to make only missing thumbnails, and those made with another size or quality than
  /// ``longSide`` and ``quality`` ask for.
  public var onlyMissing = true
  /// The longer side in pixels, from 16 to 4,096; `nil` keeps each thumbnail's own, or uses the
  /// default.
  public var longSide: Int?
  /// The JPEG quality, from 1 to 100; `nil` keeps each thumbnail's own, or uses the default.
  public var quality: Int?
  /// The picture of the video that becomes its thumbnail.
  public var place = Place.kept
  /// The number of thumbnails that are made at a time, within ``JobCount/range``.
  public var jobs = JobCount.usual { didSet { jobs = JobCount.clamped(jobs) } }

  /// The allowed values of ``longSide``. A JPEG may have 65,535, but no thumbnail needs more than
  /// 4,096.
  public static let longSides = 16...4096
  /// The allowed values of ``quality``.
  public static let qualities = 1...100

  /// Makes options for all missing thumbnails.
  public init() {}

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

  func differs(from record: ThumbnailRecord?) -> Bool {
    guard longSide != nil || quality != nil else { return false }
    let job = job(after: record)
    return record?.longSide != job.longSide || record?.quality != job.quality
  }

  func validate() throws(HoldfastError) {
    if let longSide, !Self.longSides.contains(longSide) {
      throw HoldfastError(
        .invalidValue,
        "a thumbnail of \(longSide) pixels: the longer side goes from \(Self.longSides.lowerBound) "
          + "to \(Self.longSides.upperBound)")
    }
    if let quality, !Self.qualities.contains(quality) {
      throw HoldfastError(.invalidValue, "a quality of \(quality): it goes from 1 to 100")
    }
    if case .seconds(let seconds) = place, !seconds.isFinite || seconds < 0 {
      throw HoldfastError(
        .invalidValue, "a picture at \(seconds) s: name a time from 0 on, in seconds")
    }
  }
}

/// An event of a run that makes thumbnails.
public enum ThumbnailEvent: Sendable {
  /// The number of thumbnails that will be made.
  case planned(Int)
  /// The number of thumbnails that are made or have failed. Some of them are not published yet.
  case progress(Int)
  /// A thumbnail was published, and is on the disk.
  case made(RecordingID, RelativePath, ThumbnailReport)
  /// A thumbnail could not be made. The old one is still there, if there was one.
  case failed(RecordingID, HoldfastError)
  /// The run was interrupted. This thumbnail was not made.
  case interrupted(RecordingID)
  /// This thumbnail is not needed any more: the recording was deleted, or its files were replaced,
  /// while the thumbnail was made.
  case gone(RecordingID)
}
