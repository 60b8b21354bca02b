public import Holdfast

/// Causes of a craving, or circumstances of a usage: the states of HALT and similar ones, and a
/// person's surroundings.
public enum Trigger: String, Vocabulary {
  /// An empty stomach.
  case hungry = "Hungry"
  /// Anger.
  case angry = "Angry"
  /// Worry or fear.
  case anxious = "Anxious"
  /// Being alone.
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
  /// The sight of the equipment for using.
  case paraphernalia = "Paraphernalia"

  /// The name for one of the words: "trigger".
  public static var noun: String { "trigger" }

  /// The triggers to offer first, in this order: feelings. They are the four of HALT (hungry,
  /// angry, lonely, tired), worry and sadness.
  public static let primary: [Trigger] = [.hungry, .angry, .anxious, .lonely, .tired, .sad]

  /// The triggers to offer after the primary ones, in this order: circumstances.
  public static let secondary: [Trigger] = [.bored, .social, .habit, .paraphernalia]
}

/// A set of triggers, in the vocabulary's order.
public struct TriggerSet: Hashable, Sendable, Codable, ExpressibleByArrayLiteral {
  /// The triggers in the vocabulary's order.
  public let list: [Trigger]

  /// Makes a set from `triggers`, dropping repeats.
  public init(_ triggers: some Sequence<Trigger>) {
    let set = Set(triggers)
    list = Trigger.allCases.filter(set.contains)
  }

  /// Makes a set from `elements`, dropping repeats.
  public init(arrayLiteral elements: Trigger...) { self.init(elements) }

  /// Reads an array of words.
  ///
  /// - Throws: `RuleError` for a word that is not a trigger.
  public init(from decoder: any Decoder) throws {
    self.init(try decoder.singleValueContainer().decode([Trigger].self))
  }

  /// Writes an array of words.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(list)
  }
}
