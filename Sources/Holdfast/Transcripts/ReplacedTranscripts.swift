import HoldfastModel

/// What a machine's transcript may replace. Without any, only a recording without a transcript gets
/// one.
public struct ReplacedTranscripts: OptionSet, Sendable {
  /// The set as bits.
  public let rawValue: Int

  /// Transcripts that a phone or a program made.
  public static let machines = Self(rawValue: 1)
  /// A person's decision that the recording has no transcript.
  public static let marks = Self(rawValue: 2)
  /// What a person wrote or edited.
  public static let persons = Self(rawValue: 4)

  /// Makes a set from its bits.
  public init(rawValue: Int) { self.rawValue = rawValue }

  /// Returns whether a transcript may be replaced.
  func include(_ transcript: Transcript) -> Bool {
    switch (transcript.source, transcript.state) {
    case (.phone, _), (.program, _): contains(.machines)
    case (.person, .deleted), (.person, .never): contains(.marks)
    case (.person, .words), (.person, .silent): contains(.persons)
    }
  }

  /// The condition in SQL that a transcript must stay; `nil` if none must.
  var stayingInSQL: String? {
    var conditions: [String] = []
    if !contains(.machines) { conditions.append("source <> 'person'") }
    if !contains(.marks) { conditions.append("state IN ('deleted', 'never')") }
    if !contains(.persons) {
      conditions.append("(source = 'person' AND state IN ('words', 'silent'))")
    }
    return conditions.isEmpty ? nil : conditions.joined(separator: " OR ")
  }
}
