import HoldfastModel

/// What a machine's transcript may replace. Without any, only a recording without a transcript gets
/// one.
public struct ReplacedTranscripts: OptionSet, Sendable {
  /// The set as bits.
  public let rawValue: Int

  /// Transcripts that a phone or a program made.
  public static let machines = Self(rawValue: 1)
  /// A person's deletion of a transcript. A recording that is never to have one stays without.
  public static let marks = Self(rawValue: 2)
  /// What a person wrote or edited.
  public static let persons = Self(rawValue: 4)

  /// Makes a set from its bits.
  public init(rawValue: Int) { self.rawValue = rawValue }

  /// Returns whether a transcript may be replaced.
  func include(_ transcript: Transcript) -> Bool {
    switch (transcript.source, transcript.state) {
    case (.phone, _), (.program, _): contains(.machines)
    case (.person, .never): false
    case (.person, .allowed): true
    case (.person, .deleted): contains(.marks)
    case (.person, .words), (.person, .silent): contains(.persons)
    }
  }

  /// The condition in SQL that a transcript must stay.
  var stayingInSQL: String {
    var conditions = ["state = 'never'"]
    if !contains(.machines) { conditions.append("source <> 'person'") }
    if !contains(.marks) { conditions.append("state = 'deleted'") }
    if !contains(.persons) {
      conditions.append("(source = 'person' AND state IN ('words', 'silent'))")
    }
    return conditions.joined(separator: " OR ")
  }
}
