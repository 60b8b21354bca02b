import Foundation
import Holdfast
import HoldfastCravings
import HoldfastFood
import HoldfastTestSupport
import Testing

@Suite("Food: entries", .temporaryFolder)
struct FoodEntryTests {
  /// The change of one column in SQL, and the same in the model.
  struct Change: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var isAllowed: Bool
    var change: @Sendable (inout FoodEntry) -> Void

    init(_ sql: String, _ isAllowed: Bool, _ change: @escaping @Sendable (inout FoodEntry) -> Void)
    {
      testDescription = sql
      self.isAllowed = isAllowed
      self.change = change
    }
  }

  private static let nutrients: [Change] = [
    Change("calories = -0.1", false) { $0.calories = -0.1 },
    Change("protein = -0.1", false) { $0.protein = -0.1 },
    Change("carbohydrates = -0.1", false) { $0.carbohydrates = -0.1 },
    Change("fat = -0.1", false) { $0.fat = -0.1 },
    Change("calories = 0", true) { $0.calories = 0 },
    Change("protein = 0", true) { $0.protein = 0 },
    Change("carbohydrates = 0", true) { $0.carbohydrates = 0 },
    Change("fat = 0", true) { $0.fat = 0 },
    Change("fat = 9e999", false) { $0.fat = .infinity },
  ]

  private static let others: [Change] = [
    Change("quantity = 0", false) { $0.quantity = 0 },
    Change("quantity = -1", false) { $0.quantity = -1 },
    Change("quantity = 0.001", true) { $0.quantity = 0.001 },
    Change("quantity = 9e999", false) { $0.quantity = .infinity },
    Change("foodName = ''", false) { $0.foodName = "" },
    Change("foodName = '  '", false) { $0.foodName = "  " },
    Change("foodName = char(9, 160, 8195)", false) { $0.foodName = "\t\u{A0}\u{2003}" },
    Change("confidence = -0.01", false) { $0.confidence = -0.01 },
    Change("confidence = 1.01", false) { $0.confidence = 1.01 },
    Change("confidence = 0", true) { $0.confidence = 0 },
    Change("confidence = 1", true) { $0.confidence = 1 },
    Change("timestampOffset = 1440", false) { $0.timestampOffset = 1440 },
  ]

  @Test(
    "Two libraries that were edited apart become the same, whichever way they are merged",
    arguments: (0..<UInt64(Extent.choose(sample: 4, whole: 70))).map { Extent.seed &+ $0 })
  func bothWays(seed: UInt64) async throws {
    let library = try openDiary()
    try library.food.add(ingredient())
    for name in ["Porridge", "Toast"] {
      try library.food.log(meal(name, ingredient: name == "Toast" ? "bread" : nil))
    }
    try await MergedJournals(library, .food).expectAlike(seed: seed)
  }

  @Test("1, 2: The model and the schema agree on every rule", arguments: nutrients + others)
  func rules(change: Change) async throws {
    let library = try openDiary()
    let entry = try meal()
    try library.food.log(entry)
    var changed = entry
    change.change(&changed)
    if change.isAllowed {
      try changed.validate()
    } else {
      #expect(throws: RuleError.self) { try changed.validate() }
      #expect(throws: HoldfastError.self) { try library.food.edit(id: entry.id, change.change) }
      #expect(try library.food.entries() == [entry])
    }
    // A new offset gives another day; the day's rule has its own test.
    let sql = "UPDATE foodEntry SET day = NULL, \(change.testDescription)"
    if change.isAllowed {
      _ = try await sqlite(sql)
    } else {
      #expect(try await sqliteRefuses(sql))
    }
  }

  @Test("1: isValid checks only the amount, the name and the nutrition")
  func validity() throws {
    var entry = try meal()
    #expect(entry.isValid)
    entry.confidence = 7
    entry.foodName = " "
    entry.unit = ""
    entry.rawDescription = ""
    #expect(entry.isValid)
    entry.foodName = ""
    #expect(!entry.isValid)
    for path in [\FoodEntry.calories, \.protein, \.carbohydrates, \.fat] {
      var entry = try meal()
      entry[keyPath: path] = -0.1
      #expect(!entry.isValid)
      entry[keyPath: path] = .nan
      #expect(!entry.isValid)
      #expect(throws: RuleError.self) { try entry.validate() }
    }
    entry = try meal()
    entry.quantity = .nan
    #expect(!entry.isValid)
    #expect(throws: RuleError.self) { try entry.validate() }
  }

  @Test("2: Entries are found from a given confidence on")
  func confidence() throws {
    let library = try openDiary()
    for confidence in [0.7999, 0.8, 1] {
      try library.food.log(meal("\(confidence)", confidence: confidence))
    }
    let found = try library.food.entries(matching: FoodQuery(minimumConfidence: FoodQuery.sure))
    #expect(Set(found.map(\.foodName)) == ["0.8", "1.0"])
  }

  @Test("9: The entries of today and of seven days end where the days do")
  func periods() throws {
    let library = try openDiary()
    for (name, time, offset) in [
      ("before", "2025-11-02 22:59", 60), ("first", "2025-11-02 23:00", 60),
      ("last", "2025-11-03 22:59", 60), ("after", "2025-11-03 23:00", 60),
      ("west", "2025-11-04 04:59", -300), ("week", "2025-10-28 00:00", 0),
      ("older", "2025-10-27 23:59", 0),
    ] { try library.food.log(meal(name, at: time, offset: offset)) }
    let day = try Day("2025-11-03")
    #expect(
      try library.food.entries(matching: FoodQuery(from: day, through: day)).map(\.foodName)
        == ["west", "last", "first"])
    #expect(
      try library.food.entries(matching: FoodQuery(from: day.adding(days: -6), through: day))
        .map(\.foodName) == ["west", "last", "first", "before", "week"])
    #expect(
      try library.food.totals(from: day.adding(days: -6), through: day).map(\.day.description)
        == ["2025-11-03", "2025-11-02", "2025-10-28"])
    // Nothing is eaten in the future.
    let tomorrow = try meal("tomorrow", at: "2999-01-01 00:00")
    #expect(throws: HoldfastError.self) { try library.food.log(tomorrow) }
  }

  @Test("14: An export, an erasure and an import give the same document")
  func roundTrip() throws {
    let library = try openDiary()
    var bread = try ingredient()
    bread.addAlias("Toast")
    bread.tags = ["staple"]
    bread.searchTokens = ["wheat"]
    bread.fiberPer100g = 2.7
    bread.servingSizeVariations = [
      ServingVariation(amount: 1, unit: "slice", description: "one slice", gramsEquivalent: 28)
    ]
    try library.food.add(bread)
    try library.food.log(meal("Toast with jam", ingredient: "bread"))
    try library.food.attach(id: library.food.entries()[0].id, false)
    try library.food.log(meal("Soup"))
    func document() throws -> String {
      var data = Data()
      try library.exportDocument { data += $0 }
      return String(decoding: data, as: UTF8.self)
    }
    let before = try document()
    #expect(before.contains("\"ingredients\":1,\"foodDays\":1,\"foodEntries\":1}"))
    let folder = TemporaryFolder.current
    try library.exportDocument(toFile: "\(folder)/export.json")
    try library.eraseEverything()
    #expect(try library.food.entries().isEmpty && library.food.ingredients().isEmpty)
    let file = try Data(contentsOf: URL(filePath: "\(folder)/library/catalog.sqlite"))
    for word in ["jam", "Soup", "bowl", "staple", "slice", "2025-11-03"] {
      #expect(file.range(of: Data(word.utf8)) == nil, "\(word)")
    }
    let read = try ExportDocument(
      contentsOf: "\(folder)/export.json", journals: [.cravings, .food])
    let report = try library.importData(read)
    #expect(report.items.isEmpty)
    #expect(try document() == before)
    #expect(try library.importData(read).changes.isEmpty)
  }

  @Test("An import leaves out a reference to a record that neither side has")
  func references() throws {
    let library = try openDiary()
    try library.food.add(ingredient())
    try library.food.log(meal(ingredient: "bread"))
    var data = Data()
    try library.exportDocument { data += $0 }
    var document = try #require(
      try JSONSerialization.jsonObject(with: data) as? [String: Any])
    document["ingredients"] = [Any]()
    document["foodDays"] = [Any]()
    let bare = try ExportDocument(
      json: JSONSerialization.data(withJSONObject: document), journals: [.cravings, .food])
    let other = try openDiary("other")
    #expect(try other.importData(bare).items.isEmpty)
    let entry = try #require(try other.food.entries().first)
    #expect(entry.matchedIngredientID == nil && entry.day == nil && entry.calories == 100)
  }
}
