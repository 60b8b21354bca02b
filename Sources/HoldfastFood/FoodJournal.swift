public import Holdfast

private typealias Rule = ColumnConstraint

extension Journal {
  /// A food diary: what was eaten, the sums of each day, and ingredients to look up.
  public static let food = Journal(
    "food", kinds: [Ingredient.self, FoodDay.self, FoodEntry.self], migrations: [foodV1],
    fingerprint: "8bcda1c1da17f20eed2c00241a5202c3e0bf603d10f108bb632e3e1e0ac220d8", app: .food)

  /// The tables of the first version. `STRICT` refuses a text in place of a number, and a bound on
  /// each number refuses infinity, which SQLite alone would accept.
  private static let foodV1 = """
    CREATE TABLE ingredient (
      id TEXT NOT NULL PRIMARY KEY
        CONSTRAINT "id has 1 to 64 letters, digits and . _ : -"
        CHECK (length(id) BETWEEN 1 AND 64 AND id NOT GLOB '*[^-A-Za-z0-9._:]*'),
      name TEXT NOT NULL
        \(Rule.name("name", atMost: 200)),
      caloriesPer100g REAL NOT NULL \(nutrient("caloriesPer100g")),
      proteinPer100g REAL NOT NULL \(nutrient("proteinPer100g")),
      carbsPer100g REAL NOT NULL \(nutrient("carbsPer100g")),
      fatPer100g REAL NOT NULL \(nutrient("fatPer100g")),
      fiberPer100g REAL \(nutrient("fiberPer100g")),
      sugarPer100g REAL \(nutrient("sugarPer100g")),
      commonServingSize REAL NOT NULL \(amount("commonServingSize")),
      commonServingUnit TEXT NOT NULL \(Rule.text("commonServingUnit", atMost: 40)),
      category TEXT NOT NULL \(Rule.word("category", IngredientCategory.self)),
      subcategory TEXT \(Rule.text("subcategory", atMost: 60)),
      source TEXT NOT NULL \(Rule.word("source", DataSource.self)),
      verificationStatus TEXT NOT NULL DEFAULT 'pending'
        \(Rule.word("verificationStatus", VerificationStatus.self)),
      lastUpdated TEXT NOT NULL \(Rule.moment("lastUpdated")),
      usageCount INTEGER NOT NULL DEFAULT 0
        CONSTRAINT "usageCount is 0 or more" CHECK (usageCount >= 0),
      searchText TEXT NOT NULL,
      \(Rule.dates)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX ingredient_used ON ingredient (usageCount DESC, id, searchText);
    CREATE INDEX ingredient_status ON ingredient (verificationStatus, usageCount DESC, id);
    CREATE INDEX ingredient_category ON ingredient (category, usageCount DESC, id);

    CREATE TABLE ingredientWord (
      ingredientId TEXT NOT NULL REFERENCES ingredient (id) ON UPDATE CASCADE ON DELETE CASCADE,
      kind TEXT NOT NULL
        CONSTRAINT "kind is alias, tag or searchToken" \
    CHECK (kind IN ('alias', 'tag', 'searchToken')),
      position INTEGER NOT NULL,
      text TEXT NOT NULL
        \(Rule.name("text", atMost: 200)),
      PRIMARY KEY (ingredientId, kind, position), UNIQUE (ingredientId, kind, text)
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE ingredientServing (
      ingredientId TEXT NOT NULL REFERENCES ingredient (id) ON UPDATE CASCADE ON DELETE CASCADE,
      position INTEGER NOT NULL,
      amount REAL NOT NULL \(amount("amount")),
      unit TEXT NOT NULL \(Rule.text("unit", atMost: 40)),
      description TEXT NOT NULL \(Rule.text("description", atMost: 200)),
      gramsEquivalent REAL NOT NULL \(amount("gramsEquivalent")),
      PRIMARY KEY (ingredientId, position)
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE foodDay (
      day TEXT NOT NULL PRIMARY KEY
        \(Rule.day("day")),
      id TEXT NOT NULL UNIQUE \(Rule.uuid("id")),
      \(Rule.dates)
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE foodEntry (
      id TEXT NOT NULL PRIMARY KEY \(Rule.uuid("id")),
      timestamp TEXT NOT NULL \(Rule.moment("timestamp")),
      timestampOffset INTEGER NOT NULL
        \(Rule.offset("timestampOffset")),
      rawDescription TEXT NOT NULL \(Rule.text("rawDescription", atMost: 2000)),
      foodName TEXT NOT NULL
        \(Rule.name("foodName", atMost: 200)),
      quantity REAL NOT NULL \(amount("quantity")),
      unit TEXT NOT NULL \(Rule.text("unit", atMost: 40)),
      calories REAL NOT NULL \(nutrient("calories")),
      protein REAL NOT NULL \(nutrient("protein")),
      carbohydrates REAL NOT NULL \(nutrient("carbohydrates")),
      fat REAL NOT NULL \(nutrient("fat")),
      confidence REAL NOT NULL
        CONSTRAINT "confidence goes from 0 to 1" CHECK (confidence BETWEEN 0 AND 1),
      matchedIngredientId TEXT REFERENCES ingredient (id) ON UPDATE CASCADE ON DELETE SET NULL,
      day TEXT REFERENCES foodDay (day) ON DELETE CASCADE,
      recordingId TEXT REFERENCES recording (id) ON DELETE SET NULL,
      \(Rule.dates),
      CONSTRAINT "day is that of the entry's own time"
        CHECK (day IS NULL OR day = date(timestamp, timestampOffset || ' minutes'))
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX foodEntry_recent ON foodEntry (timestamp DESC, id);
    -- The sums of a day.
    CREATE INDEX foodEntry_day ON foodEntry (
      day, calories, protein, carbohydrates, fat, confidence) WHERE day IS NOT NULL;
    CREATE INDEX foodEntry_sure ON foodEntry (confidence, timestamp DESC, id);
    CREATE INDEX foodEntry_ingredient ON foodEntry (matchedIngredientId)
      WHERE matchedIngredientId IS NOT NULL;
    CREATE INDEX foodEntry_recording ON foodEntry (recordingId, timestamp DESC, id)
      WHERE recordingId IS NOT NULL;
    """

  private static func nutrient(_ column: String) -> String {
    "CONSTRAINT \"\(column) is 0 or more\" CHECK (\(column) >= 0 AND \(column) <= 1e9)"
  }

  private static func amount(_ column: String) -> String {
    "CONSTRAINT \"\(column) is more than 0\" CHECK (\(column) > 0 AND \(column) <= 1e9)"
  }
}
