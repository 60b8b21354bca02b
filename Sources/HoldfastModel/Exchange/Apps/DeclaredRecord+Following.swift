import Foundation

extension DeclaredRecord {
  /// Returns this library's version of an app's record that was not edited here, with what the app
  /// has now.
  ///
  /// A value that the app's version lacks is kept: the app's export may say less than its store. So
  /// is the time zone of a moment that is the same, because an app that names none has this
  /// machine's, and so is the time at which the record was made.
  ///
  /// - Throws: `EncodingError` or `DecodingError`.
  package func following(_ app: Self) throws -> Self {
    guard self != app else { return self }
    let followed = try changed(
      to: app, keepingCreation: true, keepingZone: hasSameMoment(as: app))
    return Self.declaration.correcting.map { $0(self, followed) } ?? followed
  }

  /// Returns an app's later version of a record with the values of this one that the app's form
  /// lacks: they were not removed.
  ///
  /// - Parameters:
  ///   - said: The names of the values that the form has.
  ///   - labels: The labels of the words that it has.
  /// - Throws: `EncodingError` or `DecodingError`.
  package func completing(
    _ later: Self, saying said: Set<String>, labels: Set<String>
  ) throws -> Self {
    let fixed = said.union(["id", "createdAt", "modifiedAt", Self.declaration.key])
    let completed = try keeping(in: later) { !fixed.contains($0) }
    return Self.declaration.labelled?.keeping(self, in: completed, except: labels).value
      ?? completed
  }

  /// Returns an app's version of this record with what the app only seems to say otherwise.
  ///
  /// - Parameters:
  ///   - other: The app's version.
  ///   - assumed: The names of the values that the app does not have.
  /// - Throws: `EncodingError` or `DecodingError`.
  package func knowing(_ other: Self, assumed: Set<String>) throws -> Self {
    guard self != other else { return other }
    var other =
      assumed.isEmpty
      ? other : try keeping(in: other, without: assumed, where: assumed.contains)
    let values = try other.values()
    let exact = try AppValue.object(values).withMoments(of: .object(self.values()))
    if case .object(let exact) = exact, exact != values { other = try Self(values: exact) }
    // A document that does not name the time zone of a moment has this machine's.
    guard hasSameMoment(as: other), let offset = Self.declaration.moment?.offset,
      self[keyPath: offset] != other[keyPath: offset]
    else { return other }
    other[keyPath: offset] = self[keyPath: offset]
    return try keeping(in: other) { $0 == "day" }
  }

  /// Returns a later version of a record with some values of this one, unless its rules exclude
  /// them.
  ///
  /// - Parameter absent: The names of the values that are removed if this one does not have them.
  private func keeping(
    in later: Self, without absent: Set<String> = [], where isKept: (String) -> Bool
  ) throws -> Self {
    var values = try later.values()
    let own = try self.values()
    let kept = own.merging(absent.map { ($0, .null) }) { own, _ in own }
      .filter { isKept($0.key) }.sorted { $0.key < $1.key }
    func valid(_ values: [String: AppValue]) -> Self? {
      guard let record = try? Self(values: values), (try? record.validate()) != nil else {
        return nil
      }
      return record
    }
    var completed = later
    if let all = valid(values.merging(kept) { $1 }) {
      completed = all
    } else {
      // One of them may not fit what the later version says.
      for (name, value) in kept {
        var more = values
        more[name] = value
        guard let record = valid(more) else { continue }
        (values, completed) = (more, record)
      }
    }
    return completed
  }

  /// Whether both versions happened at the same moment.
  func hasSameMoment(as other: Self) -> Bool {
    Self.declaration.moment.map { moment in
      self[keyPath: moment.date].isSameMoment(as: other[keyPath: moment.date])
    } ?? false
  }

  /// Whether this version's zone is kept in a merge of versions of the same moment, so that both
  /// libraries keep the same: the one whose day is known, else one other than UTC, which a server
  /// has, else the one further east.
  func hasBetterZone(than other: Self) throws -> Bool {
    guard let offset = Self.declaration.moment?.offset,
      self[keyPath: offset] != other[keyPath: offset]
    else { return false }
    let (day, otherDay) = (try values()["day"], try other.values()["day"])
    guard (day == nil) == (otherDay == nil) else { return day != nil }
    let (zone, otherZone) = (self[keyPath: offset], other[keyPath: offset])
    return zone != 0 && (otherZone == 0 || zone > otherZone)
  }

  /// Returns a later version of a record with the values that only this one has.
  ///
  /// - Parameters:
  ///   - keepsCreation: Whether to keep when this version was made.
  ///   - keepsZone: Whether to keep the time zone of this version, and its day there.
  func changed(
    to later: Self, keepingCreation keepsCreation: Bool, keepingZone keepsZone: Bool
  ) throws -> Self {
    var moved = later
    var kept: Set<String> = keepsCreation ? ["createdAt"] : []
    if keepsZone, let offset = Self.declaration.moment?.offset {
      moved[keyPath: offset] = self[keyPath: offset]
      kept.insert("day")
    }
    let (own, others) = (try values(), try moved.values())
    var values = own.merging(others) {
      $1.isNull || $1 == .text("") || $1 == .list([]) ? $0 : $1
    }
    for name in kept where own[name] != nil && others[name] != nil { values[name] = own[name] }
    var changed = later
    // The later version may have a value whose rules exclude one that it no longer has.
    if let mixed = try? Self(values: values), (try? mixed.validate()) != nil { changed = mixed }
    changed = Self.declaration.labelled?.keeping(self, in: changed).value ?? changed
    return changed.countingAlso(self)
  }

  private func values() throws -> [String: AppValue] {
    let json = try JSONFormat.encoder.encode(self)
    return try JSONDecoder().decode([String: AppValue].self, from: json)
  }

  private init(values: [String: AppValue]) throws {
    let json = try JSONFormat.encoder.encode(values)
    self = try JSONFormat.decoder.decode(Self.self, from: json)
  }
}

extension AppValue {
  /// Returns the value with the moments of another one that it has without their fractions.
  fileprivate func withMoments(of other: AppValue) -> AppValue {
    switch (self, other) {
    case (.text(let text), .text(let exact)):
      let isWhole = text != exact && text.utf8.count == exact.utf8.count && text.hasSuffix(".000Z")
      guard isWhole, let date = JSONFormat.date(text), let known = JSONFormat.date(exact) else {
        return self
      }
      return date.isSameMoment(as: known) ? other : self
    case (.object(let values), .object(let others)):
      return .object(
        values.reduce(into: values) { all, value in
          if let other = others[value.key] { all[value.key] = value.value.withMoments(of: other) }
        })
    case (.list(let items), .list(let others)) where items.count == others.count:
      return .list(zip(items, others).map { $0.withMoments(of: $1) })
    default: return self
    }
  }
}
