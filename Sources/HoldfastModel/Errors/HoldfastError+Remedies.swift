import Foundation

// What a person can do about an error, whatever program shows it. No remedy names a command or an
// option: each program has a table of its own for those, which comes first.

extension HoldfastError {
  /// What a person can do about the error, in one clause that follows the sentence after a
  /// semicolon; `nil` if nothing is known. Without a remedy of its own, it is that of the cause.
  public var remedy: String? {
    if let remedy = operation.flatMap({ Self.remediesOfOperations[code]?[$0] }) { return remedy }
    if [.system, .notPermitted, .noSpace].contains(code),
      let remedy = errno.flatMap({ Self.remedies(of: $0) })
    {
      return remedy
    }
    if let remedy = Self.remedies[code] { return remedy }
    if case .error(let error) = cause { return error.remedy }
    return timeout?.remedy
  }

  /// The reason and the remedy, in one clause.
  public var clause: String { remedy.map { "\(reason); \($0)" } ?? reason }

  /// The sentence and the remedy.
  public var explanation: String { remedy.map { "\(description); \($0)" } ?? description }

  package static func explanation(of error: any Error) -> String {
    (error as? HoldfastError)?.explanation ?? "\(error)"
  }

  private static let remedies: [Code: String] = [
    // Files and folders.
    .changed: "try again",
    .exists: "move it away or give another name",
    .fileLocked: "end that, or wait for it, and try again",
    .folderMissing: "make it first, or name another",
    .folderNotEmpty: "name a new one or an empty one",
    .foreignBag: "name another folder",
    .insideBag: "name another place, or restore the backup",
    .libraryMoved: "run it again where the library is now",
    .mayReplace: "use a library on another disk",
    .mountPoint: "name a new folder on it",
    .newerFormat: "update this one",
    .noSpace: "free some space and try again",
    .notAFolder: "move it away",
    .notALibrary: "restore it from a backup",
    .notEmpty: "name a new folder or an empty one",
    .obstacle: "move it away, and back up again",
    .parentMissing: "mount its disk, or make the folder first",
    .stillWritten: "import it again when that has ended",
    .watchLimit: "raise fs.inotify.max_user_watches",
    // The catalog.
    .busy: "try again when it is done",
    .cannotOpen: "check the permissions of the file and its folder",
    .full: "free some space and try again",
    .inputOutput: "check the disk",
    .newer: "update Holdfast to open it",
    .notACatalog: "restore the file from a backup",
    // The library.
    .ambiguousID: "give more of it",
    .fileMissing: "look for it in a backup",
    .foreignCatalog: "restore the right one from a backup",
    .noEngine: "open it with one to import",
    .noWorkingFolder: "change to another folder, or give the whole path",
    .placeTaken: "repair again",
  ]

  /// The remedies of codes that have more than one meaning.
  package static let remediesOfOperations: [Code: [String: String]] = [
    .ambiguousID: ["find by name": "give the id of one"],
    .damaged: [
      "open the catalog": "restore the file from a backup",
      "open beside the catalog": "move it away",
    ],
    .damagedBackup: ["open": "merge its folder data into a library to get back what it holds"],
    .fileMissing: [
      "copy the app": "copy its folder again",
      "download": "download it there, and copy the app's folder again",
    ],
    .insideLibrary: ["make": "name a place outside of it"],
    .invalidValue: [
      "merge": "name another one", "remove the sources": "merge it without removing its files",
    ],
    .missing: ["open the catalog": "restore the file from a backup"],
    .noSpace: ["upload": "send a smaller file"],
    .notACatalog: [
      "read the schema": "choose another library, or restore it from a backup",
      "salvage": "restore the right one from a backup",
    ],
    .offline: ["rebuild": "if its disk is not mounted, mount it"],
    .notARecording: [
      "import one": "name one file", "import": "give a video or a sound file",
    ],
    .notBackedUp: ["name the folder": "give one"],
    .notErasable: ["erase": "wait until it is done, or stop it, and erase again"],
    .notMerged: [
      "merge the notes": "shorten one",
      "merge another source": "to have both, copy its file out of there and import the copy",
      "read": "merge again",
      "merge the thumbnail": "make it again there",
      "merge the file":
        "keep what the other one has of it, or bring the file back from a backup, and merge again",
      "merge another file":
        "bring it back from a backup, or delete the recording here, and merge again",
    ],
    .readOnly: [
      "write the catalog": "check the permissions of the file and its folder",
      "open the catalog": "open it for writing",
    ],
    .sourceChanged: ["read": "wait until it is complete and import it again"],
    .unknownJournal: [
      "open the catalog": "use a version of Holdfast that knows the journal",
      "migrate the catalog": "open it once with one that does",
    ],
    .unreadableList: [
      "open a folder": "name it as a source",
      "open": "name a list of files that you can read",
      "split into lines": "name one path a line",
      "read": "import it again",
      "read more": "give it in parts",
    ],
    .unreadableRow: ["open the catalog": "restore the file from a backup"],
    .unusableBackup: ["open beside the catalog": "remove it"],
    .worker: [
      "start": "install it again",
      "compare the versions": "install both from one build",
      "import": "import it again",
    ],
    .memory: [
      "start a thread": "end other programs, or raise the limit on processes (ulimit -u)"
    ],
  ]

  /// The remedies of the system's errors, by their number.
  private static func remedies(of number: CInt) -> String? {
    switch number {
    case ENOSPC: "free some space and try again"
    case EDQUOT: "your quota is used up: free some space and try again"
    case EACCES, EPERM: "check who owns it and what its permissions are"
    case EROFS: "make the disk writable, or use a library on another one"
    case EIO: "the disk may be failing: check it, and your backup"
    case ENOTDIR: "check the path: a part of it is a file, not a folder"
    case EMFILE, ENFILE: "raise the limit on open files, or do less at once"
    default: nil
    }
  }
}
