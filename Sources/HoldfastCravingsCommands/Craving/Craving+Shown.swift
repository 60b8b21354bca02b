import Foundation
package import Holdfast
package import HoldfastConsole
package import HoldfastCravings

extension Craving: ShownRecord {
  package static var journal: Journal? { nil }

  package static var deleteAbstract: String {
    "Delete cravings; the recordings that helped are kept."
  }

  package static var linkAbstract: String { "Link a craving to the recording that helped." }

  package func line(on console: Console) -> String {
    line(intensity: console.colored(intensity.words, intensity.category.color))
  }

  package func details(in library: Library) throws -> [Detail] {
    let helper = try recordingID.flatMap { try library.recording(id: $0) }
    return [("id", id.uuidString), ("when", localText), ("intensity", intensity.words)]
      + contextDetails
      + (helper.map { [("helped by", "\($0.displayTitle) (\($0.id.short))")] } ?? [])
  }

  package var highlight: (detail: String, color: Console.Color)? {
    ("intensity", intensity.category.color)
  }

  package static var columns: [RecordColumn<Self>] {
    [
      .init("WHEN", \.localText),
      .init(.init(heading: "INTENSITY", isColored: true)) { craving, _ in craving.intensity.words },
      .init("HELPED BY", givesWay: true) { $0.recordingID?.short ?? "" },
      .init("TRIGGERS, PLACE", \.context), .init("NOTES") { $0.notes ?? "" },
    ]
  }
}

extension IntensityCategory {
  fileprivate var color: Console.Color {
    switch self {
    case .mild: .green
    case .moderate: .yellow
    case .strong: .orange
    case .overwhelming: .red
    }
  }
}
