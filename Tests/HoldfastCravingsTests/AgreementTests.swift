import Foundation
import Holdfast
import HoldfastCravings
import HoldfastTestSupport
import Testing

/// The model and the schema agree about the same values.
@Suite("The model and the schema agree", .temporaryFolder)
struct AgreementTests {
  private static let columns = """
    '2024-05-17 12:00:00.000' AS timestamp, '2024-05-17 12:00:00.000' AS createdAt,
    '2024-05-17 12:00:00.000' AS modifiedAt, 0 AS timestampOffset
    """

  /// The identity of the nth candidate.
  private func id(_ n: Int) -> String { String(format: "00000000-0000-0000-0000-%012d", n) }

  /// The rows that the schema accepts: rows that break a rule are skipped.
  private func taken(
    by table: String, _ columns: String, _ rows: [String]
  ) throws -> Set<Int> {
    let values = rows.enumerated().map { "('\(id($0.offset))', \($0.element))" }
    let answer = try sqlite3(
      openLibrary().catalogPath,
      """
      INSERT OR IGNORE INTO \(table) (id, \(columns), timestamp, createdAt, modifiedAt,
        timestampOffset)
        SELECT *, \(Self.columns) FROM (VALUES \(values.joined(separator: ",\n")));
      SELECT CAST(substr(id, -12) AS INTEGER) FROM \(table) ORDER BY id;
      """)
    return Set(answer.split(separator: "\n").compactMap { Int($0) })
  }

  @Test("On amounts and methods")
  func amounts() throws {
    var numbers = SeededNumbers(seed: 5)
    var candidates: [(UsageMethod, Double)] = []
    for method in UsageMethod.allCases {
      for tenth in -10...1100 { candidates.append((method, Double(tenth) / 10)) }
      for _ in 0..<500 {
        let near = Double(Int.random(in: 0...210, using: &numbers)) / 2
        candidates += [
          (method, near.nextUp), (method, near.nextDown),
          (method, Double.random(in: 0...110, using: &numbers)),
          (method, Double(sign: .plus, exponent: .random(in: -1000...1000), significand: 1.25)),
        ]
      }
    }
    // SQLite's own reading of decimal digits may be off by the last bit.
    let rows = candidates.map { method, amount in
      let scaled = amount.significand * 0x1p52 * (amount < 0 ? -1 : 1)
      return amount == 0
        ? "'\(method.rawValue)', 0.0"
        : "'\(method.rawValue)', ieee754(\(Int64(scaled)), \(amount.exponent - 52))"
    }
    let taken = try taken(by: "usage", "method, amount", rows)
    #expect(taken.count > 60)
    for (n, (method, amount)) in candidates.enumerated() {
      let isGood = (try? usage(method: method, amount: amount).validate()) != nil
      #expect(taken.contains(n) == isGood, "\(method) \(amount)")
    }
  }

  @Test("On intensities")
  func intensities() throws {
    let candidates = Array(-50...50) + [.min, .max, 1 << 32 + 5, 1 << 8 + 5]
    let taken = try taken(by: "craving", "intensity", candidates.map(String.init))
    for (n, value) in candidates.enumerated() {
      #expect(taken.contains(n) == ((try? Intensity(value)) != nil), "\(value)")
    }
  }

  @Test(
    "On locations: the schema accepts what the model stores, and the model reads what it accepts")
  func locations() throws {
    var numbers = SeededNumbers(seed: 7)
    let parts = [
      "0", "1", "9", "90", "91", "180", "-", "+", ".", ".", ",", ",", ",", "e", " ", "x", "nan",
      "Home", "car", "٣", "００", "\u{301}", "\n",
    ]
    var candidates = ["Home", "Work", "Social", "Outside", "Car", "", ","]
    for _ in 0..<6000 {
      let text = (0..<Int.random(in: 1...7, using: &numbers)).compactMap { _ in
        parts.randomElement(using: &numbers)
      }
      candidates.append(text.joined())
    }
    for _ in 0..<2000 {
      let latitude = Double.random(in: -95...95, using: &numbers)
      let longitude = Double.random(in: -185...185, using: &numbers)
      candidates.append("\(latitude),\(longitude)")
      candidates.append(String(format: "%.3f,%.7f", latitude, longitude))
    }
    func rows(_ texts: [String]) -> [String] { texts.map { "5, '\($0)'" } }
    let raw = try taken(by: "craving", "intensity, location", rows(candidates))
    let stored = candidates.map { (try? Location($0))?.text ?? "" }
    let asStored = try taken(by: "craving", "intensity, location", rows(stored))
    for (n, text) in candidates.enumerated() {
      let location = try? Location(text)
      #expect(asStored.contains(n) == (location != nil), "\(text) as \(stored[n])")
      if raw.contains(n) { #expect(location != nil, "\(text)") }
      if let location { #expect(try Location(location.text) == location, "\(text)") }
    }
    #expect(asStored.count > 3000)
  }

  @Test("On the bytes of notes; visible characters are counted by the model alone")
  func notes() throws {
    var numbers = SeededNumbers(seed: 11)
    let scalars = ["x", "é", "\u{301}", "🌋", "\u{200D}", "한", "\u{FE0F}", "\t", "🇩"]
    let candidates = (0..<300).map { n in
      (0..<Int.random(in: n < 150 ? 480...700 : 2500...4500, using: &numbers)).compactMap { _ in
        scalars.randomElement(using: &numbers)
      }.joined()
    }
    let taken = try taken(by: "craving", "intensity, notes", candidates.map { "5, '\($0)'" })
    #expect((1..<300).contains(taken.count))
    for (n, notes) in candidates.enumerated() {
      let isGood = (try? craving(notes: notes).validate()) != nil
      #expect(isGood == (notes.count <= 500 && taken.contains(n)), "\(notes.utf8.count)")
      #expect(taken.contains(n) == (notes.utf8.count <= 8000), "\(notes.utf8.count)")
    }
  }
}
