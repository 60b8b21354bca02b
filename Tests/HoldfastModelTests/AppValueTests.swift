import Foundation
import HoldfastModel
import Testing

@Suite("Values of an app")
struct AppValueTests {
  @Test(
    "Moments are read in every form that the apps write",
    arguments: [
      (AppValue.text("2025-10-12T22:13:20Z"), 1_760_307_200.0, nil),
      (.text("2025-10-12T22:13:20.125Z"), 1_760_307_200.125, nil),
      (.text("2025-10-12T22:13:20+02:00"), 1_760_300_000, 120),
      (.text("2025-10-12T22:13:20.5+0200"), 1_760_300_000.5, 120),
      (.number(782_000_000), 1_760_307_200, nil), (.number(1_760_307_200), 1_760_307_200, nil),
    ] as [(AppValue, Double, Int?)])
  func moments(value: AppValue, seconds: Double, offset: Int?) throws {
    let moment = try #require(value.moment)
    #expect(moment.date == Date(timeIntervalSince1970: seconds))
    #expect(moment.offset == offset)
  }

  @Test("Other texts and numbers are not moments")
  func noMoments() {
    for value: AppValue in [.text("yesterday"), .text("now"), .number(1e300), .text(""), .null] {
      #expect(value.moment == nil)
    }
  }

  /// A binary property list of lists, each inside the one before.
  private func nested(_ depth: Int) -> Data {
    var bytes = Array("bplist00".utf8)
    var offsets: [Int] = []
    for index in 0..<depth {
      offsets.append(bytes.count)
      let next = index + 1 < depth ? index + 1 : index
      bytes += [0xA1, UInt8(next >> 16), UInt8(next >> 8 & 255), UInt8(next & 255)]
    }
    let table = bytes.count
    for offset in offsets {
      bytes += [UInt8(offset >> 24), UInt8(offset >> 16 & 255), UInt8(offset >> 8 & 255)]
      bytes.append(UInt8(offset & 255))
    }
    bytes += [0, 0, 0, 0, 0, 0, 4, 3]
    for number in [depth, 0, table] {
      bytes += (0..<8).map { UInt8(truncatingIfNeeded: number >> (8 * (7 - $0))) }
    }
    return Data(bytes)
  }

  @Test("A property list that is nested without end, or refers to itself, is refused")
  func nesting() {
    #expect(AppValue.bytes(nested(20)).unpacked == nil, "the innermost list holds itself")
    #expect(AppValue.bytes(nested(100_000)).unpacked == nil)
  }

  @Test("A long text that a property list names many times is refused")
  func repeated() {
    var bytes = Array("bplist00".utf8)
    var offsets = [bytes.count]
    bytes += [0xAF, 0x11, 0x02, 0x58] + Array(repeating: 1, count: 600)
    offsets.append(bytes.count)
    bytes += [0x5F, 0x12, 0, 0x10, 0, 0] + Array(repeating: UInt8(ascii: "a"), count: 1 << 20)
    let table = bytes.count
    for offset in offsets { bytes += (0..<4).map { UInt8(offset >> (8 * (3 - $0)) & 255) } }
    bytes += [0, 0, 0, 0, 0, 0, 4, 1]
    for number in [2, 0, table] {
      bytes += (0..<8).map { UInt8(truncatingIfNeeded: number >> (8 * (7 - $0))) }
    }
    #expect(AppValue.bytes(Data(bytes)).unpacked == nil)
  }

  @Test("A cut or changed property list gives no value, and never more")
  func damaged() throws {
    let list = Data(
      base64Encoded:
        "YnBsaXN0MDCiAQJXQW54aW91c1VCb3JlZAgLEwAAAAAAAAEBAAAAAAAAAAMA"
        + "AAAAAAAAAAAAAAAAAAAZ"
    )
    let whole = try #require(list)
    #expect(AppValue.bytes(whole).list == [.text("Anxious"), .text("Bored")])
    for length in 0..<whole.count { #expect(AppValue.bytes(whole.prefix(length)).list == nil) }
    for place in 8..<whole.count {
      for byte: UInt8 in [0, 1, 0x5F, 0x7F, 0xA0, 0xD1, 0xFF] {
        var changed = whole
        changed[place] = byte
        _ = AppValue.bytes(changed).list
      }
    }
  }

  @Test("Core Data's mark before data is left out, and JSON text is a list too")
  func marks() throws {
    #expect(AppValue.bytes(Data([1]) + Data(#"["a"]"#.utf8)).list == [.text("a")])
    #expect(AppValue.text(#"["a", 2]"#).list == [.text("a"), .number(2)])
    #expect(AppValue.text("[").list == nil)
  }
}
