package import Foundation

extension Double {
  /// The number with at most one decimal, for a person to read: `120`, `185.3`.
  ///
  /// It is rounded up, so that a refused value never reads like an allowed one: 120.14 is `120.2`.
  package var tenthsRoundedUp: String {
    let tenths = (self * 10 - 1e-6).rounded(.up)
    guard abs(tenths) < 1e15 else { return description }
    let whole = Int64(tenths)
    return whole % 10 == 0 ? "\(whole / 10)" : "\(whole / 10).\(abs(whole % 10))"
  }

  /// The number with at most three decimals, rounded down, so that it never claims more than there
  /// is.
  package var thousandths: String {
    let thousandths = (self * 1000 + 1e-6).rounded(.down)
    guard abs(thousandths) < 1e15 else { return description }
    let (whole, rest) = Int64(thousandths).quotientAndRemainder(dividingBy: 1000)
    guard rest != 0 else { return "\(whole)" }
    var decimals = String(String(abs(rest) + 1000).dropFirst())
    while decimals.last == "0" { decimals.removeLast() }
    return "\(whole).\(decimals)"
  }

  /// The number rounded to at most three decimals: `8.467`.
  package var nearestThousandth: String { ((self * 1000).rounded() / 1000).thousandths }

  /// The number rounded to exactly one decimal, for averages and rates: `6.0`, `7.3`.
  package var oneDecimal: String { String(format: "%.1f", self) }

  /// The number rounded to at most two decimals: `1.0`, `29.97`.
  package var hundredths: String { "\((self * 100).rounded() / 100)" }
}

extension Int {
  /// The number with its noun: `1 recording`, `2 recordings`.
  package func counted(_ one: String, _ many: String? = nil) -> String {
    "\(self) \(noun(one, many))"
  }

  /// The noun for this number of things.
  package func noun(_ one: String, _ many: String? = nil) -> String {
    self == 1 ? one : many ?? one + "s"
  }
}

extension Int64 {
  /// The number of bytes in whole megabytes, rounded to the nearest: `691 MB`.
  package var megabytes: String {
    let (whole, rest) = Swift.max(self, 0).quotientAndRemainder(dividingBy: 1_000_000)
    return "\(whole + (rest < 500_000 ? 0 : 1)) MB"
  }
}

extension UUID {
  /// The first eight characters, which people type to name a recording or an entry.
  package var short: String { String(uuidString.prefix(8)) }
}
