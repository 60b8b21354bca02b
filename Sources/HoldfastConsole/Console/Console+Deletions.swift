import ArgumentParser
import Foundation
package import Holdfast

private struct DeletionOutput: Encodable {
  var event = "deleted"
  var id: String
  /// Paths at which something was left, because it is not the deleted item's own file.
  var left: [String]?
  var error: String?
}

extension Console {
  /// Lists the items to delete, each once, and asks for confirmation.
  package func confirmDeleting<Thing: Identifiable>(
    _ things: [Thing], name: (Thing) -> String
  ) throws where Thing.ID: RecordKey {
    var named: Set<Thing.ID> = []
    for thing in things where named.insert(thing.id).inserted {
      error("\(thing.id.shortText)  \(name(thing).escapedForDisplay)")
    }
    let what = named.count == 1 ? "it" : "these \(named.count)"
    try Question("Delete \(what) for good? [y/N] ", instead: "--yes").confirm()
  }

  /// Deletes items one after the other, each once, and prints each. One failure does not stop the
  /// others. At the end, a small catalog is compacted, so that no trace of them is left.
  ///
  /// - Parameter delete: Returns the paths at which something was left.
  /// - Throws: Exit status 3 when an item could not be deleted or the catalog could not be
  ///   compacted.
  package func deleting<Thing: Identifiable>(
    _ things: [Thing], from library: Library, name: (Thing) -> String,
    _ delete: (Thing) throws -> [String]
  ) throws where Thing.ID: RecordKey {
    var hasFailed = false
    var done: Set<Thing.ID> = []
    for thing in things where done.insert(thing.id).inserted {
      do {
        let left = try delete(thing)
        if isJSON {
          try json(DeletionOutput(id: thing.id.keyText, left: left.isEmpty ? nil : left))
        } else {
          result(
            "\(colored("deleted", .green))  \(thing.id.shortText)  \(name(thing).escapedForDisplay)"
          )
        }
        for path in left {
          error("note: \(path) was left where it is: it is not a file of this recording")
        }
      } catch {
        hasFailed = true
        let reason = "\(HoldfastError.explained(error))"
        if isJSON {
          try json(DeletionOutput(event: "failed", id: thing.id.keyText, error: reason))
        } else {
          self.error("\(colored("failed", .red))   \(thing.id.shortText)  \(reason)")
        }
      }
    }
    if !compact(library) { hasFailed = true }
    if hasFailed { throw ExitCode.someFailed }
  }

  /// Compacts the catalog after deletions, if it is small, so that no trace of them is left.
  ///
  /// - Returns: Whether that worked. If it did not, an error was printed. If the catalog is too
  ///   large, a note was printed.
  package func compact(_ library: Library) -> Bool {
    do {
      if let bytes = try library.compactIfSmall() {
        error(
          "note: traces of what was deleted may remain in the catalog's file, which is too large "
            + "(\(bytes.megabytes)) to be compacted at once; holdfast doctor --compact removes them"
        )
      }
      return true
    } catch {
      self.error(
        "what was deleted may still be found in the catalog's file: "
          + "\(HoldfastError.explained(error))")
      return false
    }
  }
}

extension RecordKey {
  /// The beginning of a UUID, and any other identity as it is, as lists show them.
  package var shortText: String { (self as? UUID)?.short ?? keyText.escapedForDisplay }
}
