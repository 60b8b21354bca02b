import Foundation
import HoldfastModel
import HoldfastStorage

/// An accepted marker stays the same when it is written and read again.
enum MarkerPromises {
  static var examples: [Data] {
    get throws {
      let marker = try LibraryMarker(uuid: DocumentPromises.id(1)).json()
      let newer = Data(#"{"formatVersion":2,"uuid":"\#(DocumentPromises.id(2))","more":{}}"#.utf8)
      let other = Data(#"{"formatVersion":2,"uuid":5,"more":{}}"#.utf8)
      return [marker, newer, other]
    }
  }

  static let words = ["\"formatVersion\"", "\"uuid\"", "1.0", "1e0", "00000000-0000-4000-8000-"]

  static func check(_ bytes: Data) throws {
    let marker: LibraryMarker
    do throws(HoldfastError) {
      marker = try LibraryMarker(json: bytes, path: "/library/holdfast.json")
    } catch {
      try BrokenPromise.unless(
        [.notALibrary, .newerFormat].contains(error.code), "fails with \(error.code)")
      return try BrokenPromise.unlessSentence(error.description)
    }
    try BrokenPromise.unless(
      (1...LibraryMarker.currentFormat).contains(marker.formatVersion),
      "format \(marker.formatVersion) is taken")
    let again = try LibraryMarker(json: try marker.json(), path: "")
    try BrokenPromise.unless(again == marker, "\(marker) is written as \(again)")
  }
}
