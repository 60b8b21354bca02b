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
  /// What happens to a source that is longer than a recording may last.
  public var overLimit: OverLimitPolicy
  /// Which video is wanted.
  public var video: VideoPolicy
  /// Whether everything that was made is decoded once, and damage is said.
  public var verifiesDecode: Bool
  /// Whether a source that is in the library already is taken again.
  public var allowsDuplicates: Bool
  /// Whether sources are only examined, and nothing is written.
  public var isDryRun: Bool
  /// How many sources are worked on at a time.
  public var jobs: Int

  /// Makes options.
  public init(
    purpose: RecordingPurpose = .motivational, title: String? = nil, notes: String? = nil,
    overLimit: OverLimitPolicy = .refuse, video: VideoPolicy = .auto,
    verifiesDecode: Bool = false, allowsDuplicates: Bool = false, isDryRun: Bool = false,
    jobs: Int? = nil
  ) {
    self.purpose = purpose
    self.title = title?.nonBlank
    self.notes = notes?.nonBlank
    self.overLimit = overLimit
    self.video = video
    self.verifiesDecode = verifiesDecode
    self.allowsDuplicates = allowsDuplicates
    self.isDryRun = isDryRun
    self.jobs = max(1, jobs ?? ProcessInfo.processInfo.activeProcessorCount)
  }

  /// Refuses a title or notes that the catalog would not take, before any work is done.
  func validate() throws(RuleError) {
    try RecordingChanges(title: title, notes: notes).validate()
  }
}
