import Foundation

/// A number with this many decimal places.
func rounded(_ number: Double, _ places: Int) -> Double {
  let power = pow(10, Double(places))
  return (number * power).rounded() / power
}

/// A time as the tables show it.
func shown(seconds: Double) -> String {
  seconds < 1 ? format("%.1f ms", seconds * 1000) : format("%.2f s", seconds)
}

/// Text with numbers formatted by `pattern`, as by the C function `printf`.
func format(_ pattern: String, _ numbers: any CVarArg...) -> String {
  String(format: pattern, arguments: numbers)
}

/// Prints a value as JSON, with its keys in alphabetical order.
func printJSON(_ value: some Encodable) throws {
  let encoder = JSONEncoder()
  encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
  print(String(decoding: try encoder.encode(value), as: UTF8.self))
}
