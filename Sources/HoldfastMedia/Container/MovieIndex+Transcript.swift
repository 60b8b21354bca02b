import HoldfastModel

extension MovieIndex {
  /// The most tracks that are searched, and the most transcripts that are compared.
  private static let most = 16
  private static let key = Array("com.apple.VoiceMemos.tsrp".utf8)

  /// Returns the transcript that Apple's Voice Memos stored in the file: the box `tsrp` in a
  /// track's `udta` in an MP4, and the value of a key in a track's `meta` in a QuickTime file.
  ///
  /// Other writers leave odd bytes in these places, so only damage to the transcript itself counts.
  ///
  /// - Returns: The JSON; `nil` without a transcript.
  /// - Throws: `RuleError` if there is one that cannot be read, or several that differ.
  func transcript() throws(RuleError) -> [UInt8]? {
    guard let moov = try? box("moov", in: 0..<Int64.max) else { return nil }
    var found: [Range<Int64>] = []
    for track in children(of: moov).filter({ $0.has("trak") }).prefix(Self.most) {
      for box in children(of: track.content) {
        if box.has("udta") {
          found += try whole(children(of: box.content).filter { $0.has("tsrp") })
        } else if box.has("meta") {
          found += try values(in: box.content)
        }
      }
    }
    guard let first = found.first else { return nil }
    let json = try content(first)
    for other in found.dropFirst() {
      guard found.count <= Self.most, try content(other) == json else {
        throw RuleError("there are several that differ")
      }
    }
    return json
  }

  /// A box in a part of the file that may hold anything.
  private struct Child {
    var type: [UInt8]
    var content: Range<Int64>
    /// Whether it fits into its parent.
    var isWhole: Bool

    func has(_ type: String) -> Bool { self.type.elementsEqual(type.utf8) }
  }

  /// Returns the boxes in a part of the file, up to and including the first that does not fit.
  private func children(of parent: Range<Int64>) -> [Child] {
    var children: [Child] = []
    var place = parent.lowerBound
    while parent.upperBound - place >= 8, children.count < Self.mostBoxes,
      let header = try? bytes(at: place, count: 8)
    {
      var size = Int64(Self.number(header[..<4]))
      var start = place + 8
      if size == 1, let long = try? bytes(at: start, count: 8) {
        size = Int64(clamping: Self.number(long[...]))
        start += 8
      }
      let isWhole = size >= start - place && size <= parent.upperBound - place
      let end = isWhole ? place + size : start
      children.append(Child(type: Array(header[4...]), content: start..<end, isWhole: isWhole))
      guard isWhole else { break }
      place = end
    }
    return children
  }

  /// Returns the values of the transcript's key in a `meta`, which has a version and flags in some
  /// tracks and not in others.
  private func values(in meta: Range<Int64>) throws(RuleError) -> [Range<Int64>] {
    for start in [meta.lowerBound, meta.lowerBound + 4] where start < meta.upperBound {
      let boxes = children(of: start..<meta.upperBound)
      guard let keys = boxes.first(where: { $0.has("keys") }),
        let items = boxes.first(where: { $0.has("ilst") })
      else { continue }
      let numbers = numbers(in: keys.content)
      guard !numbers.isEmpty else { return [] }
      // An item's type is the number of its key.
      let own = children(of: items.content).filter { numbers.contains(Self.number($0.type[...])) }
      var found: [Range<Int64>] = []
      for item in try whole(own) {
        // The value follows its type and its locale.
        found += try whole(children(of: item).filter { $0.has("data") })
          .map { min($0.lowerBound + 8, $0.upperBound)..<$0.upperBound }
      }
      return found
    }
    return []
  }

  /// Returns the numbers, from 1, under which a `keys` has the transcript's key.
  private func numbers(in keys: Range<Int64>) -> Set<UInt64> {
    // A version, flags and the count come before the keys, which have the form of boxes.
    let start = min(keys.lowerBound + 8, keys.upperBound)
    return Set(
      children(of: start..<keys.upperBound).enumerated().filter { _, key in
        key.content.count == Self.key.count
          && (try? bytes(at: key.content.lowerBound, count: Self.key.count)) == Self.key
      }.map { UInt64($0.offset) + 1 })
  }

  private func whole(_ boxes: [Child]) throws(RuleError) -> [Range<Int64>] {
    guard boxes.allSatisfy(\.isWhole) else { throw Self.damage }
    return boxes.map(\.content)
  }

  private func content(_ range: Range<Int64>) throws(RuleError) -> [UInt8] {
    guard range.count <= PhoneTranscript.mostBytes else {
      throw PhoneTranscript.tooLarge(range.count)
    }
    guard let content = try? bytes(at: range.lowerBound, count: range.count) else {
      throw Self.damage
    }
    return content
  }

  private static func number(_ bytes: ArraySlice<UInt8>) -> UInt64 {
    bytes.reduce(0) { $0 << 8 | UInt64($1) }
  }

  private static let damage = RuleError("it is damaged")
}

extension MediaInfo {
  /// Reads the words that a phone stored in an MP4 or a QuickTime file. Call this when everything
  /// else about the file is known.
  mutating func readTranscript(in source: OpenMedia) {
    do {
      guard let json = try MovieIndex(source).transcript() else { return }
      // What is left of a damaged file may end too early.
      let end = isDamaged ? nil : start.flatMap { start in duration.map { start.seconds + $0 } }
      let transcript = try PhoneTranscript(reading: json, end: end)
      if !transcript.runs.isEmpty { self.transcript = transcript }
    } catch {
      noteUnreadTranscript(error)
    }
  }
}
