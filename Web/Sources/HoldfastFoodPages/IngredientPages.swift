import Foundation
import Holdfast
import HoldfastFood
import HoldfastWeb
import Hummingbird

/// Pages of foods with their nutrition, from which entries are computed.
struct IngredientPages: Sendable {
  let host: LibraryHost

  func add(to pages: RouterGroup<WebContext>) {
    pages.get("ingredients") { request, _ in try await search(request.fields["q"]) }
    pages.form("ingredients", host: host) { library, form in
      let name = try form.addIngredient(to: library)
      return "/food/ingredients?q=\(name.addingPercentEncoding)"
    }
    pages.get("ingredients/:id") { _, context in
      try await edit(context.parameters.require("id"))
    }
    pages.post("ingredients/:id") { request, context in
      let (id, form) = (try context.parameters.require("id"), try await Form(request, context))
      let name = try await host.write { library in
        try library.food.editIngredient(id: id) { try form.fill(&$0) }.name
      }
      return Page.redirect(to: "/food/ingredients?q=\(name.addingPercentEncoding)")
    }
    pages.post("ingredients/:id/delete") { _, context in
      let id = try context.parameters.require("id")
      try await host.delete { library in try library.delete(Ingredient.self, id: id) }
      return Page.redirect(to: "/food/ingredients")
    }
  }

  private static let most = 50

  private struct Item: Sendable {
    var id: String
    var name: String
    var aliases: String?
    var category: String
    var figures: String?
    var servings: String?
    var basis: String
    var isVerified: Bool
  }

  private struct Values: Sendable {
    var search: String
    var items: [Item]
    var isSearched: Bool
    var isMore: Bool
    var fields = IngredientFields(nil)
  }

  private func search(_ term: String?) async throws -> Response {
    try await Page.response("Ingredients", tab: .home, template: Self.template, from: host) {
      library in
      let found = try library.food.ingredients(containing: term ?? "", limit: Self.most + 1)
      return Values(
        search: term ?? "",
        items: found.prefix(Self.most).map { ingredient in
          let measure = ingredient.isMeasuredByVolume ? "ml" : "g"
          return Item(
            id: ingredient.id, name: ingredient.name,
            aliases: ingredient.aliases.joined(separator: ", ").nonBlank,
            category: ingredient.category.rawValue.capitalized, figures: ingredient.nutrition.text,
            servings: ingredient.servingSizeVariations.map {
              "\($0.amount.foodText) \($0.unit): \($0.gramsEquivalent.foodText) \(measure)"
            }.joined(separator: ", ").nonBlank,
            basis: "100 \(measure)",
            isVerified: ingredient.isVerified)
        }, isSearched: term != nil, isMore: found.count > Self.most)
    }
  }

  private static let deletion = Page.deletion(
    of: "/food/ingredients/{{id}}", #"Delete<span class="hidden"> {{name}}</span>"#)

  private static let template = Page.template(
    #"""
    <form method="get" action="/food/ingredients" class="filters" role="search">
    <label class="hidden" for="q">Search</label>\#
    <input type="search" id="q" name="q" value="{{search}}" placeholder="Search names">
    <button class="button quiet">Search</button></form>
    {{^items}}{{#isSearched}}<p role="status">Nothing is called that. \#
    <a href="/food/ingredients">Show all</a></p>{{/isSearched}}
    {{^isSearched}}<p>No ingredients yet. From an ingredient, Holdfast computes the \#
    figures of what you eat.</p>{{/isSearched}}{{/items}}
    <ul class="entries">{{#items}}<li><p><strong>{{name}}</strong> \#
    <span class="detail">{{category}}{{#aliases}} · {{.}}{{/aliases}}{{#isVerified}} · \#
    <span class="mild">✓ checked</span>{{/isVerified}}</span>
    <span class="detail">{{#figures}}{{basis}}: {{.}}{{/figures}}\#
    {{#servings}} · {{.}}{{/servings}}</span></p>
    <div class="inline"><a class="button quiet" href="/food/new?ingredient={{id}}">Write it down\#
    <span class="hidden"> {{name}}</span></a>
    <a class="play" href="/food/ingredients/{{id}}">Edit<span class="hidden"> {{name}}</span></a>
    \#(deletion)</div></li>{{/items}}</ul>
    {{#isMore}}<p>There are more. Search for a part of the name.</p>{{/isMore}}
    <details{{^items}} open{{/items}}><summary>Add an ingredient</summary>
    <form method="post" action="/food/ingredients" class="form">
    """# + IngredientFields.html + #"""
      <p class="submit"><button class="button">Add</button></p></form></details>
      """#)

  // MARK: One ingredient

  private struct Edited: Sendable {
    var id: String
    var fields: IngredientFields
  }

  private func edit(_ id: String) async throws -> Response {
    try await Page.response("Edit ingredient", tab: .home, template: Self.editor, from: host) {
      library in
      guard let ingredient = try library.record(Ingredient.self, id: id) else {
        throw WebProblem.notFound
      }
      return Edited(id: id, fields: IngredientFields(ingredient))
    }
  }

  private static let editor = Page.template(
    #"""
    <form method="post" action="/food/ingredients/{{id}}" class="form">
    """# + IngredientFields.html + #"""
      <p class="hint">What you logged before keeps its figures.</p>
      <p class="submit"><button class="button">Keep changes</button> \#
      <a href="/food/ingredients">Cancel</a></p></form>
      """#)
}

extension Form {
  fileprivate func addIngredient(to library: Library) throws -> String {
    let name = (self["name"] ?? "").trimmingCharacters(in: .whitespacesAndNewlines)
    var ingredient = Ingredient(
      id: try Self.freeID(for: name, in: library), name: name, nutrition: Nutrition(),
      commonServingSize: 100, commonServingUnit: "g",
      category: try IngredientCategory(named: self["category"] ?? ""), source: .custom,
      createdAt: Date())
    try fill(&ingredient)
    try library.food.add(ingredient)
    return name
  }

  /// An unused identity, made from the name.
  private static func freeID(for name: String, in library: Library) throws -> String {
    let plain = name.foldedForSearch.map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "-" }
    let words = String(plain).split(separator: "-").joined(separator: "-").prefix(50)
    let base = words.isEmpty ? "ingredient" : String(words)
    var (id, number) = (base, 1)
    while try library.record(Ingredient.self, id: id) != nil {
      number += 1
      id = "\(base)-\(number)"
    }
    return id
  }
}
