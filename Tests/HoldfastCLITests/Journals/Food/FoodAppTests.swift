import Foundation
import HoldfastTestSupport
import Testing

@Suite("Food: an app's data", .temporaryFolder)
struct FoodAppTests {
  /// 2025-10-12T12:00:00Z, in seconds since 2001.
  private let noon = "781963200"

  @Test("A store's ingredients, days and entries come in, and again as nothing new")
  func store() async throws {
    let library = try await LibraryFolder.withFood()
    let app = try AppFolder()
    try app.makeStore(
      tables: """
        CREATE TABLE Z_PRIMARYKEY (Z_ENT INTEGER PRIMARY KEY, Z_NAME VARCHAR, Z_MAX INTEGER);
        INSERT INTO Z_PRIMARYKEY
          VALUES (1, 'FoodEntry', 2), (2, 'DailyTotal', 1), (3, 'Ingredient', 1);
        CREATE TABLE ZFOODENTRY (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZID BLOB,
          ZTIMESTAMP TIMESTAMP, ZRAWDESCRIPTION VARCHAR, ZFOODNAME VARCHAR, ZQUANTITY FLOAT,
          ZUNIT VARCHAR, ZCALORIES FLOAT, ZPROTEIN FLOAT, ZCARBOHYDRATES FLOAT, ZFAT FLOAT,
          ZCONFIDENCE FLOAT, ZMATCHEDINGREDIENTID VARCHAR, ZDAILYTOTAL INTEGER, ZMEAL VARCHAR);
        CREATE TABLE ZDAILYTOTAL (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZID BLOB,
          ZDATE1 TIMESTAMP, ZTOTALCALORIES FLOAT, ZENTRYCOUNT INTEGER);
        CREATE TABLE ZINGREDIENT (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER,
          ZID VARCHAR, ZNAME VARCHAR, ZALIASES BLOB, ZCALORIESPER100G FLOAT, ZPROTEINPER100G FLOAT,
          ZCARBSPER100G FLOAT, ZFATPER100G FLOAT, ZCOMMONSERVINGSIZE FLOAT,
          ZCOMMONSERVINGUNIT VARCHAR, ZCATEGORY VARCHAR, ZSOURCE VARCHAR,
          ZVERIFICATIONSTATUS VARCHAR, ZLASTUPDATED TIMESTAMP, ZUSAGECOUNT INTEGER);
        """,
      old: """
        INSERT INTO ZINGREDIENT VALUES
          (1, 3, 1, 'oats-1', 'Oats', X'\(AppFolder.wordList)', 380, 13, 60, 7, 40, 'g',
            'grain', 'usda', 'verified', \(noon), 4);
        INSERT INTO ZDAILYTOTAL VALUES (1, 2, 1, \(AppFolder.id(5)), \(noon), 100, 1);
        """,
      new: """
        INSERT INTO ZFOODENTRY VALUES
          (1, 1, 1, \(AppFolder.id(1)), \(noon), 'a bowl of oats', 'Oats', 40, 'g', 152, 5.2, 24,
            2.8, 0.9, 'oats-1', 1, 'breakfast'),
          (2, 1, 1, \(AppFolder.id(2)), \(noon), '', 'Tea', 1, 'cup', 2, 0, 0, 0, 1, NULL, NULL,
            NULL);
        """)
    for number in 0..<2 {
      let result = try await library.holdfastInUTC("import-app", app.path)
      #expect(result.status == 0, "\(result.errorOutput)")
      #expect(result.errorOutput.contains("meal: 1 food entry, not kept"), "\(result.errorOutput)")
      let word = number == 0 ? "added" : "unchanged"
      #expect(
        result.lines.filter { $0.contains(word) } == [
          "ingredients: 1 \(word)", "food days: 1 \(word)", "food entries: 2 \(word)",
        ], "\(result.output)")
    }
    #expect(
      try await library.sql(
        "SELECT foodName, quantity, matchedIngredientId, day FROM foodEntry ORDER BY id") == [
          ["Oats", "40.0", "oats-1", "2025-10-12"], ["Tea", "1.0", "", ""],
        ])
    #expect(
      try await library.column("SELECT text FROM ingredientWord ORDER BY position")
        == ["anxious", "bored"])
  }

  @Test("A list without days moves no entry into a day, and changes no day")
  func flatList() async throws {
    let library = try await LibraryFolder.withFood()
    let (day, path) = (LibraryFolder.id(5), temporary("food.json"))
    func entry(_ number: Int, _ total: String) -> String {
      """
      {"id": "\(LibraryFolder.id(number))", "timestamp": "2025-10-12T12:00:00Z", \(total)
       "rawDescription": "r", "foodName": "f", "quantity": 1, "unit": "g", "calories": 1,
       "protein": 0, "carbohydrates": 0, "fat": 0}
      """
    }
    let own = [
      entry(1, "\"dailyTotal\": \"\(day)\","), entry(2, "\"isOutsideDays\": true,"),
    ].joined(separator: ", ")
    let flat = "[\(entry(1, "")), \(entry(2, ""))]"
    let whole = """
      {"dailyTotals": [{"id": "\(day)", "date": "2025-10-12T00:00:00Z"}], "foodEntries": [\(own)]}
      """
    for (number, document) in [whole, flat, whole].enumerated() {
      try Data(document.utf8).write(to: URL(filePath: path))
      let result = try await library.holdfastInUTC("import-app", path)
      #expect(result.status == 0, "\(result.errorOutput)")
      let word = number == 0 ? "added" : "unchanged"
      #expect(
        result.lines.suffix(2) == ["food days: 1 \(word)", "food entries: 2 \(word)"],
        "\(result.output)")
      #expect(
        try await library.column("SELECT ifnull(day, 'none') FROM foodEntry ORDER BY id")
          == ["2025-10-12", "none"])
      #expect(try await library.column("SELECT id FROM foodDay") == [day])
    }
  }

  @Test("Plain entries without the fields that only Holdfast has come in")
  func json() async throws {
    let library = try await LibraryFolder.withFood()
    let path = temporary("entries.json")
    try Data(
      """
      [{"id":"\(LibraryFolder.id(1))","timestamp":"2025-10-12T12:00:00Z","rawDescription":"soup",
        "foodName":"Soup","quantity":1,"unit":"bowl","calories":100,"protein":3,
        "carbohydrates":10,"fat":4,"confidence":0.5}]
      """.utf8
    ).write(to: URL(fileURLWithPath: path))
    let result = try await library.holdfastInUTC("import-data", path)
    #expect(result.status == 0, "\(result.errorOutput)")
    #expect(
      try await library.sql("SELECT foodName, day FROM foodEntry") == [["Soup", "2025-10-12"]])
  }

  @Test("A document with Holdfast's header and the app's fields comes in, days included")
  func header() async throws {
    let library = try await LibraryFolder.withFood()
    let path = temporary("headed.json")
    try Data(
      """
      {"format":"holdfast","schemaVersion":2,"versions":{"foodEntries":1,"cravings":2},
      "cravings":[{"id":"\(LibraryFolder.id(2))","intensity":4,
        "timestamp":"2025-10-12T22:13:20Z",
        "trigger":"Sad"}],
      "foodEntries":[{"id":"\(LibraryFolder.id(1))","timestamp":"2025-10-12T12:00:00Z",
        "rawDescription":"soup","foodName":"Soup","quantity":1,"unit":"bowl","calories":100,
        "protein":3,"carbohydrates":10,"fat":4,"confidence":0.5,"meal":"lunch"}]}
      """.utf8
    ).write(to: URL(fileURLWithPath: path))
    let result = try await library.holdfastInUTC("import-data", path)
    #expect(result.status == 0, "\(result.errorOutput)")
    #expect(result.errorLines == ["note: meal: 1 food entry, not kept"])
    #expect(
      try await library.sql("SELECT foodName, day FROM foodEntry") == [["Soup", "2025-10-12"]])
    #expect(try await library.column("SELECT trigger FROM cravingTrigger") == ["Sad"])
  }

  @Test("Without the journal, nothing is imported, and the way is named")
  func notEnabled() async throws {
    let library = LibraryFolder()
    let path = temporary("entries.json")
    try Data(#"[{"foodName":"Soup","quantity":1}]"#.utf8).write(to: URL(fileURLWithPath: path))
    let result = try await library.holdfastInUTC("import-app", path)
    #expect(result.status == 1)
    #expect(result.errorOutput.contains("journal"), "\(result.errorOutput)")
  }
}
