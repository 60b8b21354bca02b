import HoldfastModel

/// The reason why an entry of a library's folder, or a source, could not be read or changed.
package struct StorageError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The kind of an error. More kinds may be added. Match one with `catch
  /// StorageError.Code.notEmpty`.
  package struct Code: RawRepresentable, Hashable, Sendable {
    package let rawValue: String
    package init(rawValue: String) { self.rawValue = rawValue }

    /// The system refused. ``StorageError/errno`` says why.
    package static let system = Code(rawValue: "system")
    package static let missing = Code(rawValue: "missing")
    package static let exists = Code(rawValue: "exists")
    /// Not a regular file: a directory, a FIFO, a device.
    package static let notAFile = Code(rawValue: "notAFile")
    /// The path leaves the folder it must stay in, or leads through a symbolic link.
    package static let unsafePath = Code(rawValue: "unsafePath")
    /// There is no library in the folder, or no such folder.
    package static let noLibrary = Code(rawValue: "noLibrary")
    /// The marker `holdfast.json` is damaged.
    package static let notALibrary = Code(rawValue: "notALibrary")
    /// The folder holds other things, and cannot become a library.
    package static let notEmpty = Code(rawValue: "notEmpty")
    /// The parent folder of a new library does not exist.
    package static let parentMissing = Code(rawValue: "parentMissing")
    /// A folder of the library is on another filesystem than the rest.
    package static let otherFilesystem = Code(rawValue: "otherFilesystem")
    /// The library's folder is no longer at the path where it was opened.
    package static let libraryMoved = Code(rawValue: "libraryMoved")
    package static let newerFormat = Code(rawValue: "newerFormat")
    package static let folderMissing = Code(rawValue: "folderMissing")
    package static let insideLibrary = Code(rawValue: "insideLibrary")
    /// A folder for new files holds other things.
    package static let folderNotEmpty = Code(rawValue: "folderNotEmpty")
    /// Something else is where the library has a folder.
    package static let notAFolder = Code(rawValue: "notAFolder")
    /// A file that was written is still open for writing in some process.
    package static let stillWritten = Code(rawValue: "stillWritten")
    /// An interrupted erase holds the recordings, and recovery has not brought them back yet.
    package static let interruptedErase = Code(rawValue: "interruptedErase")
    /// The library is on a filesystem that two computers may use at once. ``StorageError/detail``
    /// is its type.
    package static let networkFilesystem = Code(rawValue: "networkFilesystem")
    /// The filesystem cannot give a file a name without possibly replacing another file.
    package static let mayReplace = Code(rawValue: "mayReplace")
    /// Another program keeps a file locked. ``StorageError/detail`` is that program.
    package static let locked = Code(rawValue: "fileLocked")
    /// A backup is damaged. ``StorageError/detail`` says how.
    package static let damagedBag = Code(rawValue: "damagedBag")
    /// Something that a backup did not make is where it must write a new file.
    package static let obstacle = Code(rawValue: "obstacle")
    package static let foreignBag = Code(rawValue: "foreignBag")
    /// The place for something new is in a backup, or is one.
    package static let insideBag = Code(rawValue: "insideBag")
    /// A file was changed while it was being replaced.
    package static let changed = Code(rawValue: "changed")
    /// Another filesystem is mounted at the place of a new library.
    package static let mountPoint = Code(rawValue: "mountPoint")
    /// Another process watches the folder.
    package static let watched = Code(rawValue: "watched")
    package static let watchLimit = Code(rawValue: "watchLimit")
    package static let noBag = Code(rawValue: "noBag")
    /// The file or folder exceeds a limit for reading. ``StorageError/detail`` gives the figure.
    package static let tooLarge = Code(rawValue: "tooLarge")
    /// It did not come from `Recordings`, and stays in quarantine.
    package static let notRestored = Code(rawValue: "notRestored")
  }

  package var code: Code
  /// The operation that failed, as a verb such as "open" or "rename".
  package var operation: String
  package var path: String
  package var errno: CInt?
  /// Further information. Its meaning depends on the code.
  package var detail: String?

  package init(
    _ code: Code, _ operation: String, path: String, errno: CInt? = nil, detail: String? = nil
  ) {
    self.code = code
    self.operation = operation
    self.path = path
    self.errno = errno
    self.detail = detail
  }

  /// One sentence that gives the path, the reason, and the way out if there is one.
  package var description: String { "\(path.escapedForDisplay): \(reason)" }

  /// The sentence without the path, for messages that already show the path.
  package var reason: String {
    switch code {
    case .notAFile: "not a regular file"
    case .unsafePath:
      "refused, because it is or leads through a symbolic link, or leaves its folder"
    case .noLibrary: "there is no library in it"
    case .otherFilesystem:
      "on another filesystem than the rest of the library, which must be on one"
    case .libraryMoved:
      "the library is no longer here, because its folder was renamed or moved, or its disk "
        + "unmounted, while this command ran; run it again where the library is now"
    case .notALibrary:
      "damaged, so this library cannot be used; restore it from a backup"
    case .notEmpty: "neither empty nor a library; name a new folder or an empty one"
    case .parentMissing:
      "the folder does not exist; mount its disk, or make the folder first"
    case .newerFormat: "written by a newer version of Holdfast; update this one"
    case .watched: "another holdfast watch is at work there"
    case .watchLimit:
      "more folders are in it than the system watches, so it is looked at once a minute; raise "
        + "fs.inotify.max_user_watches"
    case .folderMissing: "the folder does not exist; make it first, or name another"
    case .insideLibrary: "is inside a Holdfast library; name a place outside of it"
    case .folderNotEmpty: "not an empty folder; name a new one or an empty one"
    case .stillWritten:
      "another process still has it open for writing; import it again when that has ended"
    case .notAFolder: "a file or a link where the library keeps a folder; move it away"
    case .interruptedErase:
      "set aside by an interrupted erase; the next command that writes brings it back, "
        + "after a day if another computer began the erase"
    case .networkFilesystem:
      "on a network filesystem (\((detail ?? "of no known type").escapedForDisplay)), where recordings "
        + "can be lost when two computers write at once"
    case .mayReplace:
      "not made: this filesystem can neither link a file nor rename one without replacing another; use "
        + "a library on another disk"
    case .locked:
      "kept locked by \(detail ?? "another program"); end that, or wait for it, and try again"
    case .damagedBag: "damaged, so it cannot be relied on: \((detail ?? "").escapedForDisplay)"
    case .obstacle:
      "not in the backup's list, and in the way of a new file; move it away, and back up again"
    case .foreignBag: "has backups of another library; name another folder"
    case .insideBag:
      "is or is in a backup, which is never changed; name another place, or restore the backup"
    case .changed: "changed by another command meanwhile, so it stays; try again"
    case .mountPoint: "a disk is mounted there; name a new folder on it"
    case .noBag: "there is no backup in it"
    case .tooLarge: detail ?? "larger than what is read"
    case .notRestored:
      "left in quarantine, because only files from \(RelativePath.root) are put back"
    default: "could not \(operation): \(word)\(wayOut.map { "; \($0)" } ?? "")"
    }
  }

  private var word: String {
    if let errno { return SystemCalls.word(for: errno) }
    return code == .exists ? "it already exists" : code.rawValue
  }

  private var wayOut: String? {
    code == .exists ? "move it away or give another name" : errno.flatMap(SystemCalls.wayOut(of:))
  }
}

extension StorageError.Code {
  /// Lets `catch StorageError.Code.notEmpty` match an error of that kind.
  package static func ~= (code: StorageError.Code, error: any Error) -> Bool {
    (error as? StorageError)?.code == code
  }
}
