import Testing

@testable import HoldfastCLI
@testable import HoldfastConsole

@Suite("Tables")
struct TextTableTests {
  @Test(
    "The width of a text is what a terminal shows",
    arguments: [
      ("", 0), ("plain", 5), ("é", 1), ("e\u{301}", 1), ("a\u{308}\u{323}b", 2), ("为什么", 6),
      ("한국어", 6), ("\u{1112}\u{1161}\u{11AB}", 2), ("ｆｕｌｌ", 8), ("ﾊﾝ", 2), ("🙂", 2),
      ("👍🏽", 2), ("☝🏽", 2), ("👨‍👩‍👧‍👦", 2), ("🇩🇪", 2), ("🇩🇪🇫🇷", 4), ("❤️", 2), ("❤", 1),
      ("1️⃣", 2), ("🏴󠁧󠁢󠁳󠁣󠁴󠁿", 2), ("لماذا", 5), ("שָׁלוֹם", 4), ("ไทย", 3), ("บุหรี่", 3),
      ("क्ष", 2), ("मैं", 1), ("→ …", 3), ("\u{200B}", 0), ("\u{E000}", 1),
    ])
  func width(text: String, cells: Int) {
    #expect(text.displayWidth == cells)
  }

  @Test(
    "A text that is too wide ends with an ellipsis, and no character is cut in two",
    arguments: [
      ("plain", 5, "plain"), ("plain", 4, "pla…"), ("plain", 1, "…"), ("plain", 0, ""),
      ("为什么", 6, "为什么"), ("为什么", 5, "为什…"), ("为什么", 4, "为…"), ("为什么", 2, "…"),
      ("cafe\u{301}s", 5, "cafe\u{301}s"), ("cafe\u{301}s!", 5, "cafe\u{301}…"),
      ("a🇩🇪b", 4, "a🇩🇪b"), ("a🇩🇪b", 3, "a…"), ("❤️❤️", 3, "❤️…"),
      // Many terminals draw the parts of an emoji side by side: it is cut to fit there too.
      ("👍🏽 a", 5, "👍🏽…"), ("👍🏽 a", 6, "👍🏽 a"), ("👍🏽 a", 4, "…"), ("שלום לך", 5, "שלום…"),
    ])
  func cut(text: String, limit: Int, result: String) {
    #expect(Array(text.cut(toDisplayWidth: limit).unicodeScalars) == Array(result.unicodeScalars))
  }

  private static func table(_ rows: [[String]]) -> TextTable {
    var table = TextTable([
      .init(heading: "PLACE"), .init(heading: "N", alignment: .right), .init(heading: "NOTES"),
    ])
    for row in rows { table.add(row) }
    return table
  }

  @Test("Columns line up by display width; the last is never padded, and controls are escaped")
  func alignment() {
    let table = Self.table([
      ["家", "1", "home"], ["e\u{301}t\u{E9}", "200", "👨‍👩‍👧‍👦 all"],
      ["🇩🇪🇩🇪🇩🇪", "3", "\u{1B}[31m\n"],
    ])
    #expect(
      table.lines(fitting: nil) == [
        "PLACE     N  NOTES",
        "家        1  home",
        "e\u{301}t\u{E9}     200  👨‍👩‍👧‍👦 all",
        "🇩🇪🇩🇪🇩🇪    3  \\u{1B}[31m\\u{A}",
      ])
  }

  @Test("Every line fits the terminal, however narrow it is")
  func fitting() {
    let table = Self.table([["here", "1", "a long story"], ["there", "10", "为什么我戒烟了"]])
    #expect(
      table.lines(fitting: 18) == [
        "PLACE   N  NOTES", "here    1  a long…", "there  10  为什么…",
      ])
    for width in 1...30 {
      #expect(table.lines(fitting: width).allSatisfy { $0.displayWidth <= width })
    }
  }

  @Test("A colour changes no width, and a text that is cut has none")
  func colors() {
    var table = TextTable([
      .init(heading: "ID"), .init(heading: "N", alignment: .right, isColored: true),
      .init(heading: "NOTES"),
    ])
    table.add(["家", "10", "home"], color: .orange)
    table.add(["ABCD", "9", "away"])
    table.add(["AB", "8", "8"], color: .red)
    let mark = { (text: String, color: Console.Color) in "<\(color) \(text)>" }
    #expect(
      table.lines(fitting: nil, coloring: mark) == [
        "ID     N  NOTES", "家    <orange 10>  home", "ABCD   9  away", "AB     <red 8>  8",
      ])
    #expect(table.lines(fitting: 11, coloring: mark)[1] == "家    <orange 10>  …")
    #expect(table.lines(fitting: 7, coloring: mark)[1] == "家    …")
    #expect(table.lines(fitting: nil)[1] == "家    10  home")
  }

  @Test("A column gives way where the last one would have too little room, and only there")
  func givingWay() {
    var table = TextTable([
      .init(heading: "ID"), .init(heading: "PURPOSE", givesWay: true), .init(heading: "TITLE"),
    ])
    table.add(["ABCD", "motivational", String(repeating: "x", count: 40)])
    #expect(table.lines(fitting: 52)[0] == "ID    PURPOSE       TITLE")
    #expect(table.lines(fitting: 51)[0] == "ID    TITLE")
    #expect(table.lines(fitting: 51)[1] == "ABCD  " + String(repeating: "x", count: 40))
    #expect(table.lines(fitting: nil)[1].contains("motivational"))
    var short = TextTable([
      .init(heading: "ID"), .init(heading: "PURPOSE", givesWay: true), .init(heading: "TITLE"),
    ])
    short.add(["ABCD", "motivational", "Day one"])
    #expect(short.lines(fitting: 27)[1] == "ABCD  motivational  Day one")
    #expect(short.lines(fitting: 26)[1] == "ABCD  Day one")
  }
}
