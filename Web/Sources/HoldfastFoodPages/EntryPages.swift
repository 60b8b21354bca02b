internal import Foundation
internal import Holdfast
internal import HoldfastFood
internal import HoldfastWeb
internal import Hummingbird
internal import Mustache

/// Writing down what somebody ate, and changing it.
struct EntryPages: Sendable {
  let host: LibraryHost

  func add(to pages: RouterGroup<WebContext>) {
    pages.get("new") { request, _ in try await form(for: request.fields) }
    pages.post("entries") { request, context in try await log(Form(request, context)) }
    pages.get("entries/:id") { _, context in try await form(editing: context.id("id")) }
    pages.post("entries/:id") { request, context in
      try await edit(context.id("id"), Form(request, context))
    }
    pages.post("entries/:id/delete") { request, context in
      let (id, form) = (try context.id("id"), try await Form(request, context))
      try await host.delete { library in try library.food.delete(id: id) }
      return Page.redirect(to: form.back)
    }
    pages.post("entries/:id/attach") { request, context in
      let (id, form) = (try context.id("id"), try await Form(request, context))
      let isAttached = form["attached"] != nil
      let entry = try await host.write { try $0.food.attach(id: id, isAttached) }
      return Page.redirect(to: "/food/days/\(entry.ownDay)")
    }
  }

  // MARK: The form

  private struct Option: Sendable {
    var id: String
    var name: String
    var isChosen: Bool
  }

  private struct Values: Sendable {
    var action = "/food/entries"
    var id: String?
    var back = "/food"
    var name = ""
    var quantity = "1"
    var unit = "portion"
    var calories = ""
    var protein = ""
    var carbohydrates = ""
    var fat = ""
    var said = ""
    var when: String
    var ingredients: [Option] = []
    var hasIngredients = false
    var recordings: [RecordingChoice] = []
    /// The recording that was made just now.
    var recording: String?
    var isOpen = false
    var isOutside = false

    /// Offers the ingredients that are used most, and the one that is chosen.
    mutating func offer(_ chosen: Ingredient?, in library: Library) throws {
      var all = try library.food.ingredients(limit: 100)
      if let chosen, !all.contains(where: { $0.id == chosen.id }) { all.insert(chosen, at: 0) }
      ingredients = all.map {
        Option(id: $0.id, name: $0.name, isChosen: $0.id == chosen?.id)
      }
      hasIngredients = !all.isEmpty
    }
  }

  private func form(for fields: Form) async throws -> Response {
    let values = try await host.read { library in
      let now = Date()
      var values = Values(when: now.fieldText(offset: now.localOffset))
      if let day = try fields["day"].map({ try Day($0) }), day != Day(now: now) {
        values.when = "\(day)T12:00"
        values.back = "/food/days/\(day)"
        values.isOpen = true
      }
      let ingredient = try fields["ingredient"].flatMap { try library.food.ingredient(id: $0) }
      if let ingredient {
        let serving = ingredient.servingSizeVariations.first
        values.name = ingredient.name
        values.quantity = serving?.amount.fieldText ?? "100"
        values.unit = serving?.unit ?? "g"
      }
      try values.offer(ingredient, in: library)
      let recording = try fields.recording.flatMap { try library.recording(id: $0) }
      values.recording = recording?.id.uuidString
      values.recordings = try RecordingChoice.newest(in: library, choosing: recording?.id)
      return values
    }
    return Page("What was it?", .home, Self.template, values).response
  }

  private func form(editing id: UUID) async throws -> Response {
    let values = try await host.read { library in
      let entry = try library.food.entry(idPrefix: id.uuidString)
      var values = Values(when: entry.timestamp.fieldText(offset: entry.timestampOffset))
      values.action = "/food/entries/\(entry.id)"
      values.id = entry.id.uuidString
      values.back = "/food/days/\(entry.ownDay)"
      values.name = entry.foodName
      values.quantity = entry.quantity.fieldText
      values.unit = entry.unit
      values.calories = entry.calories.fieldText
      values.protein = entry.protein.fieldText
      values.carbohydrates = entry.carbohydrates.fieldText
      values.fat = entry.fat.fieldText
      values.said = entry.rawDescription
      values.isOpen = true
      values.isOutside = entry.day == nil
      let ingredient = try entry.matchedIngredientID.flatMap { try library.food.ingredient(id: $0) }
      try values.offer(ingredient, in: library)
      values.recordings = try RecordingChoice.newest(in: library, choosing: entry.recordingID)
      return values
    }
    return Page("Edit entry", .home, Self.template, values).response
  }

  private static let template = Page.template(
    #"""
    {{#recording}}<p role="status">Your recording is kept. Listen to it, and write down what it was.</p>
    <audio controls preload="none" src="/media/{{.}}" aria-label="What you said"></audio>{{/recording}}
    <form method="post" action="{{action}}" class="form"><input type="hidden" name="back" value="{{back}}">
    <label for="name">What you ate</label><input id="name" name="name" value="{{name}}" maxlength="200" required>
    <div class="pair"><p><label for="quantity">How much</label><input type="number" id="quantity" name="quantity" value="{{quantity}}" min="0" step="any" required></p>
    <p><label for="unit">Of what</label><input id="unit" name="unit" value="{{unit}}" maxlength="40" list="units" required></p></div>
    <datalist id="units"><option>portion</option><option>g</option><option>slice</option><option>cup</option><option>piece</option></datalist>
    {{#hasIngredients}}<label for="ingredient">Ingredient</label><select id="ingredient" name="ingredient"><option value="">None</option>{{#ingredients}}<option value="{{id}}"{{#isChosen}} selected{{/isChosen}}>{{name}}</option>{{/ingredients}}</select>
    {{#id}}<p><label class="check"><input type="checkbox" name="compute"> Compute the figures from the ingredient again</label></p>{{/id}}{{/hasIngredients}}
    <fieldset><legend>What is in it, if you know</legend>
    <div class="pair"><p><label for="calories">Energy, kcal</label><input type="number" id="calories" name="calories" value="{{calories}}" min="0" step="any"></p>
    <p><label for="protein">Protein, g</label><input type="number" id="protein" name="protein" value="{{protein}}" min="0" step="any"></p>
    <p><label for="carbohydrates">Carbohydrates, g</label><input type="number" id="carbohydrates" name="carbohydrates" value="{{carbohydrates}}" min="0" step="any"></p>
    <p><label for="fat">Fat, g</label><input type="number" id="fat" name="fat" value="{{fat}}" min="0" step="any"></p></div>
    <p class="hint">An empty figure is computed from the ingredient. Without one it counts as 0: nothing is guessed.</p></fieldset>
    <details{{#isOpen}} open{{/isOpen}}><summary>More, if you like</summary>
    """# + MomentField.html + #"""
      <label for="said">In your words</label><textarea id="said" name="said" rows="2" maxlength="2000">{{said}}</textarea>
      """# + RecordingChoice.html + #"""
        </details>
        <p class="submit"><button class="button large">{{#id}}Keep changes{{/id}}{{^id}}Keep it{{/id}}</button> <a href="{{back}}">Cancel</a></p></form>
        {{#id}}<form method="post" action="/food/entries/{{id}}/attach">{{#isOutside}}<input type="hidden" name="attached" value="1"><button class="link">Count it in the day’s sums again</button>{{/isOutside}}{{^isOutside}}<button class="link">Leave it out of the day’s sums</button>{{/isOutside}}</form>
        <details class="sure"><summary>Delete this entry</summary><form method="post" action="/food/entries/{{id}}/delete"><input type="hidden" name="back" value="{{back}}"><button class="button danger">Delete it</button></form></details>{{/id}}
        """#)

  // MARK: Changes

  private func log(_ form: Form) async throws -> Response {
    let entry = try await host.write { library in
      let now = Date()
      let moment = try form.moment(now: now)
      var entry = FoodEntry(
        timestamp: moment?.date ?? form.openedMoment(now: now), timestampOffset: moment?.offset,
        foodName: "", quantity: 1, unit: "", nutrition: Nutrition(), createdAt: now)
      try form.fill(&entry, isComputed: false, in: library)
      try library.food.log(entry, now: now)
      return entry
    }
    let day = entry.ownDay
    let path = day == Day() ? "/food" : "/food/days/\(day)"
    return Page.redirect(to: "\(path)?logged=\(entry.id)")
  }

  private func edit(_ id: UUID, _ form: Form) async throws -> Response {
    let entry = try await host.write { library in
      let before = try library.food.entry(idPrefix: id.uuidString)
      // Reading is done before the transaction.
      var given = before
      try form.fill(&given, isComputed: form["compute"] != nil, in: library)
      let moment = try form.moment(now: Date(), offset: before.timestampOffset)
      return try library.food.edit(id: id) { [given] entry in
        entry.foodName = given.foodName
        (entry.quantity, entry.unit) = (given.quantity, given.unit)
        entry.nutrition = given.nutrition
        entry.matchedIngredientID = given.matchedIngredientID
        entry.rawDescription = given.rawDescription
        entry.recordingID = given.recordingID
        if let moment {
          (entry.timestamp, entry.timestampOffset) = (
            moment.date.roundedToMillisecond, moment.offset
          )
        }
      }
    }
    return Page.redirect(to: "/food/days/\(entry.ownDay)")
  }
}

extension Form {
  /// The moment of a new entry whose field was not changed: now, or noon of a day that was chosen.
  fileprivate func openedMoment(now: Date) -> Date {
    guard let opened = self["opened"], !opened.hasPrefix(Day(now: now).description),
      let moment = try? Entry.moment(opened, now: now)
    else { return now }
    return moment.date
  }

  /// Takes over what the form says, but for the moment.
  ///
  /// - Throws: `RuleError` for what is no number, and when an ingredient says nothing about the unit;
  ///   and `LibraryError`.
  fileprivate func fill(
    _ entry: inout FoodEntry, isComputed: Bool, in library: Library
  ) throws {
    let ingredient = try self["ingredient"].flatMap { try library.food.ingredient(id: $0) }
    entry.foodName = self["name"] ?? ""
    entry.quantity = try number("quantity", "the amount") ?? 1
    entry.unit = self["unit"] ?? ""
    entry.matchedIngredientID = ingredient?.id
    entry.rawDescription = self["said"] ?? ""
    entry.recordingID = recording
    guard isComputed || !hasAllFigures, let ingredient else {
      entry.nutrition = try nutrition(else: Nutrition())
      return
    }
    let computed = try ingredient.nutrition(of: entry.quantity, entry.unit)
    entry.nutrition = isComputed ? computed : try nutrition(else: computed)
  }
}
