import Foundation

/// The name of a folder in `.staging` or `.trash`: `<UUID>.<machine>`.
///
/// The computer at work is part of the name, so that the folder can never be seen, copied or left
/// on the disk without it. So no other computer takes the folder for its own. An older Holdfast
/// left the computer out.
struct WorkName: Hashable, Sendable {
  let id: UUID
  /// The computer, or `nil` for a folder that an older Holdfast made.
  let machine: String?

  var text: String { id.uuidString + (machine.map { ".\($0)" } ?? "") }
}

extension WorkName {
  /// Returns `nil` for a name that Holdfast does not give.
  init?(_ entry: DirectoryEntry) {
    guard entry.kind == .directory, let text = entry.text else { return nil }
    let parts = text.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
    guard let first = parts.first, let id = UUID(uuidString: String(first)), id.uuidString == first
    else { return nil }
    self.id = id
    machine = parts.count > 1 ? String(parts[1]) : nil
    guard let machine else { return }
    let isTag =
      machine.utf8.count == Machine.tagLength
      && machine.utf8.allSatisfy { "0123456789abcdef".utf8.contains($0) }
    guard isTag else { return nil }
  }
}
