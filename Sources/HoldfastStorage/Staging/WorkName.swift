internal import Foundation

/// The name of a folder in `.staging` or `.trash`: `<UUID>.<machine>`.
///
/// The computer at work stands in the name, so that the folder cannot be seen, copied or left on the
/// disk without it: no other computer ever takes it for its own. An older Holdfast left it out.
struct WorkName: Hashable, Sendable {
  let id: UUID
  /// The computer; `nil` in what an older Holdfast made.
  let machine: String?

  init(_ id: UUID, machine: String?) {
    self.id = id
    self.machine = machine
  }

  /// `nil` for a name that Holdfast does not give.
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

  var text: String { id.uuidString + (machine.map { ".\($0)" } ?? "") }
}
