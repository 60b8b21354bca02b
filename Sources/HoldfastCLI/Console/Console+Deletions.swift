internal import ArgumentParser
internal import Foundation
internal import Holdfast
internal import HoldfastModel

/// What was deleted, as a line of JSON.
private struct DeletionOutput: Encodable {
  var event = "deleted"
  var id: UUID
  /// Paths at which something was left that was not to be deleted.
  var left: [String]?
  var error: String?
}

extension Console {
  /// Names what is to be deleted, and asks whether it shall be.
  ///
  /// - Parameters:
  ///   - things: What is to be deleted; a thing that was named twice is named once.
  ///   - name: What a person calls one of them.
  /// - Throws: ``NotConfirmed``.
  func confirmDeleting<Thing: Identifiable>(
    _ things: [Thing], name: (Thing) -> String
  ) throws where Thing.ID == UUID {
    var named: Set<UUID> = []
    for thing in things where named.insert(thing.id).inserted {
      error("\(thing.id.short)  \(name(thing).escapedForDisplay)")
    }
    let what = named.count == 1 ? "it" : "these \(named.count)"
    let answer = try Question("Delete \(what) for good? [y/N] ", instead: "--yes").answer()
    guard ["y", "yes"].contains(answer.lowercased()) else { throw NotConfirmed() }
  }

  /// Deletes one thing after the other, and says so; one that cannot be deleted does not stop the
  /// others.
  ///
  /// - Parameters:
  ///   - things: What to delete; a thing that was named twice is deleted once.
  ///   - library: Where they are; its catalog is compacted at the end, so that no trace of them is left.
  ///   - name: What a person calls one of them.
  ///   - delete: Deletes one, and returns the paths at which something was left.
  /// - Throws: Exit status 3 when one could not be deleted.
  func deleting<Thing: Identifiable>(
    _ things: [Thing], from library: Library, name: (Thing) -> String,
    _ delete: (Thing) throws -> [String]
  ) throws where Thing.ID == UUID {
    var hasFailed = false
    var done: Set<UUID> = []
    for thing in things where done.insert(thing.id).inserted {
      do {
        let left = try delete(thing)
        if isJSON {
          try json(DeletionOutput(id: thing.id, left: left.isEmpty ? nil : left))
        } else {
          result(
            "\(colored("deleted", .green))  \(thing.id.short)  \(name(thing).escapedForDisplay)")
        }
        for path in left {
          error("note: \(path) was left where it is: it is no file of this recording")
        }
      } catch {
        hasFailed = true
        if isJSON {
          try json(DeletionOutput(event: "failed", id: thing.id, error: "\(error)"))
        } else {
          self.error("\(colored("failed", .red))   \(thing.id.short)  \(error)")
        }
      }
    }
    do {
      if let bytes = try library.compactIfSmall() {
        error(
          "note: traces of what was deleted may stay in the catalog's file, which is too large "
            + "(\(bytes.megabytes)) to be compacted at once; holdfast doctor --compact removes them"
        )
      }
    } catch {
      hasFailed = true
      self.error("what was deleted may still be found in the catalog's file: \(error)")
    }
    if hasFailed { throw ExitCode.someFailed }
  }
}

extension Int64 {
  /// So many bytes in megabytes: "691 MB".
  var megabytes: String { "\((self + 500_000) / 1_000_000) MB" }
}
