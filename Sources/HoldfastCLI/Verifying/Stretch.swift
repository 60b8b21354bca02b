import ArgumentParser

/// A length of time as the user writes it: `90s`, `10m`, `12h`, `30d`.
struct Stretch: ExpressibleByArgument, Sendable {
  /// The length in seconds.
  var seconds: Double

  init?(argument: String) {
    let units: [Character: Double] = ["s": 1, "m": 60, "h": 3600, "d": 86400]
    guard let unit = argument.last.flatMap({ units[$0] }),
      let count = Double(argument.dropLast()), count.isFinite, count >= 0
    else { return nil }
    seconds = count * unit
  }
}
