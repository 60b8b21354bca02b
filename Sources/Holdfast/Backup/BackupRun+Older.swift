import Foundation
import HoldfastModel
import HoldfastStorage

extension BackupRun {
  /// Returns the folder's bags, oldest first, all of this library.
  func bags(in folder: BackupFolder) throws -> [Bag] {
    let bags = try folder.bags()
    guard bags.allSatisfy({ $0.info.library == library.tree.marker.uuid }) else {
      throw HoldfastError(.foreignBag, operation: "back up to", path: folder.path)
    }
    return bags
  }

  /// Returns the newest bag with a reliable list of files, and whether a newer bag was reported
  /// whose list is not reliable.
  ///
  /// Without links, a bag's files can be reused only by updating the bag. A bag that a user renamed
  /// is not updated.
  func previous(_ bags: [Bag], hasLinks: Bool) throws -> (Previous?, hasUnreadable: Bool) {
    var hasUnreadable = false
    for bag in bags.reversed() where hasLinks || bag.hasOwnName {
      do throws(HoldfastError) {
        let manifest = try bag.manifest()
        return (Previous(bag: bag, manifest: manifest, files: try bag.files()), hasUnreadable)
      } catch {
        hasUnreadable = true
        report(.unreadable(name: bag.name.escapedForDisplay, HoldfastError(itemFailure: error)))
      }
    }
    return (nil, hasUnreadable)
  }

  /// Reports the folders that should be bags and cannot be read. Returns how many there are.
  @discardableResult
  func reportUnreadable(in folder: BackupFolder) throws -> Int {
    let names = try folder.unreadableBags()
    for name in names {
      report(.unreadable(name: name.escapedForDisplay, HoldfastError.unreadableBackup))
    }
    return names.count
  }

  /// Removes older bags, given oldest first, as the option `keep` says.
  ///
  /// - Parameter now: When the new bag was made.
  func removeOld(_ bags: [Bag], of folder: BackupFolder, now: Date) {
    let removed = options.keep.removed(bags.map(\.info.moment) + [now])
    guard !removed.isEmpty, areReadable(bags) else { return }
    for index in removed {
      let summary = BackupSummary(bags[index])
      tidying(summary.name) { () throws(HoldfastError) in
        try folder.remove(bags[index])
        report(.removed(summary))
      }
    }
  }

  /// Reports bags whose lists of files are not reliable. Returns whether there are none.
  private func areReadable(_ bags: [Bag]) -> Bool {
    var areReadable = true
    for bag in bags {
      do throws(HoldfastError) { try bag.checkList() } catch {
        areReadable = false
        report(.unreadable(name: bag.name.escapedForDisplay, HoldfastError(itemFailure: error)))
      }
    }
    return areReadable
  }

  /// Runs `body`. A failure is reported, and stops nothing.
  func tidying(_ name: String, _ body: () throws(HoldfastError) -> Void) {
    do throws(HoldfastError) { try body() } catch {
      report(.failed(path: name.escapedForDisplay, HoldfastError(itemFailure: error)))
    }
  }
}
