import HoldfastModel
import Testing

@Suite("First words")
struct FirstWordsTests {
  @Test(
    "are cut at a word's end",
    arguments: [
      ("  Why I\nstopped. ", "Why I stopped."),
      ("Forty characters are exactly this many a", "Forty characters are exactly this many a"),
      ("Forty characters are exactly this many a b", "Forty characters are exactly this many a…"),
      (String(repeating: "散", count: 50), String(repeating: "散", count: 40) + "…"),
      (String(repeating: "é", count: 41) + " and more", String(repeating: "é", count: 40) + "…"),
    ])
  func cut(transcript: String, text: String) {
    #expect(FirstWords(transcript, isByComputer: false)?.title == "“\(text)”")
    #expect(
      FirstWords(transcript, isByComputer: true)?.title == "“\(text)” (a computer’s words)")
  }

  @Test("of nothing are none", arguments: ["", " \n"])
  func none(transcript: String) { #expect(FirstWords(transcript, isByComputer: true) == nil) }
}
