internal import HoldfastModel
internal import HoldfastStorage

extension Library {
  /// Returns the same open library, of which each step that writes waits so long while another
  /// command, or another part of this program, is writing.
  ///
  /// A program that makes changes one after the other can so count the time that a change has waited
  /// for its turn.
  ///
  /// - Parameter seconds: The time in seconds. With 0, a step is tried once.
  public func waiting(for seconds: Double) -> Library {
    let patience = LockPatience(seconds: max(seconds, 0), notice: tree.patience.notice)
    return Library(
      access: access, hasRecovered: hasRecovered, warnings: warnings, tree: tree.waiting(patience),
      catalog: catalog, engine: engine)
  }
}
