/// What brings a craving on, or goes with a usage: the states of HALT and what lies near them, and
/// what is around a person.
public enum Trigger: String, Vocabulary {
  /// An empty stomach.
  case hungry = "Hungry"
  /// Anger.
  case angry = "Angry"
  /// Worry or fear.
  case anxious = "Anxious"
  /// Nobody there.
  case lonely = "Lonely"
  /// Too little sleep.
  case tired = "Tired"
  /// Sadness.
  case sad = "Sad"
  /// Nothing to do.
  case bored = "Bored"
  /// Other people who use.
  case social = "Social"
  /// The usual time or place.
  case habit = "Habit"
  /// The sight of what it is used with.
  case paraphernalia = "Paraphernalia"

  /// "trigger"
  public static var noun: String { "trigger" }
}

/// Triggers, each once and in the vocabulary's order.
public struct TriggerSet: Hashable, Sendable, Codable, ExpressibleByArrayLiteral {
  /// The triggers in the vocabulary's order.
  public let list: [Trigger]

  /// Takes each of `triggers` once.
  public init(_ triggers: some Sequence<Trigger>) {
    let set = Set(triggers)
    list = Trigger.allCases.filter(set.contains)
  }

  /// Takes each of `elements` once.
  public init(arrayLiteral elements: Trigger...) { self.init(elements) }

  /// Reads an array of words.
  public init(from decoder: any Decoder) throws {
    self.init(try decoder.singleValueContainer().decode([Trigger].self))
  }

  /// Writes an array of words.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(list)
  }
}
