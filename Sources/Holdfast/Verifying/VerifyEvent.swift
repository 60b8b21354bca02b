import Foundation
public import HoldfastModel

/// An event of a verification.
public enum VerifyEvent: Sendable {
  /// The number of recordings whose files will be read whole. There is no such event if none is to
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
  /// How many recordings were compared with their files.
  public var recordings = 0
  /// How many recordings' files were read whole, to hash or to decode them.
  public var read = 0
  /// How many recordings were not read because time ran out.
  public var left = 0
  /// How many bytes were read to hash them.
  public var bytes: Int64 = 0
  /// How many findings there were.
  public var findings = 0
  /// How many findings were repaired.
  public var repaired = 0
  /// The timeout that prevented a look without writers, or prevented storing what was verified;
  /// `nil` if there was none. If there was one, findings may be another command's unfinished work.
  public var lockTimeout: LockTimeout?
  /// Whether the check of the catalog's own structure was skipped. It takes long for a large
  /// catalog, and is not done while another command is writing.
  public var isCatalogUnchecked = false
  /// How many records are dated in the future, as after a clock was wrong.
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
