import Foundation

/// A binary property list, read as data: an archive's classes are never made.
///
/// The format is that of Apple's `CFBinaryPList.c`: `bplist00`, objects, a table of their offsets,
/// and a trailer of 32 bytes. Foundation's own reader recurses without a limit.
struct BinaryPropertyList {
  /// The root; for an archive, the object that it archives.
  let value: AppValue

  /// The most bytes that are read.
  private static let largest = 16 << 20
  /// The most values, counted as often as the list refers to them.
  private static let mostValues = 200_000
  /// The bytes of texts and data that count as one value.
  private static let bytesPerValue = 64
  private static let deepest = 32

  /// Reads a list. Returns `nil` if the bytes are not one, or exceed a limit.
  init?(_ data: Data) {
    guard data.count <= Self.largest, data.count >= 40, data.starts(with: Array("bplist00".utf8))
    else { return nil }
    var reader = Reader(bytes: [UInt8](data))
    guard reader.readTrailer(), let root = reader.object(reader.top, depth: 0) else { return nil }
    guard case .object(let archive) = root, archive["$archiver"] != nil,
      case .list(let objects)? = archive["$objects"],
      case .object(let top)? = archive["$top"], let first = top["root"] ?? top.values.first
    else {
      value = root
      return
    }
    var unarchiver = Unarchiver(objects: objects)
    guard let value = unarchiver.value(first, depth: 0) else { return nil }
    self.value = value
  }

  /// Replaces the references of an archive by what they name.
  private struct Unarchiver {
    let objects: [AppValue]
    var rest = BinaryPropertyList.mostValues

    mutating func value(_ value: AppValue, depth: Int) -> AppValue? {
      rest -= 1
      guard depth < BinaryPropertyList.deepest, rest > 0 else { return nil }
      guard case .object(let fields) = value else { return value == .text("$null") ? .null : value }
      if fields.count == 1, let index = fields[Reader.reference]?.integer {
        return objects.indices.contains(index) ? self.value(objects[index], depth: depth + 1) : nil
      }
      if case .list(let items)? = fields["NS.objects"] {
        let values = items.compactMap { self.value($0, depth: depth + 1) }
        guard values.count == items.count else { return nil }
        guard case .list(let keys)? = fields["NS.keys"] else { return .list(values) }
        let names = keys.compactMap { self.value($0, depth: depth + 1)?.text }
        guard names.count == values.count else { return nil }
        return .object(Dictionary(zip(names, values), uniquingKeysWith: { $1 }))
      }
      for name in ["NS.time", "NS.string", "NS.uuidbytes", "NS.data", "NS.relative"] {
        if let inner = fields[name] { return self.value(inner, depth: depth + 1) }
      }
      return nil
    }
  }

  private struct Reader {
    /// The name under which a reference of an archive is kept.
    static let reference = "$uid"

    let bytes: [UInt8]
    var rest = BinaryPropertyList.mostValues
    var top = 0
    private var offsetSize = 0
    private var referenceSize = 0
    private var count = 0
    private var table = 0

    init(bytes: [UInt8]) { self.bytes = bytes }

    mutating func readTrailer() -> Bool {
      let trailer = bytes.count - 32
      (offsetSize, referenceSize) = (Int(bytes[trailer + 6]), Int(bytes[trailer + 7]))
      guard let count = number(at: trailer + 8, 8), let top = number(at: trailer + 16, 8),
        let table = number(at: trailer + 24, 8), (1...8).contains(offsetSize),
        (1...8).contains(referenceSize), count > 0, count <= bytes.count, top < count,
        table >= 8, table <= trailer, count * offsetSize <= trailer - table
      else { return false }
      (self.count, self.top, self.table) = (count, top, table)
      return true
    }

    /// Returns an unsigned number in big-endian order; `nil` outside the bytes.
    private func number(at offset: Int, _ size: Int) -> Int? {
      bits(at: offset, size).flatMap { Int(exactly: $0) }
    }

    private func bits(at offset: Int, _ size: Int) -> UInt64? {
      guard offset >= 0, size > 0, size <= 8, offset <= bytes.count - size else { return nil }
      return bytes[offset..<offset + size].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    }

    mutating func object(_ index: Int, depth: Int) -> AppValue? {
      rest -= 1
      guard rest > 0, depth < BinaryPropertyList.deepest, index < count,
        let offset = number(at: table + index * offsetSize, offsetSize), offset < table
      else { return nil }
      let (kind, low) = (bytes[offset] >> 4, Int(bytes[offset] & 15))
      switch kind {
      case 0x0: return [0: .null, 8: .flag(false), 9: .flag(true)][low]
      case 0x1: return integer(at: offset + 1, low)
      case 0x2, 0x3: return real(at: offset + 1, low)
      case 0x8:
        return number(at: offset + 1, low + 1).map {
          .object([Self.reference: .number(Double($0))])
        }
      default: break
      }
      guard let (length, start) = length(low, after: offset + 1) else { return nil }
      // A long text that many objects refer to is read as many times.
      rest -= min(max(length, 0), bytes.count) / BinaryPropertyList.bytesPerValue
      guard rest > 0 else { return nil }
      switch kind {
      case 0x4: return slice(start, length).map { .bytes(Data($0)) }
      case 0x5: return slice(start, length).map { .text(String(decoding: $0, as: UTF8.self)) }
      case 0x6:
        return slice(start, length, of: 2).map { bytes in
          let units = stride(from: bytes.startIndex, to: bytes.endIndex, by: 2).map {
            UInt16(bytes[$0]) << 8 | UInt16(bytes[$0 + 1])
          }
          return .text(String(decoding: units, as: UTF16.self))
        }
      case 0xA, 0xC: return objects(at: start, length, depth: depth).map { .list($0) }
      case 0xD: return dictionary(at: start, length, depth: depth)
      default: return nil
      }
    }

    private func integer(at offset: Int, _ power: Int) -> AppValue? {
      guard let value = bits(at: offset, 1 << power) else { return nil }
      // Only numbers of eight bytes have a sign.
      return .number(power == 3 ? Double(Int64(bitPattern: value)) : Double(value))
    }

    private func real(at offset: Int, _ power: Int) -> AppValue? {
      guard power > 1, let value = bits(at: offset, 1 << power) else { return nil }
      return .number(
        power == 2
          ? Double(Float(bitPattern: UInt32(truncatingIfNeeded: value))) : Double(bitPattern: value)
      )
    }

    /// Returns the length that follows a marker, and where the content begins.
    private func length(_ low: Int, after offset: Int) -> (Int, Int)? {
      guard low == 15 else { return (low, offset) }
      guard offset < bytes.count, bytes[offset] >> 4 == 1, bytes[offset] & 15 <= 3 else {
        return nil
      }
      let size = 1 << Int(bytes[offset] & 15)
      return number(at: offset + 1, size).map { ($0, offset + 1 + size) }
    }

    private func slice(_ start: Int, _ count: Int, of size: Int = 1) -> ArraySlice<UInt8>? {
      guard count <= bytes.count / size, start <= bytes.count - count * size else { return nil }
      return bytes[start..<start + count * size]
    }

    private mutating func objects(at start: Int, _ count: Int, depth: Int) -> [AppValue]? {
      guard slice(start, count, of: referenceSize) != nil, count <= rest else { return nil }
      var values: [AppValue] = []
      for place in 0..<count {
        guard let index = number(at: start + place * referenceSize, referenceSize),
          let value = object(index, depth: depth + 1)
        else { return nil }
        values.append(value)
      }
      return values
    }

    private mutating func dictionary(at start: Int, _ count: Int, depth: Int) -> AppValue? {
      guard let keys = objects(at: start, count, depth: depth),
        let values = objects(at: start + count * referenceSize, count, depth: depth)
      else { return nil }
      let names = keys.compactMap { key in if case .text(let text) = key { text } else { nil } }
      guard names.count == count else { return nil }
      return .object(Dictionary(zip(names, values), uniquingKeysWith: { $1 }))
    }
  }
}
