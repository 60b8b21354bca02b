import ArgumentParser
import Holdfast
import HoldfastConsole
import HoldfastFaith

struct ProfileCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "profile", abstract: "Keep the profile of the journal's owner.",
    subcommands: [
      ProfileSetCommand.self, ProfileShowCommand.self, ProfileDeleteCommand.self,
    ])
}

struct ProfileSetCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "set", abstract: "Make the profile, or change it; only what you name changes.",
    discussion:
      "An empty --email or --image removes it, and so does an empty value of a preference.")

  @Argument(help: "Its id, which may be left out: there is only one profile.")
  var id: String?

  @Option(parsing: .unconditional, help: "The name.")
  var name: String?

  @Option(
    unconditional: "The e-mail address. It is in no list, and nothing is ever sent.",
    valueName: "address")
  var email: String?

  @Option(
    unconditional: "A picture's path in a folder of yours. It is kept as text.", valueName: "path")
  var image: String?

  @Option(
    name: .customLong("preference"), parsing: .unconditionalSingleValue,
    help: ArgumentHelp(
      "A preference of any name; may be given more than once.", valueName: "name=value"),
    transform: { try Preference($0) })
  var preferences: [Preference] = []

  @OptionGroup var common: CommonOptions

  /// A preference that a person gave.
  struct Preference {
    var key: String
    var value: String?

    init(_ text: String) throws(RuleError) {
      guard let index = text.firstIndex(of: "="), index > text.startIndex else {
        throw RuleError(
          "\"\(text.cut(to: 40).escapedForDisplay)\" is not a preference; write it like theme=dark")
      }
      key = String(text[..<index])
      let value = String(text[text.index(after: index)...])
      self.value = value.isEmpty ? nil : value
    }
  }

  private var changes: [Change<UserProfile>?] {
    [.set(\.name, name), .text(\.email, email), .text(\.profileImageURL, image)]
      + preferences.map { preference in
        .set(preference) { $0[preference: $1.key] = $1.value }
      }
  }

  func validate() throws {
    if changes.allSatisfy({ $0 == nil }) {
      throw ValidationError("Name what to set: --name, --email, --image or --preference.")
    }
  }

  func run() throws {
    let library = try common.openLibrary(for: .writing, UserProfile.self)
    if let id { _ = try UserProfile.named(id, in: library) }
    try common.console.show(library.faith.setProfile { try changes.apply(to: &$0) }, "set")
  }
}

struct ProfileShowCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "show", abstract: "Show the profile.")

  @OptionGroup var common: CommonOptions

  func run() throws {
    let library = try common.openLibrary(for: .reading, UserProfile.self)
    guard let profile = try library.faith.profile() else {
      return common.console.note("No profile is set; holdfast faith profile set makes one.")
    }
    try common.console.showAll(profile, in: library)
  }
}

struct ProfileDeleteCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "delete",
    abstract: "Delete the profile with its preferences; entries, prayers and moods stay.")

  @Flag(help: "Do not ask.")
  var yes = false

  @OptionGroup var common: CommonOptions

  func run() throws {
    let library = try common.openLibrary(for: .reading, UserProfile.self)
    guard let profile = try library.faith.profile() else {
      return common.console.note("No profile is set.")
    }
    try common.delete([profile], asking: !yes)
  }
}

extension UserProfile: FaithRecord {
  package var line: String { name }

  package var facts: [(name: String, value: String?)] {
    [("name", name), ("e-mail", email), ("image", profileImageURL)]
      + preferences.enumerated().map { index, preference in
        (index == 0 ? "preferences" : "", "\(preference.key)=\(preference.value)")
      }
  }
}
