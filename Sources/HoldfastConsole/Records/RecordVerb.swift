import ArgumentParser

/// The words for a command's action on records.
package struct RecordVerb: Sendable {
  /// What was done, as one word.
  let done: String
  /// The command's name and help.
  let configuration: CommandConfiguration

  /// - Parameters:
  ///   - name: The command's name.
  ///   - done: What was done, as one word.
  ///   - abstract: What the command does, as one sentence.
  ///   - discussion: More about it.
  package init(_ name: String, done: String, _ abstract: String, _ discussion: String = "") {
    self.done = done
    configuration = CommandConfiguration(
      commandName: name, abstract: abstract, discussion: discussion)
  }

  /// `add`.
  package static func add(_ abstract: String, _ discussion: String = "") -> RecordVerb {
    RecordVerb("add", done: "added", abstract, discussion)
  }

  /// `edit`.
  package static func edit(_ abstract: String, _ discussion: String = "") -> RecordVerb {
    RecordVerb("edit", done: "changed", abstract, discussion)
  }

  /// `list`.
  package static func list(_ abstract: String, _ discussion: String = "") -> RecordVerb {
    RecordVerb("list", done: "", abstract, discussion)
  }
}
