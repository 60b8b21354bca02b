internal import Foundation
public import HoldfastModel

/// How sources are imported.
public struct ImportOptions: Sendable {
  /// Why the recordings are kept.
  public var purpose: RecordingPurpose
  /// What they are called.
  public var title: String?
  /// What is written about them.
  public var notes: String?
  /// Which video is wanted.
  public var video: VideoPolicy
  /// The height in pixels, as seen, over which pictures are scaled down; `nil` to take them as they
  /// are.
  public var maxHeight: Int?
  /// Whether a source that is in the library already is taken again.
  public var allowsDuplicates: Bool
  /// Whether sources are only examined, and nothing is written.
  public var isDryRun: Bool
  /// How many sources are worked on at a time.
  public var jobs: Int

  /// Makes options.
  public init(
    purpose: RecordingPurpose = .motivational, title: String? = nil, notes: String? = nil,
    video: VideoPolicy = .auto, maxHeight: Int? = nil, allowsDuplicates: Bool = false,
    isDryRun: Bool = false,
    jobs: Int? = nil
  ) {
    self.purpose = purpose
    self.title = title?.nonBlank
    self.notes = notes?.nonBlank
    self.video = video
    self.maxHeight = maxHeight
    self.allowsDuplicates = allowsDuplicates
    self.isDryRun = isDryRun
    self.jobs = max(1, jobs ?? ProcessInfo.processInfo.activeProcessorCount)
  }

  /// Refuses a title or notes that the catalog would not take, before any work is done.
  func validate() throws(RuleError) {
    try RecordingChanges(title: title, notes: notes).validate()
  }
}
