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

  package static var columns: [RecordColumn<Self>] {
    [
      .init("CATEGORY", \.category.rawValue),
      .init("PRIORITY", alignment: .right) { "\($0.priority)" },
      .init("SHOWN", alignment: .right) { "\($0.timesShown)" },
      .init("") {
        [$0.isCustom ? "own" : nil, $0.isActive ? nil : "hidden"].compactMap(\.self)
          .joined(separator: ", ")
      },
      .init("MESSAGE", \.content),
    ]
  }
}
