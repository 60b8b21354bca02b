import Foundation

extension UUID {
  /// Makes a UUID from names: the same names give the same UUID.
  ///
  /// So two computers that record the same day of a habit make one record of it, and an import adds
  /// nothing the second time. The UUID has version 8 (RFC 9562): two 64-bit hashes of the names.
  package init(named names: String...) {
    // The length of each name tells "a", "bc" from "ab", "c".
    let bytes = names.flatMap { name in Array("\(name.utf8.count):".utf8) + Array(name.utf8) }
    let words = [0xcbf2_9ce4_8422_2325, 0x8422_2325_cbf2_9ce4].map { (start: UInt64) in
      bytes.reduce(start) { hash, byte in
        let product = (hash ^ UInt64(byte)) &* 0x9e37_79b9_7f4a_7c15
        // Each byte affects all bits, because people name a record by its ID's beginning.
        return product ^ product >> 29
      } &* 0xbf58_476d_1ce4_e5b9
    }
    let high = words[0] & 0xffff_ffff_ffff_0fff | 0x8000
    let low = words[1] & 0x3fff_ffff_ffff_ffff | 0x8000_0000_0000_0000
    let digits = [high, low].map { word in
      let text = String(word, radix: 16, uppercase: true)
      return String(repeating: "0", count: 16 - text.count) + text
    }.joined()
    var text = ""
    for (index, digit) in digits.enumerated() {
      if [8, 12, 16, 20].contains(index) { text += "-" }
      text.append(digit)
    }
    // The text is always a valid UUID.
    self = UUID(uuidString: text) ?? UUID()
  }
}
