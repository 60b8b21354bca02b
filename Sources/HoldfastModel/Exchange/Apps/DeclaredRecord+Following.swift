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
    let declaration = Self.declaration
    var app = app
    var kept: Set<String> = ["createdAt"]
    if let moment = declaration.moment, self[keyPath: moment.date] == app[keyPath: moment.date] {
      app[keyPath: moment.offset] = self[keyPath: moment.offset]
      kept.insert("day")
    }
    let (own, said) = (try values(), try app.values())
    var values = own.merging(said) { $1.isEmpty ? $0 : $1 }
    for name in kept where own[name] != nil && said[name] != nil { values[name] = own[name] }
    var followed = app
    // The app may have set a value whose rules exclude one that it no longer has.
    if let mixed = try? Self(values: values), (try? mixed.validate()) != nil { followed = mixed }
    followed = followed.countingAlso(self)
    return declaration.correcting.map { $0(self, followed) } ?? followed
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
  /// Whether the value says nothing: no text and no elements.
  fileprivate var isEmpty: Bool {
    switch self {
    case .text(let text): text.isEmpty
    case .list(let list): list.isEmpty
    default: isNull
    }
  }
}
