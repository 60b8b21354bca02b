package import ArgumentParser
package import HoldfastModel

extension Option {
  /// An option whose value may begin with a hyphen.
  package init<Argument: ExpressibleByArgument>(
    unconditional help: String, valueName: String
  ) where Value == Argument? {
    self.init(parsing: .unconditional, help: ArgumentHelp(help, valueName: valueName))
  }

  /// An option for a day.
  package init(day help: String) where Value == Day? {
    self.init(help: ArgumentHelp(help, valueName: "date"), transform: { try Day($0) })
  }

  /// An option for a word of a vocabulary.
  package init<Word: Vocabulary>(
    word help: String, valueName: String, completion: CompletionKind? = nil
  ) where Value == Word? {
    self.init(
      help: ArgumentHelp(help, valueName: valueName), completion: completion,
      transform: { try Word(named: $0) })
  }
}
