internal import Foundation
internal import HoldfastModel

/// A craving as JSON, under the names that its columns have in the catalog, with its category.
struct CravingOutput: Encodable {
  var craving: Craving

  init(_ craving: Craving) { self.craving = craving }

  private enum ExtraKeys: String, CodingKey { case intensityCategory }

  func encode(to encoder: any Encoder) throws {
    try craving.encode(to: encoder)
    var container = encoder.container(keyedBy: ExtraKeys.self)
    try container.encode(craving.intensity.category, forKey: .intensityCategory)
  }
}

extension Craving {
  /// What a person reads of it in a line.
  var line: String {
    ["intensity \(intensity.value), \(intensity.category.label)", context.nonBlank]
      .compactMap { $0 }.joined(separator: "; ")
  }

  /// What is known of it, a line each.
  var details: [(name: String, value: String)] {
    [
      ("id", id.uuidString), ("when", timestamp.localText),
      ("intensity", "\(intensity.value), \(intensity.category.label)"),
    ] + contextDetails
  }
}

extension Console {
  /// Prints a craving that was made or changed.
  func show(_ craving: Craving, _ done: String) throws {
    if isJSON { return try json(CravingOutput(craving)) }
    result("\(colored(done, .green))  \(craving.id.short)  \(craving.line)")
  }
}

extension UUID {
  /// The first eight characters, by which a person names what it identifies.
  var short: String { String(uuidString.prefix(8)) }
}
