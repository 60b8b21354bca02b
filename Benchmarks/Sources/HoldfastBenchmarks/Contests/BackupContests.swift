import Foundation

extension Workbench {
  /// Backups of a library of large files: the first one, and one more with nothing new.
  ///
  /// One goes to the library's own filesystem, the other to another.
  func backupContests(gigabytes: Double) throws -> [Contest] {
    let (library, _, count) = try largeLibrary(gigabytes: gigabytes)
    let other = otherFolder
    let same = "\(folder)/backups"
    let size = "\(format("%g", gigabytes)) GB"
    /// A program that backs up to a folder.
    func contestant(
      _ name: String, to folder: String, isFirst: Bool, _ command: [String],
      making first: [[String]] = []
    ) -> Contestant {
      Contestant(
        name: name, command: command,
        before: {
          if isFirst || !FileManager.default.fileExists(atPath: folder) {
            try run(["rm", "-rf", folder])
            for step in first { try run(step) }
            if !isFirst { try run(command) }
          }
        })
    }
    func contest(_ what: String, in folder: String, isFirst: Bool, rivals: [Rival]) -> Contest {
      Contest(
        what: what, items: count,
        ours: contestant(
          "holdfast backup", to: "\(folder)/holdfast", isFirst: isFirst,
          [
            holdfast, "backup", "\(folder)/holdfast", "--keep", "1", "--quiet", "--library",
            library,
          ], making: [["mkdir", "-p", folder]]),
        rivals: rivals)
    }
    func links(isFirst: Bool) -> Rival {
      // Each copy has its own name, as each backup has.
      Rival(
        contestant(
          "cp -rl", to: "\(same)/links", isFirst: isFirst,
          ["bash", "-ec", #"cp -rl "$0" "$1/$(date +%s%N)""#, library, "\(same)/links"],
          making: [["mkdir", "-p", "\(same)/links"]]), .none)
    }
    func rsync(isFirst: Bool) -> Rival {
      Rival(
        contestant(
          "rsync -a --checksum", to: "\(other)/rsync", isFirst: isFirst,
          ["rsync", "-a", "--checksum", library, "\(other)/rsync"],
          making: [["mkdir", "-p", "\(other)/rsync"]]), .none)
    }
    func restic(isFirst: Bool) -> Rival {
      let command = [
        "env", "RESTIC_PASSWORD=bench", "restic", "--quiet", "--repo", "\(other)/restic",
      ]
      return Rival(
        contestant(
          "restic backup", to: "\(other)/restic", isFirst: isFirst,
          command + ["backup", library], making: [command + ["init"]]), .none)
    }
    return [true, false].flatMap { isFirst in
      let which = isFirst ? "the first" : "nothing new"
      return [
        contest(
          "backup of \(size), same filesystem, \(which)", in: same, isFirst: isFirst,
          rivals: [links(isFirst: isFirst)]),
        contest(
          "backup of \(size), another filesystem, \(which)", in: other, isFirst: isFirst,
          rivals: [rsync(isFirst: isFirst), restic(isFirst: isFirst)]),
      ]
    }
  }
}
