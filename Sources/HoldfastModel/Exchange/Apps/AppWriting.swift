import Foundation

/// The writing of records as a document of an app: an object with a list for each model.
///
/// An app reads dates with whole seconds. The milliseconds of an element's dates are kept in
/// `milliseconds`, which an app ignores and ``AppRows`` reads.
public struct AppWriting: Sendable {
  private let records: [RecordKind: [[String: AppValue]]]
  /// The lists of the document, by their names.
  public private(set) var lists: [String: [AppValue]] = [:]

  /// Begins a document.
  ///
  /// - Parameter records: The library's records, as JSON objects with the names of an export.
  public init(_ records: [RecordKind: [[String: AppValue]]]) { self.records = records }

  /// Returns the records of a kind.
  public subscript(_ kind: RecordKind) -> [[String: AppValue]] { records[kind] ?? [] }

  /// Adds a list with an element for each record of a kind.
  ///
  /// - Parameters:
  ///   - kind: The kind.
  ///   - list: The list's name in the app.
  ///   - change: Gives the element the names and values that the app knows. Values that only
  ///     Holdfast has may stay: an app ignores them.
  public mutating func each(
    _ kind: RecordKind, as list: String, _ change: (inout AppElement) -> Void = { _ in }
  ) {
    let elements = self[kind].map { record in
      var element = AppElement(record)
      change(&element)
      return element
    }
    add(elements, as: list)
  }

  /// Adds elements to a list. A list without elements is left out.
  public mutating func add(_ elements: [AppElement], as list: String) {
    guard !elements.isEmpty else { return }
    lists[list, default: []] += elements.map { .object($0.withWholeSeconds) }
  }
}

/// One element of an app's list, with its values by the app's names.
public struct AppElement: Sendable {
  /// The values.
  public var values: [String: AppValue]

  /// The name under which the milliseconds of dates are kept.
  static let milliseconds = "milliseconds"

  /// Makes an element.
  public init(_ values: [String: AppValue]) { self.values = values }

  /// A value by its name; null if there is none.
  public subscript(_ name: String) -> AppValue {
    get { values[name] ?? .null }
    set { values[name] = newValue.isNull ? nil : newValue }
  }

  /// Gives a value the name that the app has for it.
  public mutating func rename(_ name: String, to other: String) {
    self[other] = self[name]
    self[name] = .null
  }

  /// Renames `modifiedAt` to `updatedAt`, which an app has from the beginning.
  public mutating func setUpdated() {
    rename("modifiedAt", to: "updatedAt")
    if self["updatedAt"].isNull { self["updatedAt"] = self["createdAt"] }
  }

  /// Changes a day to the moment when it begins in this machine's time zone, as apps have it.
  public mutating func setMoment(ofDay name: String, to other: String? = nil) {
    let day = self[name].text
    self[name] = .null
    guard let day else { return }
    self[other ?? name] = Self.moment(day, "00:00")
  }

  /// Returns the moment of a time on a day, on the clock of this machine's time zone.
  public static func moment(_ day: String, _ time: String) -> AppValue {
    guard let moment = JSONFormat.date("\(day)T\(time):00Z") else { return .null }
    let offset = moment.addingTimeInterval(Double(-moment.localOffset) * 60).localOffset
    let (hours, minutes) = abs(offset).quotientAndRemainder(dividingBy: 60)
    let digits = [hours, minutes].map { "\($0 < 10 ? "0" : "")\($0)" }.joined(separator: ":")
    return .text("\(day)T\(time):00\(offset < 0 ? "-" : "+")\(digits)")
  }

  /// The values, with the milliseconds of dates apart.
  fileprivate var withWholeSeconds: [String: AppValue] {
    var values = values
    var milliseconds: [String: AppValue] = [:]
    for case (let name, .text(let text)) in values {
      guard text.utf8.count == 24, text.hasSuffix("Z"), JSONFormat.date(text) != nil,
        let rest = Double(text.suffix(4).dropLast())
      else { continue }
      values[name] = .text(text.dropLast(5) + "Z")
      if rest > 0 { milliseconds[name] = .number(rest) }
    }
    if !milliseconds.isEmpty { values[Self.milliseconds] = .object(milliseconds) }
    return values
  }

  /// Returns the values that ``withWholeSeconds`` was made from.
  static func withMilliseconds(_ values: [String: AppValue]) -> [String: AppValue] {
    guard case .object(let milliseconds)? = values[Self.milliseconds] else { return values }
    var values = values
    values[Self.milliseconds] = nil
    for (name, rest) in milliseconds {
      guard let rest = rest.integer, (1...999).contains(rest), case .text(let text)? = values[name],
        text.utf8.count == 20, text.hasSuffix("Z")
      else { continue }
      values[name] = .text("\(text.dropLast()).\(String(1000 + rest).dropFirst())Z")
    }
    return values
  }
}
