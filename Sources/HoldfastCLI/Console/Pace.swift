/// How far a long piece of work is, how fast it goes, and how long it will take.
struct Pace {
  private let done: Int
  private let total: Int
  private let time: Duration

  /// - Parameters:
  ///   - done: How many are done.
  ///   - total: How many there are.
  ///   - time: How long that took.
  init(done: Int, of total: Int, for time: Duration) {
    self.done = done
    self.total = total
    self.time = time
  }

  /// One line: `[#####---------------]  25 %  2500/10000, 86 a second, 1 min 27 s left`.
  var line: String {
    let share = total > 0 ? Double(done) / Double(total) : 0
    let seconds = time / .seconds(1)
    var text = "\(done)/\(total)"
    // Before that the pace is that of the first few, and says nothing.
    if seconds >= 1, done > 0 {
      let rate = Double(done) / seconds
      let figure = rate < 10 ? "\((rate * 10).rounded() / 10)" : "\(Int(rate.rounded()))"
      text += ", \(figure) a second"
      if done < total {
        text += ", \(Self.words(Int((Double(total - done) / rate).rounded(.up)))) left"
      }
    }
    return ProgressBar.line(share, text)
  }

  /// A stretch of time as a person says it.
  private static func words(_ seconds: Int) -> String {
    switch seconds {
    case ..<60: "\(seconds) s"
    case ..<3600: "\(seconds / 60) min \(seconds % 60) s"
    default: "\(seconds / 3600) h \(seconds % 3600 / 60) min"
    }
  }
}
