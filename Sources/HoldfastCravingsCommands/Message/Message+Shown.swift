package import Holdfast
package import HoldfastConsole
package import HoldfastCravings

extension Message: ShownRecord {
  package static var journal: Journal? { nil }
  package static var deleteAbstract: String { "Delete messages of your own." }
  package static var deleteDiscussion: String {
    "The messages that came with the library can be hidden, not deleted."
  }

  package func delete(from library: Library) throws { try library.deleteMessage(id: id) }

  package var line: String { content }

  package func line(on console: Console) -> String {
    "\(category.rawValue): \(content.escapedForDisplay)"
  }

  package static var columns: [TextTable.Column] {
    [
      .init(heading: "CATEGORY"), .init(heading: "PRIORITY", alignment: .right),
      .init(heading: "SHOWN", alignment: .right), .init(heading: ""), .init(heading: "MESSAGE"),
    ]
  }

  package func cells(in library: Library) -> [String] {
    let state = [isCustom ? "own" : nil, isActive ? nil : "hidden"].compactMap(\.self)
    return [
      category.rawValue, "\(priority)", "\(timesShown)", state.joined(separator: ", "), content,
    ]
  }
}
