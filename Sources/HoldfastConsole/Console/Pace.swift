import HoldfastModel

/// The progress of long work, its speed, and the time that is left.
package struct Pace {
  private let done: Int
  private let total: Int
  private let time: Duration

  package init(done: Int, of total: Int, for time: Duration) {
    self.done = done
    self.total = total
    self.time = time
  }

  /// The progress as one line:
  /// `[#####---------------]  25 %  2500/10000, 86 a second, 1 min 27 s left`.
  package var line: String {
    let share = total > 0 ? Double(done) / Double(total) : 0
    let seconds = time / .seconds(1)
    var text = "\(done)/\(total)"
    // In the first second the speed is that of the first few items, which proves nothing.
    if seconds >= 1, done > 0 {
      let rate = Double(done) / seconds
      let figure = rate < 10 ? rate.oneDecimal : "\(Int(rate.rounded()))"
      text += ", \(figure) a second"
      if done < total {
        text += ", \(Int((Double(total - done) / rate).rounded(.up)).timeInWords) left"
      }
    }
    return ProgressBar.line(share, text)
  }
}
