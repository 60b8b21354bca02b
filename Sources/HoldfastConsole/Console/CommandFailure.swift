/// Why a command stopped, in one sentence.
package struct CommandFailure: Error, CustomStringConvertible {
  package let description: String

  package init(_ description: String) { self.description = description }

  package static let notConfirmed = CommandFailure("not confirmed; nothing was changed")
}
