import Foundation

/// The rows of an app's store or document, by entity, as the app wrote them.
public struct AppRows: Sendable {
  /// One row, with its values by their names in small letters.
  public struct Fields: Sendable {
    /// The row's number in a store, by which other rows refer to it.
    public var number: Int?
    /// The values that are not null, with their names as the app spells them.
    public var values: [String: (name: String, value: AppValue)] = [:]
    /// The names whose value has a name with an ending, with that name. Core Data ends a name that
    /// SQL reserves with a digit. An app may store an enumeration's word under a name of its own.
    private(set) var endings: [String: String] = [:]

    /// The names in small letters of the values that the store has in files that are not there.
    public private(set) var missing: Set<String> = []

    var id: UUID? { self["id"].uuid }

    /// The value with a name in small letters, also if the app's name has an ending.
    public subscript(_ name: String) -> AppValue {
      (values[name] ?? endings[name].flatMap { values[$0] })?.value ?? .null
    }

    /// Makes a row of a store or an element of a document.
    public init(
      _ values: [String: AppValue], number: Int? = nil, missing: Set<String> = []
    ) {
      (self.number, self.missing) = (number, missing)
      for (name, value) in AppElement.withMilliseconds(values) where !value.isNull {
        let key = name.lowercased()
        // An app without an account may write an empty name.
        if key == "userid", value == .text("") { continue }
        self.values[key] = (name, value)
        guard let ending = Self.endings.first(where: key.hasSuffix) else { continue }
        let stem = String(key.dropLast(ending.count))
        // Of several, the shortest counts.
        if endings[stem].map({ $0.count > key.count }) ?? true { endings[stem] = key }
      }
    }

    private static let endings = ["1", "rawvalue", "raw"]
  }

  /// The rows of each entity, by the entity's ``fold(_:)``.
  public private(set) var entities: [String: [Fields]] = [:]
  /// The entities' names as the app spells them, in the order in which they were found.
  public private(set) var names: [(entity: String, name: String)] = []

  /// The values of a document beside its lists.
  public private(set) var document = AppValue.null

  /// The name of a value that tells that Holdfast wrote a document, and not the app.
  package static let writer = "isFromHoldfast"

  /// Whether Holdfast wrote the document, and not the app.
  package var isFromHoldfast: Bool { document[Self.writer].flag == true }

  /// The entities whose rows were only counted.
  public private(set) var leftOut: [(name: String, count: Int)] = []

  /// Makes an empty set of rows.
  public init() {}

  /// Adds the rows of one entity.
  public mutating func add(_ rows: [Fields], of name: String) {
    let entity = Self.fold(name)
    if entities[entity] == nil { names.append((entity, name)) }
    entities[entity, default: []] += rows
  }

  /// Counts the rows of an entity that is not read.
  public mutating func leaveOut(_ count: Int, of name: String) {
    if count > 0 { leftOut.append((name, count)) }
  }

  /// Adds all rows of a later document.
  public mutating func append(_ other: AppRows) {
    for (entity, name) in other.names { add(other[entity], of: name) }
    leftOut += other.leftOut
    if !other.document.isNull { document = other.document }
  }

  /// Adds the rows of documents, except those whose IDs are there already: the store is newer.
  public mutating func add(_ other: AppRows) {
    for (entity, name) in other.names {
      let ids = Set(self[entity].compactMap(\.id))
      let rows = other[entity]
      let new = rows.filter { row in row.id.map { !ids.contains($0) } ?? true }
      add(new, of: name)
      leaveOut(rows.count - new.count, of: "\(name) that the store has")
    }
    leftOut += other.leftOut
    if document.isNull { document = other.document }
  }

  /// Makes rows of the records in a list inside others, except for those that are there already.
  mutating func unfold(_ nested: AppModel.Nested) {
    guard let parents = entities[nested.parent] else { return }
    let entity = Self.fold(nested.entity)
    var places: [UUID: Int] = [:]
    for (place, row) in self[entity].enumerated() {
      if let id = row.id { places[id] = place }
    }
    var found: [Fields] = []
    for (index, parent) in parents.enumerated() {
      let elements = (parent.values[nested.list]?.value.list ?? []).compactMap(\.object)
      guard !elements.isEmpty else { continue }
      for element in elements {
        var fields = Fields(element)
        if let (name, value) = nested.link, fields.values[name.lowercased()] == nil,
          let own = parent.values[value.lowercased()]?.value
        {
          fields.values[name.lowercased()] = (name, own)
        }
        guard let id = fields.id, let place = places[id] else {
          if let id = fields.id { places[id] = self[entity].count + found.count }
          found.append(fields)
          continue
        }
        // A list of its own may not say to what the record belongs.
        if let name = nested.link?.name.lowercased(), self[entity].indices.contains(place),
          self[entity][place].values[name] == nil
        {
          entities[entity]?[place].values[name] = fields.values[name]
        }
      }
      entities[nested.parent]?[index].values[nested.list] = nil
    }
    if !found.isEmpty { add(found, of: nested.entity) }
  }

  /// Whether a row names a person.
  package func names(user: String) -> Bool {
    entities.values.contains { rows in
      rows.contains { $0["userid"].text?.nonBlank == user }
    }
  }

  /// Leaves out the rows of other people than one. Rows without a name are kept.
  ///
  /// - Returns: How many rows were left out.
  package mutating func keepOnly(user: String) -> Int {
    var count = 0
    for (entity, rows) in entities {
      let kept = rows.filter { row in
        let name = row["userid"].text?.nonBlank
        return name == nil || name == user || row.values["sessionid"] != nil
      }
      count += rows.count - kept.count
      entities[entity] = kept
    }
    return count
  }

  /// Returns how many of the rows of some entities each person has. A session's rows belong to
  /// several people.
  private func counts(of entities: Set<String>) -> [String: Int] {
    var counts: [String: Int] = [:]
    for row in entities.flatMap({ self[$0] }) where row.values["sessionid"] == nil {
      if let user = row["userid"].text?.nonBlank { counts[user, default: 0] += 1 }
    }
    return counts
  }

  /// Gives people the names that the library knows them by. An only person that it does not know
  /// is the one who imports the rows.
  ///
  /// - Returns: The app's names of the person whose library it is.
  mutating func identify(
    _ owner: AppModel.Owner, of entities: Set<String>, _ db: (any RecordDatabase)?
  ) -> [String] {
    let people = counts(of: entities).keys.sorted()
    var names: [String: String] = [:]
    for row in owner.entities.flatMap({ self[$0] }) {
      guard let db, let person = row["userid"].text?.nonBlank, names[person] == nil,
        let id = row.id
      else { continue }
      // A journal that is not enabled knows no one.
      names[person] = (try? owner.known(db, id, person)) ?? nil
    }
    if people.count == 1, let person = people.first, names[person] == nil {
      names[person] = owner.name
    }
    for entity in entities {
      for index in self[entity].indices {
        if let name = self[entity][index]["userid"].text?.nonBlank.flatMap({ names[$0] }) {
          self.entities[entity]?[index].values["userid"] = ("userId", .text(name))
        }
      }
    }
    if case .object(var values) = document,
      let name = values["userId"]?.text?.nonBlank.flatMap({ names[$0] })
    {
      values["userId"] = .text(name)
      document = .object(values)
    }
    return people.filter { names[$0] == owner.name }
  }

  /// Returns a sentence if the rows of some entities belong to several people.
  func people(of entities: Set<String>) -> String? {
    let counts = counts(of: entities)
    guard counts.count > 1 else { return nil }
    let people = counts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
    let words = people.prefix(5).map { "\($0.value) of \($0.key.cut(to: 60).escapedForDisplay)" }
    let rest = people.count > 5 ? ", and others" : ""
    return "records of \(people.count) people: \(words.joined(separator: ", "))\(rest)"
  }

  /// Returns the rows of an entity.
  public subscript(_ entity: String) -> [Fields] { entities[entity] ?? [] }

  /// Returns an entity's name in small letters, in the singular and without "Model": a store's
  /// `CravingModel` and a document's `cravings` are both `craving`.
  public static func fold(_ name: String) -> String {
    var name = name.lowercased().filter { $0.isLetter || $0.isNumber }
    for end in ["models", "model"] where name.hasSuffix(end) && name.count > end.count {
      name.removeLast(end.count)
    }
    if name.hasSuffix("ies") { return name.dropLast(3) + "y" }
    return name.hasSuffix("s") && !name.hasSuffix("ss") && name.count > 3
      ? String(name.dropLast()) : name
  }
}

extension AppRows {
  /// Reads a document: a list of one kind, or an object with lists.
  ///
  /// - Parameters:
  ///   - document: The document.
  ///   - models: The models of the apps. Their marks tell of what kind a list's elements are.
  /// - Returns: `nil` if the document has no list of an app.
  public init?(_ document: AppValue, _ models: [AppModel]) {
    self.init()
    switch document {
    case .list(let list):
      guard let name = Self.entity(of: list, models) else { return nil }
      add(Self.rows(list), of: name)
    case .object(let lists):
      for (name, value) in lists.sorted(by: { $0.key < $1.key }) {
        let isKnown = models.contains { $0.entities.contains(Self.fold(name)) }
        guard case .list(let list) = value else {
          if isKnown, value.object != nil {
            add(Self.rows([value]), of: name)
          } else if isKnown, !value.isNull {
            leaveOut(1, of: name)
          }
          continue
        }
        if let entity = isKnown ? name : Self.entity(of: list, models) {
          add(Self.rows(list), of: entity)
        } else {
          leaveOut(list.count, of: name)
        }
      }
      guard !names.isEmpty else { return nil }
      self.document = .object(lists.filter { $0.value.list == nil })
    default: return nil
    }
  }

  private static func rows(_ list: [AppValue]) -> [Fields] {
    list.map { value in if case .object(let values) = value { Fields(values) } else { Fields([:]) }
    }
  }

  /// Returns the entity whose marks the first elements have: that with most marks, among equals the
  /// first.
  private static func entity(of list: [AppValue], _ models: [AppModel]) -> String? {
    for case .object(let values) in list.prefix(100) {
      let names = Set(values.keys.map { $0.lowercased() })
      let fitting = models.flatMap(\.marks).filter { names.isSuperset(of: $0.names) }
      let most = fitting.map(\.names.count).max()
      if let mark = fitting.first(where: { $0.names.count == most }) { return mark.entity }
    }
    return nil
  }
}
