public import Holdfast

extension Journal {
  /// What every library has besides its recordings: cravings, usage and kind messages.
  public static let cravings = Journal(
    "cravings", inEveryLibrary: [Craving.self, Usage.self, Message.self])
}
