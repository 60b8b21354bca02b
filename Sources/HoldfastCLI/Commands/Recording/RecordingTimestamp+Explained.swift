internal import HoldfastModel

extension RecordingTimestamp {
  /// The time in its own time zone, and how it is known.
  var explained: String {
    let source =
      switch source {
      case .quickTime: "says the phone"
      case .container: "says the file"
      case .fileName: "says the file's name"
      case .modificationTime: "when the file was last changed"
      }
    return "\(displayDate) (\(source))"
  }
}
