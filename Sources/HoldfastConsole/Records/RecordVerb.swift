import ArgumentParser

/// The words for a command's action on records.
package struct RecordVerb: Sendable {
  /// What was done, as one word.
  let done: String
  let configuration: CommandConfiguration

  package init(_ name: String, done: String, abstract: String, discussion: String = "") {
    self.done = done
    configuration = CommandConfiguration(
      commandName: name, abstract: abstract, discussion: discussion)
  }

  package static func add(_ abstract: String, _ discussion: String = "") -> RecordVerb {
    RecordVerb("add", done: "added", abstract: abstract, discussion: discussion)
  }

  package static func edit(_ abstract: String, _ discussion: String = "") -> RecordVerb {
    RecordVerb("edit", done: "changed", abstract: abstract, discussion: discussion)
  }

  package static func list(_ abstract: String, _ discussion: String = "") -> RecordVerb {
    RecordVerb("list", done: "", abstract: abstract, discussion: discussion)
  }
}
