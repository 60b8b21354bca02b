internal import Foundation
internal import HoldfastConsole
internal import HoldfastModel

/// A craving as JSON: its columns under their names in the catalog, and the category of its
/// intensity.
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

extension IntensityCategory {
  /// The colour of the category on a terminal.
  var color: Console.Color {
    switch self {
    case .mild: .green
    case .moderate: .yellow
    case .strong: .orange
    case .overwhelming: .red
    }
  }
}

extension Craving {
  /// The craving's details, one on each line.
  var details: [(name: String, value: String)] {
    [
      ("id", id.uuidString), ("when", localText),
      ("intensity", intensity.words),
    ] + contextDetails
  }
}

extension Console {
  /// Prints a craving that was made or changed.
  func show(_ craving: Craving, _ done: String) throws {
    if isJSON { return try json(CravingOutput(craving)) }
    let intensity = colored(craving.intensity.words, craving.intensity.category.color)
    result(
      "\(colored(done, .green))  \(craving.id.short)  \(craving.line(intensity: intensity))")
  }
}
