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
  /// Deletes one thing after the other, and says so; one that cannot be deleted does not stop the
  /// others.
  ///
  /// - Parameters:
  ///   - things: What to delete; a thing that was named twice is deleted once.
  ///   - library: Where they are; its catalog is written anew at the end, without a trace of them.
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
    do { try library.compactIfDue() } catch {
      hasFailed = true
      self.error("what was deleted may still be found in the catalog's file: \(error)")
    }
    if hasFailed { throw ExitCode.someFailed }
  }
}
