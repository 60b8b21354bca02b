import Foundation
import Holdfast

/// The most Unicode scalars of each text, and the most items of each list.
enum FaithLimit {
  static let title = 200
  static let content = 100_000
  static let details = 20_000
  static let notes = 5000
  static let reference = 100
  static let verse = 5000
  static let translation = 40
  static let category = 60
  static let user = 100
  static let mood = 40
  static let location = 200
  static let prompt = 2000
  static let message = 2000
  static let photo = 1000
  /// The most photos that a person can add to an entry. A merge may bring more together.
  static let photoCount = 100
  static let tag = 50
  static let email = 254
  static let preferenceKey = 100
  static let preferenceValue = 1000
  /// The most bytes of a drawing: 5 MiB.
  static let drawing = 5 << 20
  static let participants = 100_000
  static let verseCount = 1000
  /// The most readings of a plan: about ten years.
  static let readingCount = 3660
  static let tagCount = 50
}

extension String {
  /// Refuses a text that has more Unicode scalars than `limit`, is blank, or has a NUL. Its name in
  /// an error is `noun`, such as "the title".
  func validateName(_ noun: String, limit: Int) throws(RuleError) {
    guard nonBlank != nil else { throw RuleError("\(noun) is blank; give it some words") }
    try validate("\(noun) has", limit: limit)
  }

  /// Refuses a text that is too long, blank, has a NUL, or has white space at an end.
  func validateTrimmedName(_ noun: String, limit: Int) throws(RuleError) {
    try validateName(noun, limit: limit)
    guard self == trimmed else {
      throw RuleError("\(noun) has white space at an end; remove it")
    }
  }

  /// The text without white space at its ends.
  var trimmed: String {
    let scalars = unicodeScalars
    guard let first = scalars.firstIndex(where: { !$0.properties.isWhitespace }),
      let last = scalars.lastIndex(where: { !$0.properties.isWhitespace })
    else { return "" }
    return String(scalars[first...last])
  }
}

enum Tags {
  /// Returns the tags in their order, each once in any case, without white space at their ends.
  static func tidied(_ tags: [String]) -> [String] {
    var seen: Set<String> = []
    return tags.map(\.trimmed).filter { seen.insert($0.foldedCase).inserted }
  }

  /// Refuses tags that the catalog would refuse.
  static func validate(_ tags: [String]) throws(RuleError) {
    guard tags.count <= FaithLimit.tagCount else {
      throw RuleError("\(tags.count) tags; at most \(FaithLimit.tagCount) are allowed")
    }
    var seen: Set<String> = []
    for tag in tags {
      try tag.validateName("a tag", limit: FaithLimit.tag)
      guard tag == tag.trimmed else {
        throw RuleError("the tag \"\(tag.escapedForDisplay)\" has white space at an end; remove it")
      }
      guard seen.insert(tag.foldedCase).inserted else {
        throw RuleError("the tag \"\(tag.escapedForDisplay)\" is there twice; give it once")
      }
    }
  }
}

/// A reference to a photo, which Holdfast keeps as text and never opens.
enum PhotoReference {
  /// Refuses a reference that could lead out of a folder of photos.
  static func validate(_ reference: String) throws(RuleError) {
    try reference.validateName("a photo's reference", limit: FaithLimit.photo)
    let shown = "the photo \"\(reference.cut(to: 80).escapedForDisplay)\""
    // Compare bytes: Swift reads a slash with a combining mark as another character.
    let parts = reference.utf8.split(
      separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    guard !reference.utf8.contains(UInt8(ascii: "\\")), parts.first?.isEmpty == false,
      !parts.contains(where: { $0.elementsEqual("..".utf8) })
    else {
      throw RuleError("\(shown) leads elsewhere; give a relative path without \"..\" and \"\\\"")
    }
    // By RFC 3986, a colon before the first slash ends a scheme.
    guard parts.first?.contains(UInt8(ascii: ":")) != true else {
      throw RuleError("\(shown) has a scheme; give a relative path such as photos/1.jpg")
    }
  }
}

/// A remark that the import of a record reports. All remarks are equal, so that records compare
/// without them.
struct ImportRemark: Hashable, Sendable {
  var text: String?

  static func == (one: ImportRemark, other: ImportRemark) -> Bool { true }

  func hash(into hasher: inout Hasher) {}
}
