import Foundation
import Holdfast

extension AppModel {
  /// The app that keeps a food diary. The sums of its days are not read: they follow from the
  /// entries.
  static let food = AppModel(
    "food", entities: ["foodentry", "dailytotal", "ingredient"],
    marks: [
      ("ingredients", ["caloriesper100g"]), ("foodEntries", ["foodname", "quantity"]),
      ("dailyTotals", ["totalcalories", "date"]),
    ],
    nested: [.init("entries", in: "dailytotal", of: "foodEntries", naming: ("dailyTotal", "id"))]
  ) { reading in
    reading.each("ingredient", as: Ingredient.declaration.kind) { row, _ in row.readIngredient() }
    let (midnights, dates) = reading.foodDays()
    var days: Set<String> = []
    reading.each("dailytotal", as: FoodDay.declaration.kind) { row, _ in
      row.uuid("id")
      let day = midnights.day(row.value("date"))?.description
      row.set("day", day.map { .text($0) } ?? .null)
      if let day {
        days.insert(day)
        row.date("createdAt")
        if row.record["createdAt"] == nil { row.set("createdAt", .text("\(day)T00:00:00.000Z")) }
      }
      row.date("modifiedAt")
      row.skip(
        "totalCalories", "totalProtein", "totalCarbohydrates", "totalFat", "entryCount", "entries")
    }
    reading.each("foodentry", as: FoodEntry.declaration.kind) { row, reading in
      let hasZone = row.readFoodEntry()
      // In a store, an entry without a day is outside every day. A document must say so.
      let said = row.value("isOutsideDays").flag ?? (row.isInStore ? true : nil)
      let total = row.value("dailyTotal", "day")
      let isOutside = said == true
      if said == nil, total.isNull { row.assume("day") }
      guard !total.isNull || !isOutside, let moment = row.record["timestamp"]?.date,
        var offset = row.record["timestampOffset"]?.integer
      else { return }
      let date =
        reading.id(total, in: "dailytotal").flatMap { dates[$0] }
        ?? midnights.midnight(before: moment).map { .text(JSONFormat.text($0)) }
      if !hasZone, let date, let own = midnights.offset(at: moment, in: date) {
        offset = own
        row.set("timestampOffset", .number(Double(offset)))
      }
      let day = Day(of: moment, offset: offset).description
      row.set("day", .text(day))
      guard days.insert(day).inserted, let id = row.record["id"] else { return }
      reading.add(
        ["id": id, "day": .text(day), "createdAt": .text("\(day)T00:00:00.000Z")],
        as: FoodDay.declaration.kind)
      reading.assume(["id", "createdAt"], of: FoodDay.declaration.kind, .text(day))
    }
  } write: { writing in
    writing.each(Ingredient.declaration.kind, as: "ingredients")
    let entries = Dictionary(
      grouping: writing[FoodEntry.declaration.kind], by: { $0["day"]?.text ?? "" })
    var ids: [String: AppValue] = [:]
    writing.each(FoodDay.declaration.kind, as: "dailyTotals") { day in
      let name = day["day"].text ?? ""
      ids[name] = day["id"]
      let entries = entries[name] ?? []
      for (total, nutrient) in totals {
        let sum = entries.reduce(0) { $0 + ($1[nutrient]?.number ?? 0) }
        day[total] = .number(sum)
      }
      day["entryCount"] = .number(Double(entries.count))
      day.setMoment(ofDay: "day", to: "date")
    }
    writing.each(FoodEntry.declaration.kind, as: "foodEntries") { entry in
      entry.rename("matchedIngredientId", to: "matchedIngredientID")
      entry["dailyTotal"] = entry["day"].text.flatMap { ids[$0] } ?? .null
      entry["isOutsideDays"] = .flag(entry["dailyTotal"].isNull)
      entry["day"] = .null
    }
  }

  /// The sums of a day in the app, and the values of its entries.
  private static let totals = [
    ("totalCalories", "calories"), ("totalProtein", "protein"),
    ("totalCarbohydrates", "carbohydrates"), ("totalFat", "fat"),
  ]
}

extension AppReading {
  /// Returns the midnights of the days, and each day's value by its ID.
  fileprivate mutating func foodDays() -> (AppMidnights, [UUID: AppValue]) {
    var dates: [UUID: AppValue] = [:]
    var meals: [Date: [Date]] = [:]
    for row in rows["dailytotal"] {
      let date = row["date"]
      if let id = row["id"].uuid { dates[id] = date }
      if case (let midnight, nil)? = date.moment { meals[midnight] = [] }
    }
    let midnights = AppMidnights(meals)
    for entry in rows["foodentry"] {
      guard let moment = entry["timestamp"].date else { continue }
      let day = id(entry["dailytotal"], in: "dailytotal").flatMap { dates[$0]?.date }
      if let midnight = day ?? midnights.midnight(before: moment) {
        meals[midnight]?.append(moment)
      }
    }
    return (AppMidnights(meals), dates)
  }
}

extension AppRow {
  /// Reads an entry, and returns whether it names its time zone.
  fileprivate mutating func readFoodEntry() -> Bool {
    uuid("id")
    let hasZone = moment("timestamp", offset: "timestampOffset")
    copy("rawDescription")
    if record["rawDescription"] == nil { set("rawDescription", .text("")) }
    copy("foodName")
    number("quantity")
    copy("unit")
    if record["unit"] == nil { set("unit", .text("")) }
    for name in ["calories", "protein", "carbohydrates", "fat"] { number(name) }
    number("confidence", else: 1)
    copy("matchedIngredientId", from: "matchedIngredientID")
    uuid("recordingId", from: "recordingId", "recording")
    madeAndChanged(orElse: "timestamp")
    return hasZone
  }

  fileprivate mutating func readIngredient() {
    copy("id")
    copy("name")
    for name in ["caloriesPer100g", "proteinPer100g", "carbsPer100g", "fatPer100g"] { number(name) }
    for name in ["fiberPer100g", "sugarPer100g"] { number(name) }
    number("commonServingSize")
    copy("commonServingUnit")
    for name in ["aliases", "tags", "searchTokens"] {
      texts(name)
      tidy(name, inLowerCase: name == "aliases")
    }
    let servings = value("servingSizeVariations")
    set("servingSizeVariations", .list(servings.list ?? []))
    if servings.list == nil { leaveOut("servingSizeVariations", servings) }
    word("category", IngredientCategory.self)
    copy("subcategory")
    word("source", DataSource.self)
    word("verificationStatus", VerificationStatus.self, else: .pending)
    date("lastUpdated")
    number("usageCount", else: 0)
    madeAndChanged(orElse: "lastUpdated")
    if record["createdAt"] == nil { set("createdAt", .text("2001-01-01T00:00:00.000Z")) }
    if record["lastUpdated"] == nil { set("lastUpdated", record["createdAt"] ?? .null) }
  }
  /// Drops empty and repeated words of a list.
  private mutating func tidy(_ name: String, inLowerCase isLower: Bool) {
    var words: [String] = []
    for word in (record[name]?.list ?? []).compactMap(\.text) {
      let word = isLower ? word.lowercased() : word
      if word.nonBlank != nil, !words.contains(word) { words.append(word) }
    }
    record[name] = .list(words.map { .text($0) })
  }
}
