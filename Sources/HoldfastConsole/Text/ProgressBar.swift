package enum ProgressBar {
  private static let length = 20

  /// - Parameter done: The share that is done, from 0 to 1.
  package static func line(_ done: Double, _ name: String) -> String {
    let done = min(max(done, 0), 1)
    let filled = Int(done * Double(length))
    let bar = String(repeating: "#", count: filled) + String(repeating: "-", count: length - filled)
    let percent = "\(Int(done * 100))"
    return "[\(bar)] " + String(repeating: " ", count: 3 - percent.count) + "\(percent) %  \(name)"
  }
}
