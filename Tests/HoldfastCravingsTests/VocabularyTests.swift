import Foundation
import Holdfast
import HoldfastCravings
import HoldfastTestSupport
import Testing

@Suite("Vocabularies")
struct VocabularyTests {
  @Test(
    "A word is recognised in any case",
    arguments: Trigger.allCases.flatMap { trigger in
      [trigger.rawValue, trigger.rawValue.lowercased(), trigger.rawValue.uppercased()]
        .map { (trigger, $0) }
    })
  func anyCase(trigger: Trigger, text: String) throws {
    #expect(try Trigger(named: text) == trigger)
  }

  @Test(
    "The nearest word is offered",
    arguments: [
      ("Angri", "Angry"), ("ANGRI", "Angry"), ("anxius", "Anxious"), ("hungy", "Hungry"),
      ("lonley", "Lonely"), ("bord", "Bored"), ("tierd", "Tired"), ("sadd", "Sad"),
      ("habits", "Habit"), ("socials", "Social"), ("parafernalia", "Paraphernalia"),
    ])
  func nearest(text: String, word: String) {
    let error = #expect(throws: RuleError.self) { try Trigger(named: text) }
    #expect(
      error?.description == "no trigger is called \"\(text)\"; did you mean \(word)? There are "
        + "Hungry, Angry, Anxious, Lonely, Tired, Sad, Bored, Social, Habit, Paraphernalia")
  }

  @Test(
    "An unknown word is refused, and shown escaped",
    arguments: [
      ("", ""), (" ", " "), ("Angry ", "Angry "), ("Angry,Sad", "Angry,Sad"),
      ("\u{1B}[2J", "\\u{1B}[2J"), ("Sad\0", "Sad\\u{0}"), ("Ａngry", "Ａngry"),
      ("Аngry", "Аngry"), ("A\u{301}ngry", "A\u{301}ngry"),
    ])
  func noWord(text: String, shown: String) {
    let error = #expect(throws: RuleError.self) { try Trigger(named: text) }
    #expect(error?.description.hasPrefix("no trigger is called \"\(shown)\"; ") == true)
  }

  @Test("A word of a megabyte is refused at once")
  func long() {
    #expect(throws: RuleError.self) {
      try Trigger(named: String(repeating: "e\u{301}", count: 1 << 19))
    }
  }

  @Test("Every vocabulary has exactly these words")
  func vocabularies() {
    #expect(
      UsageMethod.allCases.map(\.rawValue) == [
        "Bowls", "Joints", "Blunts", "Vape", "Dab", "Edible",
      ])
    #expect(
      Location.Place.allCases.map(\.rawValue) == ["Home", "Work", "Social", "Outside", "Car"])
    #expect(
      MessageCategory.allCases.map(\.rawValue) == [
        "urge", "anxiety", "boredom", "social", "celebration",
      ])
  }

  @Test("Each vocabulary names itself when it refuses a word")
  func nouns() {
    func refusal(_ make: () throws -> Void) -> String? {
      #expect(throws: RuleError.self, performing: make)?.description
    }
    #expect(
      refusal { _ = try UsageMethod(named: "Bowl") }?.hasPrefix("no method is called") == true)
    #expect(refusal { _ = try UsageMethod(named: "Bowl") }?.contains("mean Bowls?") == true)
    #expect(refusal { _ = try MessageCategory(named: "x") }?.hasPrefix("no category is") == true)
  }

  @Test("Six triggers are primary and four secondary, in the order in which they are offered")
  func groups() {
    #expect(
      Trigger.primary.map(\.rawValue).joined(separator: " ")
        == "Hungry Angry Anxious Lonely Tired Sad")
    #expect(
      Trigger.secondary.map(\.rawValue).joined(separator: " ") == "Bored Social Habit Paraphernalia"
    )
    #expect(Trigger.primary + Trigger.secondary == Trigger.allCases)
  }

  @Test("Triggers come once each, in the vocabulary's order, from JSON as well")
  func triggerSet() throws {
    let set = TriggerSet([.social, .hungry, .social, .sad])
    #expect(set.list == [.hungry, .sad, .social])
    #expect(try JSONEncoder().encode(set) == Data(#"["Hungry","Sad","Social"]"#.utf8))
    let json = Data(#"["Social","Hungry","Social","Sad"]"#.utf8)
    #expect(try JSONDecoder().decode(TriggerSet.self, from: json) == set)
    #expect(throws: (any Error).self) {
      try JSONDecoder().decode(TriggerSet.self, from: Data(#"["Thirsty"]"#.utf8))
    }
  }

  @Test(
    "The triggers decide the category of message",
    arguments: [
      ([], .urge, .urge), ([], .celebration, .celebration), ([.anxious], .urge, .anxiety),
      ([.bored], .urge, .boredom), ([.social], .urge, .social), ([.hungry], .celebration, .urge),
      ([.habit, .tired], .anxiety, .urge), ([.hungry, .bored], .urge, .boredom),
      ([.social, .anxious], .urge, .anxiety), ([.social, .bored], .urge, .boredom),
      ([.bored, .anxious], .urge, .anxiety), ([.sad, .social], .celebration, .social),
      ([.paraphernalia, .anxious, .bored], .urge, .anxiety),
    ] as [([Trigger], MessageCategory, MessageCategory)])
  func categories(triggers: [Trigger], context: MessageCategory, category: MessageCategory) {
    #expect(MessageCategory(triggers: triggers, context: context) == category)
  }
}
