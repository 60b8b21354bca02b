import HoldfastModel

/// A JPEG as its segments (ITU-T T.81, annex B), so that it can be written without its metadata and
/// with the same picture data.
struct JPEGSegments {
  private enum Code {
    static let (first, end, scan, comment): (UInt8, UInt8, UInt8, UInt8) = (0xD8, 0xD9, 0xDA, 0xFE)
    static let restarts: ClosedRange<UInt8> = 0xD0...0xD7
    static let apps: ClosedRange<UInt8> = 0xE0...0xEF
    /// The segments that name the picture's size. The codes between are tables.
    static let sizes: ClosedRange<UInt8> = 0xC0...0xCF
    static let tables: Set<UInt8> = [0xC4, 0xC8, 0xCC]
  }

  /// The segments beside the picture data that a photo keeps.
  enum Kept: Int {
    case jfif = 0
    case orientation = 1
    case colourProfile = 2
    case colourTransform = 14

    var name: String {
      switch self {
      case .jfif: "JFIF"
      case .orientation: "orientation"
      case .colourProfile: "colour profile"
      case .colourTransform: "colour transform"
      }
    }
  }

  /// The size that the first frame names.
  private(set) var size: PictureSize?
  /// The JPEG without metadata.
  private(set) var stripped: [UInt8] = [0xFF, Code.first]
  /// The kinds of application segments that are in the file exactly as a photo keeps them.
  private(set) var kept: Set<Int> = []

  /// - Throws: `HoldfastError` if the file is not a JPEG, or has no end.
  init(_ bytes: [UInt8]) throws(HoldfastError) {
    guard bytes.starts(with: [0xFF, Code.first]) else { throw Self.damaged }
    var picture: [UInt8] = []
    var apps: [(kind: Kept, bytes: [UInt8])] = []
    var others: Set<Int> = []
    picture.reserveCapacity(bytes.count)
    var index = 2
    while true {
      guard let mark = Self.nextMarker(in: bytes, from: index) else { throw Self.cutOff }
      let code = bytes[mark + 1]
      if code == Code.end { break }
      index = mark + 2
      if code == 0x01 || Code.restarts.contains(code) { continue }
      guard index + 1 < bytes.count else { throw Self.cutOff }
      let length = Int(bytes[index]) << 8 | Int(bytes[index + 1])
      guard length >= 2, index + length <= bytes.count else { throw Self.cutOff }
      let content = bytes[(index + 2)..<(index + length)]
      index += length
      switch code {
      case Code.comment: continue
      case Code.apps:
        let number = Int(code - Code.apps.lowerBound)
        guard let app = Self.kept(content, in: number) else {
          others.insert(number)
          continue
        }
        if !app.bytes.elementsEqual(content) { others.insert(number) }
        // The first scan ends what a reader knows of colours and orientation.
        let isUnique = app.kind == .colourProfile || !apps.contains { $0.kind == app.kind }
        if isUnique, !app.bytes.isEmpty { apps.append(app) }
      case Code.scan:
        index = Self.endOfScan(in: bytes, from: index)
        picture += bytes[mark..<index]
      default:
        if Code.sizes.contains(code), !Code.tables.contains(code), content.count >= 5, size == nil {
          let start = content.startIndex
          size = PictureSize(
            width: Int(content[start + 3]) << 8 | Int(content[start + 4]),
            height: Int(content[start + 1]) << 8 | Int(content[start + 2]))
        }
        picture += bytes[mark..<index]
      }
    }
    stripped.reserveCapacity(picture.count + 1024)
    // JFIF's own segment must come first.
    let ordered = apps.filter { $0.kind == .jfif } + apps.filter { $0.kind != .jfif }
    for (kind, bytes) in ordered {
      let length = bytes.count + 2
      stripped += [0xFF, Code.apps.lowerBound + UInt8(kind.rawValue)]
      stripped += [UInt8(length >> 8), UInt8(length & 0xFF)] + bytes
    }
    stripped += picture + [0xFF, Code.end]
    kept = Set(apps.map(\.kind.rawValue)).subtracting(others)
  }

  private static let damaged = HoldfastError(.damaged, "is not a JPEG, or is damaged")
  private static let cutOff = HoldfastError(
    .damaged, "is cut off or damaged; copy it from the phone again")

  /// Returns where the next marker begins. Bytes before it belong to no segment, and are left out.
  private static func nextMarker(in bytes: [UInt8], from start: Int) -> Int? {
    var index = start
    while index + 1 < bytes.count {
      if bytes[index] == 0xFF, bytes[index + 1] != 0xFF, bytes[index + 1] != 0 { return index }
      index += 1
    }
    return nil
  }

  /// Returns where the coded data of a scan ends: at a marker that is not part of it.
  private static func endOfScan(in bytes: [UInt8], from start: Int) -> Int {
    var index = start
    while index + 1 < bytes.count {
      if bytes[index] == 0xFF {
        let next = bytes[index + 1]
        if next != 0, next != 0xFF, !Code.restarts.contains(next) { return index }
      }
      index += 1
    }
    return bytes.count
  }

  /// Returns an application segment as a photo keeps it; `nil` for one that it does not keep.
  private static func kept(
    _ content: ArraySlice<UInt8>, in number: Int
  ) -> (kind: Kept, bytes: [UInt8])? {
    switch Kept(rawValue: number) {
    case .jfif? where content.count >= 14 && content.starts(with: Array("JFIF\0".utf8)):
      // Without the small picture that it may hold.
      return (.jfif, Array(content.prefix(12)) + [0, 0])
    case .orientation? where content.starts(with: exif):
      let found = Exif.orientation(in: Array(content.dropFirst(exif.count)))
      return (.orientation, found.map { segment(orientation: UInt8($0)) } ?? [])
    case .colourProfile? where content.starts(with: Array("ICC_PROFILE\0".utf8)):
      return (.colourProfile, Array(content))
    case .colourTransform? where content.count >= 12 && content.starts(with: Array("Adobe".utf8)):
      return (.colourTransform, Array(content.prefix(12)))
    default: return nil
    }
  }

  private static let exif = Array("Exif\0\0".utf8)

  /// Returns an Exif segment that holds only the orientation.
  private static func segment(orientation: UInt8) -> [UInt8] {
    exif + Array("MM".utf8) + [
      0, 42, 0, 0, 0, 8, 0, 1, 0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, orientation, 0, 0, 0, 0, 0, 0,
    ]
  }
}
