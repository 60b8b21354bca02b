public import Foundation
public import Holdfast

/// A kind word for a hard moment.
public struct Message: JournalRecord {
  /// The message's identity.
  public var id: UUID
  /// The message's text.
  public var content: String
  /// The moments that it is for.
  public var category: MessageCategory
  /// Whether a person wrote it. The others came with the library.
  public var isCustom: Bool
  /// The order among messages that were shown equally often: the lowest comes first.
  public var priority: Int
  /// How many times it was shown.
  public var timesShown: Int
  /// When it was last shown; `nil` for never.
  public var lastShownAt: Date?
  /// Whether it may be shown.
  public var isActive: Bool
  /// When it was added.
  public var createdAt: Date
  /// When a person last changed it; `nil` for never.
  public var modifiedAt: Date?

  /// The most Unicode scalars that a message may have.
  public static let longestContent = 500

  /// Makes a message that a person wrote.
  ///
  /// Without a priority, it comes before the messages that came with the library, whose priorities
  /// begin with 1.
  public init(
    id: UUID = UUID(), content: String, category: MessageCategory, priority: Int = 0,
    createdAt: Date
  ) {
    self.id = id
    self.content = content
    self.category = category
    self.isCustom = true
    self.priority = priority
    self.timesShown = 0
    self.isActive = true
    self.createdAt = createdAt.roundedToMillisecond
  }

  /// Reads a message from JSON.
  ///
  /// - Throws: `DecodingError` if a value cannot be read.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    self.init(
      id: try values.decode(UUID.self, forKey: .id),
      content: try values.decode(String.self, forKey: .content),
      category: try values.decode(MessageCategory.self, forKey: .category),
      priority: try values.decode(Int.self, forKey: .priority),
      createdAt: try values.decode(Date.self, forKey: .createdAt))
    isCustom = try values.decode(Bool.self, forKey: .isCustom)
    timesShown = try values.decode(Int.self, forKey: .timesShown)
    lastShownAt = try values.decodeIfPresent(Date.self, forKey: .lastShownAt)?.roundedToMillisecond
    isActive = try values.decode(Bool.self, forKey: .isActive)
    modifiedAt = try values.modification(forKey: .modifiedAt, since: createdAt)
  }

  /// Refuses values that the catalog would refuse.
  public func validate() throws(RuleError) {
    guard content.nonBlank != nil else {
      throw RuleError("the message is empty; write at least one word")
    }
    try content.validate("the message has", limit: Self.longestContent)
    guard priority >= 0 else {
      throw RuleError("priority \(priority): a priority is 0 or more; the lower comes first")
    }
    try timesShown.validateAsCount("timesShown")
  }
}

/// The moments that a message is for.
public enum MessageCategory: String, Vocabulary {
  /// The wish to use.
  case urge
  /// Worry.
  case anxiety
  /// Nothing to do.
  case boredom
  /// Other people.
  case social
  /// Something went well.
  case celebration

  /// The name for one of the words: "category".
  public static var noun: String { "category" }

  /// Chooses the category that suits a person's triggers.
  ///
  /// - Parameters:
  ///   - triggers: The triggers of the moment, in any order. ``Trigger/anxious`` decides before
  ///     ``Trigger/bored``, and that before ``Trigger/social``. Without any of the three, the
  ///     category is an urge.
  ///   - context: The category to use without triggers.
  public init(triggers: [Trigger], context: MessageCategory = .urge) {
    self =
      if triggers.contains(.anxious) {
        .anxiety
      } else if triggers.contains(.bored) {
        .boredom
      } else if triggers.contains(.social) {
        .social
      } else {
        triggers.isEmpty ? context : .urge
      }
  }
}

extension Message {
  /// Messages: the library's default ones, and a person's own.
  public static let declaration = RecordDeclaration<Message>(
    RecordKind("messages", singular: "message"), version: 2, table: "message",
    counters: [.maximum(\.timesShown), .maximum(\.lastShownAt)],
    csv: .withDates([
      .init("content", \.content), .init("category", \.category), .init("isCustom", \.isCustom),
      .init("priority", \.priority), .init("timesShown", \.timesShown),
      .init("lastShownAt", \.lastShownAt), .init("isActive", \.isActive),
    ]),
    erasure: .deleting(
      where: "isCustom",
      reset: "timesShown = 0, lastShownAt = NULL, isActive = 1, modifiedAt = NULL"),
    correcting: corrected)

  private static func corrected(_ local: Message?, _ merged: Message) -> Message {
    var message = merged
    if let local, !local.isCustom {
      // A default message keeps this library's text.
      message = local
      message.isActive = merged.isActive
      message.modifiedAt = merged.modifiedAt
      message.timesShown = merged.timesShown
      message.lastShownAt = merged.lastShownAt
    }
    // A message that did not come with this library is a person's own: defaults cannot be deleted.
    message.isCustom = local?.isCustom ?? true
    return message
  }
}
