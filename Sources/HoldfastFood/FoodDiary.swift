public import Foundation
public import Holdfast

/// The food diary of a library in which the journal `food` is enabled.
public struct FoodDiary: Sendable {
  let library: Library
}

extension Library {
  /// The food diary. The library must have been opened with the journal `food`.
  public var food: FoodDiary { FoodDiary(library: self) }
}

extension FoodDiary {
  // MARK: Entries

  /// Logs an entry. Its day is made if it is missing, and the use of its ingredient is counted.
  ///
  /// - Parameters:
  ///   - entry: The entry. Its time must not be in the future.
  ///   - now: The time of logging.
  /// - Throws: `HoldfastError` when a value breaks a rule, and when the ingredient or the recording
  ///   does not exist.
  public func log(_ entry: FoodEntry, now: Date = Date()) throws {
    try library.write { db in try db.log(entry, now: now) }
  }

  /// Changes an entry. A new time moves it to its new day, unless it is outside every day.
  ///
  /// - Throws: `HoldfastError` when a value breaks a rule, and when the entry, the ingredient or
  ///   the recording does not exist, and any error of `change`.
  @discardableResult
  public func edit(
    id: UUID, now: Date = Date(), _ change: (inout FoodEntry) throws -> Void
  ) throws -> FoodEntry {
    try library.write { db in
      var ingredient: String?
      let edited = try db.edit(FoodEntry.self, id: id, now: now) { entry in
        let before = entry
        try change(&entry)
        if before.day != nil { entry.day = entry.ownDay }
        try entry.validate()
        if let day = entry.day { try db.make(day, now) }
        if entry.matchedIngredientID != before.matchedIngredientID {
          ingredient = entry.matchedIngredientID
        }
        try db.refuseMissing(ingredient)
      }
      if let ingredient { try db.countUse(of: ingredient) }
      return edited
    }
  }

  /// Removes an entry from its day, or puts it back. The entry itself stays.
  ///
  /// - Parameters:
  ///   - id: The entry.
  ///   - isAttached: Whether it belongs to its day. Without a difference, nothing changes.
  ///   - now: The time of the change.
  @discardableResult
  public func attach(id: UUID, _ isAttached: Bool = true, now: Date = Date()) throws -> FoodEntry {
    try library.write { db in
      try db.editIfNeeded(FoodEntry.self, id: id, now: now) { entry in
        entry.day = isAttached ? entry.ownDay : nil
        if let day = entry.day { try db.make(day, now) }
      }
    }
  }

  /// Returns the entries that match a query, newest first.
  public func entries(matching query: FoodQuery = FoodQuery()) throws -> [FoodEntry] {
    try library.read { db in
      try db.records(FoodEntry.self, of: query.list, limit: query.limit, offset: query.offset)
    }
  }

  // MARK: Days

  /// Returns the sums of a day. The sums of a missing day are 0.
  public func total(of day: Day) throws -> FoodDayTotal {
    try totals(from: day, through: day).first
      ?? FoodDayTotal(
        day: day, totalCalories: 0, totalProtein: 0, totalCarbohydrates: 0, totalFat: 0,
        entryCount: 0, averageConfidence: 0)
  }

  /// Returns the sums of the diary's days in a period, newest first.
  ///
  /// - Parameters:
  ///   - first: The first day; `nil` for no limit.
  ///   - last: The last day; `nil` for no limit.
  public func totals(from first: Day? = nil, through last: Day? = nil) throws -> [FoodDayTotal] {
    try library.read { db in
      try db.requireEnabled(FoodDay.self)
      return try db.rows(
        Self.totals, [.text(first?.description ?? ""), .text(last?.description ?? "~")]
      ).map { row in
        FoodDayTotal(
          day: try Day(row["day"].text ?? ""), totalCalories: row["calories"].number ?? 0,
          totalProtein: row["protein"].number ?? 0,
          totalCarbohydrates: row["carbohydrates"].number ?? 0, totalFat: row["fat"].number ?? 0,
          entryCount: row["entryCount"].integer ?? 0,
          averageConfidence: (row["averageConfidence"].number ?? 0).withoutNoise)
      }
    }
  }

  /// The sums of each day, read from the index, which has all these columns.
  static let totals = """
    SELECT foodDay.day AS day, total(calories) AS calories, total(protein) AS protein,
      total(carbohydrates) AS carbohydrates, total(fat) AS fat, count(foodEntry.day) AS entryCount,
      coalesce(avg(confidence), 0) AS averageConfidence
    FROM foodDay LEFT JOIN foodEntry ON foodEntry.day = foodDay.day AND foodEntry.day IS NOT NULL
    WHERE foodDay.day BETWEEN ? AND ? GROUP BY foodDay.day ORDER BY foodDay.day DESC
    """

  /// Deletes a day with its entries. The recordings in which they were spoken stay.
  ///
  /// - Returns: How many entries were deleted.
  @discardableResult
  public func delete(_ day: Day) throws -> Int {
    try library.write { db in
      try db.requireEnabled(FoodDay.self)
      let count = try db.rows(
        "SELECT count(*) AS count FROM foodEntry WHERE day = ?", [.text(day.description)])
      guard try db.delete(FoodDay.self, id: day.description) else {
        throw HoldfastError.gone(FoodDay.declaration.kind, day.description)
      }
      return count.first?["count"].integer ?? 0
    }
  }

  // MARK: Ingredients

  /// Adds an ingredient.
  ///
  /// - Throws: `HoldfastError` when a value breaks a rule, and when an ingredient with this ID
  ///   exists.
  public func add(_ ingredient: Ingredient) throws {
    try library.write { db in try db.add(ingredient) }
  }

  /// Changes an ingredient's data, and sets ``Ingredient/lastUpdated``.
  @discardableResult
  public func editIngredient(
    id: String, now: Date = Date(), _ change: (inout Ingredient) throws -> Void
  ) throws -> Ingredient {
    try library.edit(Ingredient.self, id: id, now: now) { ingredient in
      try change(&ingredient)
      ingredient.lastUpdated = now.roundedToMillisecond
    }
  }

  /// Returns ingredients, most used first.
  ///
  /// - Parameters:
  ///   - term: Text that the name, an alias or a search word contains, in any case and with or
  ///     without accents. A blank text finds all.
  ///   - category: Only ingredients of this category.
  ///   - isVerified: Whether to return only ingredients with checked figures.
  ///   - limit: The most ingredients to return.
  ///   - offset: How many to skip first.
  public func ingredients(
    containing term: String = "", in category: IngredientCategory? = nil, isVerified: Bool = false,
    limit: Int = 20, offset: Int = 0
  ) throws -> [Ingredient] {
    var list = RecordList("ingredient", by: [.init("usageCount", isDescending: true)])
    if let category { list.filter("category = ?", .text(category.rawValue)) }
    if isVerified {
      list.filter("verificationStatus = ?", .text(VerificationStatus.verified.rawValue))
    }
    if let term = term.nonBlank {
      // The stored words are separated by line breaks, so that a match never spans two of them.
      list.filter(
        "instr(searchText, ?) > 0", .text(term.foldedForSearch.replacing("\n", with: " ")))
    }
    return try library.read { [list] db in
      try db.records(Ingredient.self, of: list, limit: limit, offset: offset)
    }
  }
}

extension RecordDatabase {
  /// Logs an entry. Its day is made if it is missing, and the use of its ingredient is counted.
  public func log(_ entry: FoodEntry, now: Date) throws {
    try entry.validate()
    try refuseMissing(entry.matchedIngredientID)
    if let day = entry.day { try make(day, now) }
    try add(entry, now: now)
    if let id = entry.matchedIngredientID { try countUse(of: id) }
  }

  /// Adds an ingredient, unless its ID exists.
  public func add(_ ingredient: Ingredient) throws {
    try ingredient.validate()
    guard try record(Ingredient.self, id: ingredient.id) == nil else {
      throw RuleError("there is an ingredient \"\(ingredient.id)\" already; choose another id")
    }
    try insert(ingredient)
  }

  fileprivate func make(_ day: Day, _ now: Date) throws {
    guard try record(FoodDay.self, id: day.description) == nil else { return }
    try insert(FoodDay(day, createdAt: now))
  }

  fileprivate func refuseMissing(_ ingredient: String?) throws {
    guard let ingredient, try record(Ingredient.self, id: ingredient) == nil else { return }
    throw HoldfastError.gone(Ingredient.declaration.kind, ingredient)
  }

  /// Counts a use, which does not change the ingredient's data.
  fileprivate func countUse(of id: String) throws {
    try execute("UPDATE ingredient SET usageCount = usageCount + 1 WHERE id = ?", [.text(id)])
  }
}

/// A query for entries of a food diary.
public struct FoodQuery: Hashable, Sendable {
  /// The least confidence of an entry that counts as sure.
  public static let sure = 0.8

  /// The first day of the entries; `nil` for no limit.
  public var first: Day?
  /// The last day of the entries; `nil` for no limit.
  public var last: Day?
  /// The least confidence.
  public var minimumConfidence: Double?
  /// Only entries that were spoken in this recording.
  public var recording: RecordingID?
  /// Only entries whose name or description contains this text; `nil` or a blank text for all.
  public var search: String?
  /// The most entries to return.
  public var limit: Int?
  /// How many entries to skip first.
  public var offset: Int

  /// Makes a query, by default for all entries.
  public init(
    from first: Day? = nil, through last: Day? = nil, minimumConfidence: Double? = nil,
    recording: RecordingID? = nil, search: String? = nil, limit: Int? = nil, offset: Int = 0
  ) {
    self.first = first
    self.last = last
    self.minimumConfidence = minimumConfidence
    self.recording = recording
    self.search = search
    self.limit = limit
    self.offset = offset
  }

  /// The entries, newest first. An entry's own day need not be stored: it may be outside every day.
  var list: RecordList {
    var list = RecordList("foodEntry", by: "timestamp", from: first, through: last)
    if let minimumConfidence { list.filter("confidence >= ?", .real(minimumConfidence)) }
    if let recording { list.filter("recordingId = ?", .text(recording.uuidString)) }
    if let text = search?.nonBlank {
      list.filter(
        "instr(lower(foodName || char(10) || rawDescription), ?) > 0", .text(text.lowercased()))
    }
    return list
  }
}

extension Double {
  /// An average without its last digits, which depend on the order of summation.
  var withoutNoise: Double { (self * 1e12).rounded() / 1e12 }
}
