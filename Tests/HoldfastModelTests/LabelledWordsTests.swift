import Foundation
import HoldfastCravings
@testable import HoldfastModel
import Testing

@Suite("Labelled words of an app")
struct LabelledWordsTests {
  private let words = LabelledWords<Craving>(
    in: \.notes, ["Trigger", .init("Location") { $0.location != nil }, "Strategy"], limit: 40)

  private func craving(_ notes: String?, at place: String? = nil) throws -> Craving {
    Craving(
      timestamp: Date(timeIntervalSince1970: 0), timestampOffset: 0, intensity: try Intensity(5),
      location: try place.map { try Location($0) }, notes: notes,
      createdAt: Date(timeIntervalSince1970: 0))
  }

  @Test(
    "Words whose label the later text lacks stay after it",
    arguments: [
      ("a\nTrigger: x", "b", "b\nTrigger: x"),
      ("a\nTrigger: x\nStrategy: y", "b\nTrigger: z", "b\nTrigger: z\nStrategy: y"),
      ("a\nTrigger: x\nTrigger: y", "a\nTrigger: z", "a\nTrigger: z"),
      ("a\nTrigger: x\nTrigger: y", "a", "a\nTrigger: x\nTrigger: y"),
      // Words of several lines end at the next label.
      ("a\nTrigger: x\nand y\nStrategy: z", "b\nStrategy: w", "b\nStrategy: w\nTrigger: x\nand y"),
      // Another line with a colon is the person's own.
      ("a\nNote: x", "b", "b"),
      ("a\nTriggered: x", "b", "b"),
      // The person's own words are a value as well.
      ("a\nTrigger: x", "Trigger: y", "a\nTrigger: y"),
      ("Trigger: x", "b", "b\nTrigger: x"),
      ("a", "", "a"),
      ("", "b", "b"),
    ])
  func merging(earlier: String, later: String, expected: String) {
    let none = { (_: LabelledWords<Craving>.Label) in false }
    #expect(words.merged(earlier, into: later, unless: none) == expected)
    // Another import of either version changes nothing.
    #expect(words.merged(expected, into: later, unless: none) == expected)
    #expect(words.merged(earlier, into: expected, unless: none) == expected)
  }

  @Test("A value that a column has now replaces the labelled words")
  func column() throws {
    let earlier = try craving("a\nLocation: by the sea\nTrigger: x")
    let later = try craving("a", at: "Home")
    #expect(words.keeping(earlier, in: later).value.notes == "a\nTrigger: x")
    #expect(
      words.keeping(earlier, in: try craving("a")).value.notes
        == "a\nLocation: by the sea\nTrigger: x")
  }

  @Test("Words that do not fit are cut, and never those of the later version")
  func limit() throws {
    let own = String(repeating: "n", count: 480)
    let words = LabelledWords<Craving>(in: \.notes, ["Trigger"], limit: Entry.longestNotes)
    let earlier = try craving("a\nTrigger: a long quarrel with Bob")
    let cut = words.keeping(earlier, in: try craving(own))
    #expect(cut.value.notes == own + "\nTrigger: a long qu…")
    #expect(cut.isCut)
    #expect(words.remark(onKeeping: earlier, in: try craving("b")) == nil)
    let full = try craving(String(repeating: "n", count: 500))
    #expect(words.keeping(earlier, in: full).value == full)
    #expect(words.remark(onKeeping: earlier, in: full)?.contains("500 characters") == true)
  }
}
