import HoldfastModel
import Testing

@Suite("Spoken words that are searched for")
struct SpokenQueryTests {
  @Test(
    "Words that people take for the same are found",
    arguments: [
      ("strasse", "An der Straße."), ("Straße", "AN DER STRASSE"), ("елка", "Ёлка!"),
      ("fire", "a ﬁre"), ("cafe", "the cafe\u{301}"), ("CAFÉ", "cafe"), ("ｆｕｌｌ", "full"),
      ("σοφος", "ΣΟΦΟΣ"), ("istanbul", "İSTANBUL"), ("don't", "I don’t know"), ("x2", "½ x²"),
      ("散步", "我们去散步吧"), ("灯台", "あの灯台が見える"), ("เดิน", "ฉันเดินไปตลาด"), ("한국", "한국어"),
      ("ｶﾀｶﾅ", "カタカナ"), ("हिन्दी", "यह हिन्दी है"), ("why stop", "I stopped, and I know why"),
      ("light", "a lighthouse"), ("lighthouse", "the light house."), ("lighthou", "a lighthouse"),
      ("light house", "a lighthouse keeper"), ("old light house", "an old lighthouse"),
      ("walk -x", "walk x"), ("\"walk\"", "walk"),
    ])
  func found(_ search: String, _ text: String) {
    #expect(SpokenQuery(search).isFound(in: FoldedWords(text)))
  }

  @Test(
    "Other words are not found",
    arguments: [
      ("house", "a lighthouse"), ("li house", "a light house"), ("步散", "我们去散步吧"),
      ("lighthouse", "a light in the house"), ("light house", "a lighter horse"),
      ("don't", "don and t-shirt, no"), ("AND", "or"), ("h", "a house"), ("walk NOT y", "walk"),
    ])
  func notFound(_ search: String, _ text: String) {
    #expect(!SpokenQuery(search).isFound(in: FoldedWords(text)))
  }

  @Test(
    "No text is read as a query's syntax",
    arguments: [
      ("walk -x", #""walk" AND "x""#), ("\"x", #""x""#), ("a AND", #""a" AND "and" *"#),
      ("text:a*", #""text a""#), ("NEAR(a b)", #""near a" AND "b""#), ("a a", #""a""#),
      ("散步", #""散 步""#),
    ])
  func syntax(_ search: String, _ expression: String) {
    #expect(SpokenQuery(search).matchExpressions.last == expression)
  }

  @Test("A very long word makes no long query")
  func longWord() {
    let word = String(repeating: "a", count: 10_000)
    #expect(SpokenQuery(word).matchExpressions.allSatisfy { $0.utf8.count < 10_010 })
    #expect(SpokenQuery(word).isFound(in: FoldedWords(word)))
  }

  @Test("Whole words are searched for first, then words that begin so, then words in two")
  func widening() {
    #expect(
      SpokenQuery("a seaside").matchExpressions == [
        #""a" AND "seaside""#, #""a" AND "seaside" *"#,
        #""a" AND ("seaside" * OR "sea side" OR "seas ide")"#,
      ])
  }

  @Test(
    "A word is also searched for as two, and two as one",
    arguments: [
      ("an OR sunset", #""an" AND "or" AND ("sunset" * OR "sun set")"#),
      ("sun set x", #"("sun" OR "sunset") AND ("set" OR "sunset") AND "x""#),
      ("sun set", #"("sun" OR "sunset" *) AND ("set" * OR "sunset" *)"#),
    ])
  func wider(_ search: String, _ expression: String) {
    #expect(SpokenQuery(search).matchExpressions.last == expression)
  }

  @Test(
    "Text without a letter or digit searches for nothing", arguments: ["", " ", "-- !", "\"*\""])
  func nothing(_ search: String) {
    #expect(SpokenQuery(search).phrases.isEmpty)
  }

  @Test("A hit is the sentence with the most of the words, at the time of the first of them")
  func hits() throws {
    let words = [
      SpokenWord("That", startTime: 4000, endTime: 4200),
      SpokenWord(" is", startTime: 4200, endTime: 4400),
      SpokenWord(" why", startTime: 4500, endTime: 4700),
      SpokenWord(" I", startTime: 4700, endTime: 4800),
      SpokenWord(" stopped.", startTime: 4800, endTime: 5500),
    ]
    let spoken = try SpokenWords(
      language: "en",
      segments: [
        .init(startTime: 0, endTime: 4000, text: "I stopped the car, and that is why."),
        .init(startTime: 4000, endTime: 5500, text: "That is why I stopped.", words: words),
        .init(startTime: 5500, endTime: 9000, text: "I went on."),
      ], duration: 9000)
    let hits = SpokenQuery("why i stopped").hits(in: spoken.segments, limit: 5)
    let hit = try #require(hits.first)
    #expect(hits.count == 1)
    #expect(hit.startTime == 4500)
    #expect(hit.text == "That is why I stopped.")
    #expect(hit.pieces.filter(\.isFound).map(\.text) == ["why", "I", "stopped"])
    #expect(hit.pieces.map(\.text).joined() == hit.text)
  }

  @Test("A hit begins where the words are together, not at the first of them")
  func together() throws {
    let text = "When I see it I remember why I stopped"
    let words = text.split(separator: " ").enumerated().map { number, word in
      SpokenWord(
        (number == 0 ? "" : " ") + word, startTime: 1000 * number, endTime: 1000 * number + 900)
    }
    let spoken = try SpokenWords(
      language: "en",
      segments: [.init(startTime: 0, endTime: 9000, text: text, words: words)], duration: 9000)
    for (search, start) in [("why I stopped", 6000), ("i stopped", 7000), ("see remember", 2000)] {
      let hit = try #require(SpokenQuery(search).hits(in: spoken.segments, limit: 1).first)
      #expect(hit.startTime == start, "\(search)")
    }
  }

  @Test("A long sentence is cut around the words")
  func long() throws {
    let text =
      String(repeating: "gray sea, ", count: 80) + "a líght\u{301}house "
      + String(repeating: "again ", count: 90)
    let hit = try #require(
      SpokenQuery("lighthouse").hits(
        in: [TranscriptSegment(startTime: 1, endTime: 2, text: text)], limit: 1
      ).first)
    #expect(hit.text.unicodeScalars.count <= SpokenHit.longestText)
    #expect(hit.pieces.filter(\.isFound).map(\.text) == ["líght\u{301}house"])
    #expect(hit.text.hasPrefix("…") && hit.text.hasSuffix("…"))
  }
}
