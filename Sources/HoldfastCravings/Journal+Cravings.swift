public import Holdfast

extension Journal {
  /// The records of every library besides recordings: cravings, usage and kind messages.
  public static let cravings = Journal(
    "cravings", inEveryLibrary: [Craving.self, Usage.self, Message.self], app: .cravings)
}
