internal import Foundation
internal import HoldfastConsole
internal import HoldfastCravings
internal import HoldfastModel

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
