import HoldfastModel
import Testing

@Suite("The model refuses invalid recordings")
struct RecordingRuleTests {
  @Test("A title has at most 200 Unicode scalars, and a recording's notes 5000; neither a NUL")
  func changes() throws {
    let most = String(repeating: "e\u{301}", count: 100)
    try Recording.validate(title: most, notes: String(repeating: most, count: 25))
    #expect(
      #expect(throws: RuleError.self) { try Recording.validate(title: most + "x") }?
        .description == "the title has 201 characters; at most 200 are allowed")
    let notes = String(repeating: most, count: 25) + "x"
    #expect(
      #expect(throws: RuleError.self) { try Recording.validate(notes: notes) }?
        .description == "the notes have 5001 characters; at most 5000 are allowed")
    #expect(throws: RuleError.self) { try Recording.validate(title: "a\0b") }
    #expect(throws: RuleError.self) { try Recording.validate(notes: "a\0b") }
  }

  @Test("Each vocabulary names itself when it refuses a word")
  func nouns() {
    let type = #expect(throws: RuleError.self) { try RecordingType(named: "audo") }
    #expect(type?.description.contains("mean audio?") == true)
    let purpose = #expect(throws: RuleError.self) { try RecordingPurpose(named: "mile") }
    #expect(purpose?.description.hasPrefix("no purpose is") == true)
  }
}
