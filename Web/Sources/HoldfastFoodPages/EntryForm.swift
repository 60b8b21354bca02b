import Foundation
import Holdfast
import HoldfastFood
import HoldfastWeb
import Hummingbird

/// The form that logs a meal or changes it.
struct EntryForm: RecordForm {
  static let path = "/food/entries"
  static let titles = (new: "What was it?", edited: "Edit entry")

  func add(to pages: RouterGroup<WebContext>, _ host: LibraryHost) {
    add(to: pages, host, new: "new", records: "entries")
    pages.form("entries/:id/attach", host: host) { library, id, form in
      "/food/days/\(try library.food.attach(id: id, form["attached"] != nil).ownDay)"
    }
  }

  struct Fields: Sendable {
    var back: String
    var name: String
    var quantity: String
    var unit: String
    var calories: String
    var protein: String
    var carbohydrates: String
    var fat: String
    var ingredients: [Choice]
    var isOutside: Bool
  }

  func fields(of entry: FoodEntry?, _ address: Form, in library: Library) throws -> Fields {
    let id = entry == nil ? address["ingredient"] : entry?.matchedIngredientID
    let chosen = try id.flatMap { try library.record(Ingredient.self, id: $0) }
    // A new entry is a serving of its ingredient.
    let serving = chosen?.servingSizeVariations.first
    let (quantity, unit) =
      chosen == nil
      ? ("1", "portion")
      : (
        serving?.amount.fieldText ?? "100",
        serving?.unit ?? (chosen?.isMeasuredByVolume == true ? "ml" : "g")
      )
    // Offer the most used ingredients and the chosen one.
    var offered = try library.food.ingredients(limit: 100)
    if let chosen, !offered.contains(where: { $0.id == chosen.id }) {
      offered.insert(chosen, at: 0)
    }
    let day = try entry?.ownDay ?? address.otherDay(than: Day())
    return Fields(
      back: day.map { "/food/days/\($0)" } ?? "/food",
      name: entry?.foodName ?? chosen?.name ?? "",
      quantity: entry?.quantity.fieldText ?? quantity, unit: entry?.unit ?? unit,
      calories: entry?.calories.fieldText ?? "", protein: entry?.protein.fieldText ?? "",
      carbohydrates: entry?.carbohydrates.fieldText ?? "", fat: entry?.fat.fieldText ?? "",
      ingredients: offered.map { Choice($0.id, $0.name, isChosen: $0.id == chosen?.id) },
      isOutside: entry.map { $0.day == nil } ?? false)
  }

  func moment(_ address: Form, now: Date) throws -> String? {
    try address.otherDay(than: Day(now: now)).map { "\($0)T12:00" }
  }

  func new(_ form: Form, now: Date) -> FoodEntry {
    FoodEntry(
      timestamp: form.openedMoment(now: now), foodName: "", quantity: 1, unit: "",
      nutrition: Nutrition(), createdAt: now)
  }

  func change(_ form: Form, in library: Library) throws -> (inout FoodEntry) throws -> Void {
    let ingredient = try form["ingredient"].flatMap { try library.record(Ingredient.self, id: $0) }
    return { entry in
      entry.foodName = form["name"] ?? ""
      entry.quantity = try form.number("quantity", "the amount") ?? 1
      entry.unit = form["unit"] ?? ""
      entry.matchedIngredientID = ingredient?.id
      entry.rawDescription = form["said"] ?? ""
      let isComputed = form["compute"] != nil
      guard isComputed || !form.hasAllFigures, let ingredient else {
        entry.nutrition = try form.nutrition(else: Nutrition())
        return
      }
      let computed = try ingredient.nutrition(of: entry.quantity, entry.unit)
      entry.nutrition = isComputed ? computed : try form.nutrition(else: computed)
    }
  }

  func add(_ entry: FoodEntry, _ form: Form, to library: Library, now: Date) throws {
    try library.food.log(entry, now: now)
  }

  func edit(
    _ id: UUID, _ form: Form, in library: Library, _ change: (inout FoodEntry) throws -> Void
  ) throws -> FoodEntry {
    let entry = try record(id, in: library)
    return try library.food.edit(id: entry.id, change)
  }

  func page(after entry: FoodEntry, isNew: Bool, _ form: Form) -> String {
    let day = "/food/days/\(entry.ownDay)"
    return isNew ? "\(entry.ownDay == Day() ? "/food" : day)?logged=\(entry.id)" : day
  }

  static let template = Page.form(
    #"""
    {{#recording}}{{^id}}<p role="status">Your recording is kept. Listen to it, and write down \#
    what it was.</p>
    <audio controls preload="none" src="/media/{{recording}}" aria-label="What you said">\#
    </audio>{{/id}}{{/recording}}
    <form method="post" action="{{action}}" class="form">\#
    <input type="hidden" name="back" value="{{back}}">
    <label for="name">What you ate</label>\#
    <input id="name" name="name" value="{{name}}" maxlength="200" required>
    <div class="pair"><p><label for="quantity">How much</label>\#
    <input type="number" id="quantity" name="quantity" value="{{quantity}}" min="0" step="any" \#
    required></p>
    <p><label for="unit">Unit</label>\#
    <input id="unit" name="unit" value="{{unit}}" maxlength="40" list="units" required></p></div>
    <datalist id="units"><option>portion</option><option>g</option><option>ml</option>\#
    <option>slice</option><option>cup</option><option>piece</option></datalist>
    {{^empty(ingredients)}}<label for="ingredient">Ingredient</label>\#
    <select id="ingredient" name="ingredient"><option value="">None</option>\#
    \#(Choice.options("ingredients"))</select>
    {{#id}}<p><label class="check">\#
    <input type="checkbox" name="compute"> Compute the figures from the ingredient again</label>\#
    </p>{{/id}}{{/empty(ingredients)}}
    <fieldset><legend>What is in it, if you know</legend>
    <div class="pair"><p><label for="calories">Energy, kcal</label>\#
    <input type="number" id="calories" name="calories" value="{{calories}}" min="0" step="any"></p>
    <p><label for="protein">Protein, g</label>\#
    <input type="number" id="protein" name="protein" value="{{protein}}" min="0" step="any"></p>
    <p><label for="carbohydrates">Carbs, g</label>\#
    <input type="number" id="carbohydrates" name="carbohydrates" value="{{carbohydrates}}" \#
    min="0" step="any"></p>
    <p><label for="fat">Fat, g</label>\#
    <input type="number" id="fat" name="fat" value="{{fat}}" min="0" step="any"></p></div>
    <p class="hint">Leave empty what you don’t know.{{^empty(ingredients)}} With an ingredient, \#
    Holdfast fills it in.{{/empty(ingredients)}}</p></fieldset>
    <details{{#isOpen}} open{{/isOpen}}><summary>More details (optional)</summary>
    \#(MomentField.html)
    <label for="said">In your words</label>\#
    <textarea id="said" name="said" rows="2" maxlength="2000">{{record.rawDescription}}</textarea>
    \#(RecordingField.html())</details>
    \#(Page.submit(cancel: "{{back}}"))
    {{#id}}<form method="post" action="{{action}}/attach">{{#isOutside}}\#
    <input type="hidden" name="attached" value="1">\#
    <button class="link">Count it in the day’s sums again</button>{{/isOutside}}{{^isOutside}}\#
    <button class="link">Leave it out of the day’s sums</button>{{/isOutside}}</form>
    \#(Page.deletion("Delete this entry", back: "{{back}}")){{/id}}
    """#)
}

extension Form {
  /// The day of the entry, if it is not today.
  fileprivate func otherDay(than today: Day) throws -> Day? {
    try self["day"].map { try Day($0) }.flatMap { $0 == today ? nil : $0 }
  }

  /// The moment of a new entry whose field was not changed: now, or noon of a chosen day.
  fileprivate func openedMoment(now: Date) -> Date {
    guard let opened = self["opened"], !opened.hasPrefix(Day(now: now).description),
      let moment = try? Entry.moment(opened, now: now)
    else { return now }
    return moment.date
  }
}
