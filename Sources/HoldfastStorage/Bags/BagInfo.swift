package import Foundation
import HoldfastModel

/// The contents of a bag's `bag-info.txt`.
///
/// - SeeAlso: RFC 8493, section 2.2.2
package struct BagInfo: Hashable, Sendable {
  package var library: UUID
  /// The time when the catalog was copied. The bag has the library as it was then.
  package var moment: Date
  package var software: String
  package var recordings: Int
  /// The number of files in the bag, without its tag files.
  package var files = 0
  package var bytes: Int64 = 0
  /// The number of files that the library lacked, or had with other bytes than its catalog says.
  package var missing = 0

  package init(library: UUID, moment: Date, software: String, recordings: Int) {
    self.library = library
    self.moment = moment
    self.software = software
    self.recordings = recordings
  }

  /// `nil` if the text does not describe one of Holdfast's bags.
  init?(text: String) {
    var fields: [Substring: Substring] = [:]
    for line in text.split(whereSeparator: \.isNewline) {
      guard let colon = line.firstIndex(of: ":") else { continue }
      let value = line[line.index(after: colon)...].drop { $0 == " " || $0 == "\t" }
      fields[line[..<colon]] = value
    }
    let oxum = fields["Payload-Oxum"]?.split(separator: ".") ?? []
    guard let library = fields["Holdfast-Library"].flatMap({ UUID(uuidString: String($0)) }),
      let moment = fields["Holdfast-Moment"].flatMap({ JSONFormat.date(String($0)) }),
      let recordings = fields["Holdfast-Recordings"].flatMap({ Int($0) }), oxum.count == 2,
      let bytes = Int64(oxum[0]), let files = Int(oxum[1]),
      // Sums of these cannot overflow.
      (0...1 << 50).contains(bytes), (0...1 << 40).contains(files),
      (0...1 << 40).contains(recordings)
    else { return nil }
    self.init(
      library: library, moment: moment, software: String(fields["Bag-Software-Agent"] ?? ""),
      recordings: recordings)
    self.bytes = bytes
    self.files = files
    missing = min(max(fields["Holdfast-Missing"].flatMap { Int($0) } ?? 0, 0), files + recordings)
  }

  var text: String {
    let moment = JSONFormat.text(moment)
    return """
      Bag-Software-Agent: \(software)
      Bagging-Date: \(moment.prefix(10))
      Payload-Oxum: \(bytes).\(files)
      Holdfast-Library: \(library.uuidString)
      Holdfast-Moment: \(moment)
      Holdfast-Recordings: \(recordings)
      Holdfast-Missing: \(missing)

      """
  }
}
