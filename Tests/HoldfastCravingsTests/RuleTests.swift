import Foundation
import Holdfast
import HoldfastCravings
import HoldfastTestSupport
import Testing

@Suite("Entries and messages that break a rule are refused")
struct RuleTests {
  private func craving(notes: String? = nil, location: Location? = nil) throws -> Craving {
    var craving = Craving(
      timestamp: noon, intensity: try Intensity(5), location: location,
      createdAt: noon)
    craving.notes = notes
    return craving
  }

  private func usage(_ method: UsageMethod, _ amount: Double, notes: String? = nil) -> Usage {
    var usage = Usage(
      timestamp: noon, method: method, amount: amount, createdAt: noon)
    usage.notes = notes
    return usage
  }

  // MARK: Intensity

  @Test("An intensity has a category and its label", arguments: 1...10)
  func intensity(value: Int) throws {
    let intensity = try Intensity(value)
    #expect(intensity.value == value)
    let (category, label): (IntensityCategory, String) =
      switch value {
      case 1, 2, 3: (.mild, "Mild (manageable)")
      case 4, 5, 6: (.moderate, "Moderate (uncomfortable)")
      case 7, 8, 9: (.strong, "Strong (urgent)")
      default: (.overwhelming, "Overwhelming (crisis)")
      }
    #expect(intensity.category == category)
    #expect(intensity.category.label == label)
    #expect(try JSONEncoder().encode([intensity]) == Data("[\(value)]".utf8))
    #expect(
      try JSONDecoder().decode([Intensity].self, from: Data("[\(value)]".utf8)) == [intensity])
  }

  @Test(
    "An intensity out of range is refused, from JSON as well", arguments: [0, 11, -1, .min, .max])
  func noIntensity(value: Int) {
    let error = #expect(throws: RuleError.self) { try Intensity(value) }
    #expect(error?.description == "intensity \(value): an intensity goes from 1 to 10")
    #expect(throws: (any Error).self) {
      try JSONDecoder().decode([Intensity].self, from: Data("[\(value)]".utf8))
    }
  }

  // MARK: Notes

  @Test(
    "Notes of 500 characters are accepted, of 501 refused with the figure",
    arguments: ["x", "é", "e\u{301}", "👩🏽‍🚀", "🇩🇪", "한", "\r\n"])
  func notes(of character: String) throws {
    let notes = String(repeating: character, count: 500)
    try craving(notes: notes).validate()
    try usage(.dab, 1, notes: notes).validate()
    let longer = notes + "y"
    for entry in [
      { try craving(notes: longer).validate() }, { try usage(.dab, 1, notes: longer).validate() },
    ] {
      let error = #expect(throws: RuleError.self, performing: entry)
      #expect(error?.description == "the notes have 501 characters; at most 500 are allowed")
    }
  }

  @Test("Notes may have 8,000 bytes, however few characters they are")
  func largeNotes() throws {
    // One visible character of 8,000 bytes: a letter and 3,999 accents of two bytes, and a space.
    let notes = "e" + String(repeating: "\u{301}", count: 3999) + " "
    try #require(notes.utf8.count == 8000 && notes.count == 2)
    try craving(notes: notes).validate()
    let error = #expect(throws: RuleError.self) { try craving(notes: notes + "x").validate() }
    #expect(error?.description == "the notes have 8001 bytes; at most 8000 are allowed")
  }

  @Test("Notes with a NUL are refused, because SQLite counts only the text before it")
  func zero() throws {
    for notes in ["\0", "before\0after", "\0" + String(repeating: "x", count: 400)] {
      let error = #expect(throws: RuleError.self) { try craving(notes: notes).validate() }
      #expect(error?.description == "the notes have a NUL character; remove it")
    }
  }

  @Test("Blank notes are none", arguments: ["", " ", "\n\t ", "\u{A0}\u{2003}\u{85}\r\n"])
  func blank(notes: String) throws {
    #expect(
      Craving(
        timestamp: noon, intensity: try Intensity(1), notes: notes,
        createdAt: noon
      ).notes == nil)
    #expect(
      Usage(
        timestamp: noon, method: .dab, amount: 1, notes: notes, createdAt: noon
      ).notes == nil)
  }

  // MARK: Usage

  private static let halves = [0.5, 1, 1.5, 2, 2.5, 3, 3.5, 4, 4.5, 5]

  @Test(
    "A method has these amounts to choose from, and no others fit it",
    arguments: [
      (.bowls, halves), (.joints, halves), (.blunts, halves),
      (.vape, [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]), (.dab, [1, 2, 3, 4, 5]),
      (
        .edible,
        [5, 10, 15, 20, 25, 30, 35, 40, 45, 50, 55, 60, 65, 70, 75, 80, 85, 90, 95, 100]
      ),
    ] as [(UsageMethod, [Double])])
  func amounts(method: UsageMethod, amounts: [Double]) throws {
    #expect(method.amounts == amounts)
    for hundredth in -100...11_000 {
      let amount = Double(hundredth) / 100
      let isAccepted = (try? usage(method, amount).validate()) != nil
      #expect(isAccepted == amounts.contains(amount), "\(amount)")
    }
  }

  @Test(
    "An amount that does not fit is refused with the range",
    arguments: [
      (.bowls, [0, 0.3, 0.25, 0.75, 5.5, 5.0000001, -1]), (.joints, [0.49999, 0.51, 6]),
      (.blunts, [0.1, 1.25, 10]), (.vape, [0, 0.5, 1.5, 11, 9.999999]), (.dab, [0.5, 2.5, 6]),
      (.edible, [0, 1, 4.9, 7, 12.5, 102, 105, 14.999999999999998, 15.000000000000002]),
    ] as [(UsageMethod, [Double])])
  func noAmounts(method: UsageMethod, amounts: [Double]) {
    let range =
      switch method {
      case .bowls: "Bowls goes from 0.5 bowls to 5 bowls, in halves"
      case .joints: "Joints goes from 0.5 joints to 5 joints, in halves"
      case .blunts: "Blunts goes from 0.5 blunts to 5 blunts, in halves"
      case .vape: "Vape goes from 1 pull to 10 pulls, in whole numbers"
      case .dab: "Dab goes from 1 dab to 5 dabs, in whole numbers"
      case .edible: "Edible goes from 5 mg to 100 mg, in fives"
      }
    for amount in amounts + [.nan, .infinity, -.infinity, 1e300, .leastNonzeroMagnitude, -0.0] {
      let error = #expect(throws: RuleError.self) { try usage(method, amount).validate() }
      #expect(error?.description == "amount \(amount): \(range)")
    }
  }

  @Test(
    "An amount is shown with its unit",
    arguments: [
      (.bowls, 1, "1 bowl"), (.bowls, 1.5, "1.5 bowls"), (.joints, 0.5, "0.5 joints"),
      (.joints, 1, "1 joint"), (.blunts, 1, "1 blunt"), (.blunts, 5, "5 blunts"),
      (.vape, 1, "1 pull"), (.vape, 10, "10 pulls"), (.dab, 1, "1 dab"), (.dab, 3, "3 dabs"),
      (.edible, 5, "5 mg"), (.edible, 100, "100 mg"),
    ] as [(UsageMethod, Double, String)])
  func units(method: UsageMethod, amount: Double, text: String) {
    #expect(method.text(amount) == text)
  }

  // MARK: Messages

  @Test(
    "A message must not be blank",
    arguments: ["", " ", "\n", "\t\r\n ", "\u{A0}\u{3000}\u{2028}", "\u{B}\u{C}"])
  func emptyMessage(content: String) {
    let message = Message(content: content, category: .urge, createdAt: noon)
    let error = #expect(throws: RuleError.self) { try message.validate() }
    #expect(error?.description == "the message is empty; write at least one word")
  }

  @Test("A message has at most 500 Unicode scalars, no NUL, and a priority of 0 or more")
  func message() throws {
    var message = Message(
      content: String(repeating: "👍🏽", count: 250), category: .social, priority: 0,
      createdAt: noon)
    #expect(message.isCustom && message.isActive && message.timesShown == 0)
    let plain = Message(content: "x", category: .social, createdAt: noon)
    #expect(plain.priority == 0)
    try message.validate()
    message.content += "x"
    #expect(
      #expect(throws: RuleError.self) { try message.validate() }?.description
        == "the message has 501 characters; at most 500 are allowed")
    message.content = "well\0done"
    #expect(
      #expect(throws: RuleError.self) { try message.validate() }?.description
        == "the message has a NUL character; remove it")
    message.content = "well done"
    message.priority = -1
    #expect(
      #expect(throws: RuleError.self) { try message.validate() }?.description
        == "priority -1: a priority is 0 or more; the lower comes first")
  }

  // MARK: Dates

  @Test("A moment that is rounded up by less than a millisecond is not in the future")
  func now() throws {
    let odd = Date(timeIntervalSince1970: 1_761_399_720.0006)
    let craving = Craving(timestamp: odd, intensity: try Intensity(3), createdAt: odd)
    #expect(craving.timestamp > odd)
    try Entry.validate(timestamp: craving.timestamp, now: odd)
  }

  @Test("Dates are rounded to the millisecond when a value is made")
  func rounding() throws {
    let odd = Date(timeIntervalSince1970: 1_761_399_720.123456)
    let craving = Craving(timestamp: odd, intensity: try Intensity(3), createdAt: odd)
    let usage = Usage(timestamp: odd, method: .dab, amount: 1, createdAt: odd)
    for date in [
      craving.timestamp, craving.createdAt, usage.timestamp, usage.createdAt,
      Message(content: "x", category: .urge, createdAt: odd).createdAt,
    ] { #expect(date == odd.roundedToMillisecond) }
  }
}
