internal import HoldfastConsole
internal import HoldfastCravings
internal import HoldfastModel

extension Console {
  /// Prints a message that was made or changed.
  func show(_ message: Message, _ done: String) throws {
    if isJSON { return try json(message) }
    result(
      "\(colored(done, .green))  \(message.id.short)  \(message.category.rawValue): "
        + message.content.escapedForDisplay)
  }
}
