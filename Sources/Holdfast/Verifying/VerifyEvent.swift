import Foundation
public import HoldfastModel

/// An event of a verification.
public enum VerifyEvent: Sendable {
  /// The number of recordings whose files will be read whole. The event is left out if none is to
  /// be read.
  case planned(Int)
  /// The number of recordings whose files have been read whole.
  case progress(Int)
  /// Something is wrong. In a repair, the finding says what was done about it.
  case found(VerifyFinding)
  /// The last event: the verification is complete.
  case finished(VerifySummary)
}

/// The result of a verification, in figures.
public struct VerifySummary: Hashable, Sendable {
  /// The number of recordings that were compared with their files.
  public var recordings = 0
  /// The number of recordings whose files were read whole, to hash or to decode them.
  public var read = 0
  /// The number of recordings that were not read because time ran out.
  public var left = 0
  /// The number of bytes that were read for hashing.
  public var bytes: Int64 = 0
  /// The number of findings.
  public var findings = 0
  /// The number of repaired findings.
  public var repaired = 0
  /// The timeout that prevented a check without writers, or storing the results; `nil` if there was
  /// none. If there was one, findings may be another command's unfinished work.
  public var lockTimeout: LockTimeout?
  /// Whether the check of the catalog's own structure was skipped. It takes long for a large
  /// catalog, and is not done while another command is writing.
  public var isCatalogUnchecked = false
  /// The number of records that are dated in the future, as after a clock was wrong.
  public var future = 0
  /// The first of them in words, with its moment; `nil` if there is none.
  public var firstInFuture: String?

  /// Makes a summary in which nothing was verified.
  public init() {}
}

extension VerifySummary {
  /// Counts records of a kind that are dated in the future.
  mutating func addFuture(_ records: [(id: String, moment: Date)], of kind: RecordKind) {
    future += records.count
    guard firstInFuture == nil, let first = records.first else { return }
    firstInFuture =
      "\(kind.singular) \(first.id.cut(to: 40).escapedForDisplay), \(first.moment.localText)"
  }
}
