package import HoldfastModel
import HoldfastSupport

extension Bag {
  /// Returns the name in a bag for a file of a library.
  ///
  /// It is the file's own name, unless programs that read a bag's list disagree about it: a name
  /// that is not UTF-8, has a percent sign, a backslash or a control character, or ends with a
  /// space. Only files in quarantine can have such names. Their bytes are then written as in
  /// quoted-printable; a name that would be too long becomes its hash.
  ///
  /// A disk that ignores case treats different names as one, and each such disk has its own table
  /// of letters. There, a name that could collide gets the beginning of its hash at its end.
  ///
  /// - Parameter ignoresCase: Whether the bag's disk ignores case. It then refuses some characters,
  ///   too.
  /// - SeeAlso: RFC 8493, section 2.1.3
  package static func name(forFile path: [UInt8], ignoringCase ignoresCase: Bool = false) -> String
  {
    func isPlain(_ byte: UInt8) -> Bool {
      (0x20..<0x7F).contains(byte) && !"%\\=".utf8.contains(byte)
    }
    if !ignoresCase, path.last != 0x20, path.allSatisfy(isPlain) {
      return String(decoding: path, as: UTF8.self)
    }
    return path.split(separator: Layout.slash, omittingEmptySubsequences: false)
      .map { component in
        let name = name(of: Array(component), refusing: ignoresCase ? "\"*:<>?|" : "")
        guard ignoresCase, !isUnlikeOthers(name) else { return name }
        let hash = SHA256.hash(Array(component)).hexadecimal
        let marked = "\(name)~\(hash.prefix(12))"
        return marked.utf8.count <= 255 ? marked : "=" + hash
      }.joined(separator: "/")
  }

  /// Returns the name in a bag for a recording's file that is not at the recording's own path,
  /// where the disk ignores case or the bag is updated. The name is unique, even if two rows name
  /// the same file.
  package static func name(forFile path: [UInt8], insteadOf own: RelativePath) -> String {
    "\(own.string)~\(SHA256.hash(path).hexadecimal.prefix(12))"
  }

  /// Opens a file of a recording, under any of the names that the bag may have for it.
  ///
  /// - Throws: `HoldfastError`: `missing`, `notAFile`, or a system error.
  package func open(
    _ path: RelativePath, insteadOf own: RelativePath, _ hash: SHA256Digest?
  ) throws(HoldfastError) -> OpenFile {
    let bytes = Array(path.string.utf8)
    var names = [Self.name(forFile: bytes)]
    if path != own { names.insert(Self.name(forFile: bytes, insteadOf: own), at: 0) }
    // The plain name comes last: on a disk that ignores case, it may be another file's. The others
    // are unique.
    if let hash { names = names.map { Self.name(forLastGoodCopyOf: $0, hash) } + names }
    for name in names.dropLast() {
      do throws(HoldfastError) { return try open("\(Self.payload)/\(name)") } catch {
        guard error.code == .missing else { throw error }
      }
    }
    return try open("\(Self.payload)/\(names[names.count - 1])")
  }

  /// Returns the name in a bag for the last good copy of a file that an older backup had under
  /// another name. `path` is the one that the file itself would have in the bag.
  package static func name(forLastGoodCopyOf path: String, _ hash: SHA256Digest) -> String {
    "\(path)~\(hash.hexadecimal.prefix(12))"
  }

  private static func name(of component: [UInt8], refusing refused: String) -> String {
    let others: Set<Unicode.Scalar> = Set(
      "\u{7F}\u{85}\u{2028}\u{2029}%\\\(refused)".unicodeScalars)
    if let text = String(validating: component, as: UTF8.self), !text.hasSuffix(" "),
      // So that no two names become the same.
      !text.contains(/=[0-9A-F]{2}/),
      text.unicodeScalars.allSatisfy({ $0.value >= 0x20 && !others.contains($0) })
    {
      return text
    }
    var name = ""
    for (offset, byte) in component.enumerated() {
      let isLastSpace = byte == 0x20 && offset == component.count - 1
      if (0x20..<0x7F).contains(byte), !"%\\=\(refused)".utf8.contains(byte), !isLastSpace {
        name.unicodeScalars.append(Unicode.Scalar(byte))
      } else {
        name += "=" + String(Int(byte) + 0x100, radix: 16, uppercase: true).dropFirst()
      }
    }
    // No filesystem has longer names.
    return name.utf8.count <= 255 ? name : "=" + SHA256.hash(component).hexadecimal
  }

  /// Whether no similar name differs only in case: the name has only small letters of ASCII, or is
  /// one that a library gives.
  private static func isUnlikeOthers(_ name: String) -> Bool {
    if name.wholeMatch(
      of: /(Recordings|Thumbnails|(audio|video)_[0-9A-F-]{36}(_thumb)?\.(m4a|mov|jpg))/) != nil
    {
      return true
    }
    let isLikeOwn =
      name.wholeMatch(
        of: /(recordings|thumbnails|(audio|video)_[0-9a-f-]{36}(_thumb)?\.(m4a|mov|jpg))/) != nil
    // Some of these disks drop a dot at the end.
    return !isLikeOwn && !name.hasSuffix(".")
      && name.utf8.allSatisfy {
        "abcdefghijklmnopqrstuvwxyz0123456789 !#$&'()+,-.;@[]^_`{}".utf8.contains($0)
      }
  }
}
