import ArgumentParser

/// The command that is spelt most like a mistyped one.
struct CommandSuggestion: CustomStringConvertible {
  let description: String

  /// `nil` if the arguments name a command, or a word that is not spelt like one.
  ///
  /// - Parameter arguments: The arguments behind the program's name.
  init?(for arguments: some Sequence<String>, of root: any ParsableCommand.Type) {
    var command = root
    for word in arguments {
      let commands = command.configuration.subcommands
      guard !word.hasPrefix("-"), !commands.isEmpty else { return nil }
      if let next = commands.first(where: { $0.configuration.commandName == word }) {
        command = next
        continue
      }
      let names = commands.compactMap { $0.configuration.commandName }
      let distances = names.map { (name: $0, distance: Self.distance($0, word)) }
      // A short word resembles too many others.
      guard let nearest = distances.min(by: { $0.distance < $1.distance }),
        nearest.distance <= min(2, word.count / 2)
      else { return nil }
      description = nearest.name
      return
    }
    return nil
  }

  /// The number of letters to change, add, leave out or swap with their neighbour to make one word
  /// of another: the optimal string alignment distance.
  static func distance(_ first: String, _ second: String) -> Int {
    let (first, second) = (Array(first), Array(second))
    guard !first.isEmpty, !second.isEmpty else { return max(first.count, second.count) }
    var rows = [Array(0...second.count)]
    for i in 1...first.count {
      var row = [i]
      for j in 1...second.count {
        let change = rows[i - 1][j - 1] + (first[i - 1] == second[j - 1] ? 0 : 1)
        var least = min(change, rows[i - 1][j] + 1, row[j - 1] + 1)
        if i > 1, j > 1, first[i - 1] == second[j - 2], first[i - 2] == second[j - 1] {
          least = min(least, rows[i - 2][j - 2] + 1)
        }
        row.append(least)
      }
      rows.append(row)
    }
    return rows[first.count][second.count]
  }
}
