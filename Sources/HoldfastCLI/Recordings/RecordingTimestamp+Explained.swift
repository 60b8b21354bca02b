import HoldfastModel

extension RecordingTimestamp {
  /// The time in its own time zone, and how it is known.
  var explained: String {
    let source =
      switch source {
      case .quickTime: "from the phone"
      case .container: "from the file"
      case .fileName: "from the file's name"
      case .modificationTime: "from the file's last change, else from the import"
      }
    return "\(displayDate) (\(source))"
  }
}
