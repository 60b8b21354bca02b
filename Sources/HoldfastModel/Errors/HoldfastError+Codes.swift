extension HoldfastError.Code {
  // MARK: Media

  /// Not a regular file: a directory, a FIFO, a device.
  public static let notAFile = Self(rawValue: "notAFile")
  /// An empty file.
  public static let empty = Self(rawValue: "empty")
  /// Not a media file, or a kind that Holdfast does not accept.
  public static let notAccepted = Self(rawValue: "notAccepted")
  /// An encrypted file.
  public static let encrypted = Self(rawValue: "encrypted")
  /// No picture or sound that can be played.
  public static let nothingToPlay = Self(rawValue: "nothingToPlay")
  /// Larger than what Holdfast decodes or reads.
  public static let tooLarge = Self(rawValue: "tooLarge")
  /// Longer than a recording may last.
  public static let overLimit = Self(rawValue: "overLimit")
  /// A copy was requested of a picture that is higher than was asked for.
  public static let tooHighToCopy = Self(rawValue: "tooHighToCopy")
  /// Too long, and it cannot be split.
  public static let cannotSplit = Self(rawValue: "cannotSplit")
  /// A copy was requested that cannot be made.
  public static let cannotCopy = Self(rawValue: "cannotCopy")
  /// A media file cannot be read to its end, or the catalog is damaged or was changed by another
  /// program.
  public static let damaged = Self(rawValue: "damaged")
  /// The output does not match the plan.
  public static let checkFailed = Self(rawValue: "checkFailed")
  /// The system refused to read.
  public static let inputRefused = Self(rawValue: "inputRefused")
  /// The system refused to write, because the disk is full or failing.
  public static let outputRefused = Self(rawValue: "outputRefused")
  /// The process that reads and makes media crashed, was killed, or cannot be used.
  public static let worker = Self(rawValue: "worker")
  /// The process that reads and makes media made no progress for too long.
  public static let stalled = Self(rawValue: "stalled")
  /// The process that reads and makes media took longer than a file of that length may take.
  public static let overdue = Self(rawValue: "overdue")
  /// There is not enough memory.
  public static let memory = Self(rawValue: "memory")
  /// A media library failed where it should not have.
  public static let library = Self(rawValue: "library")

  // MARK: Files and folders

  /// The system refused. ``HoldfastError/errno`` says why.
  public static let system = Self(rawValue: "system")
  /// A file, a folder or the catalog is missing.
  public static let missing = Self(rawValue: "missing")
  /// Something with that name exists.
  public static let exists = Self(rawValue: "exists")
  /// The path leaves the folder it must stay in, or leads through a symbolic link.
  public static let unsafePath = Self(rawValue: "unsafePath")
  /// The folder, or a library in it, is missing.
  public static let noLibrary = Self(rawValue: "noLibrary")
  /// The marker `holdfast.json` is damaged.
  public static let notALibrary = Self(rawValue: "notALibrary")
  /// The folder holds other things, and cannot become a library.
  public static let notEmpty = Self(rawValue: "notEmpty")
  /// The parent folder of a new library does not exist.
  public static let parentMissing = Self(rawValue: "parentMissing")
  /// A folder of the library is on another filesystem than the rest of it.
  public static let otherFilesystem = Self(rawValue: "otherFilesystem")
  /// The path where the library was opened does not lead to its folder any more.
  public static let libraryMoved = Self(rawValue: "libraryMoved")
  /// A newer Holdfast made the library.
  public static let newerFormat = Self(rawValue: "newerFormat")
  /// The folder does not exist.
  public static let folderMissing = Self(rawValue: "folderMissing")
  /// The source is one of the library's own files, or the place for something new is in a library.
  public static let insideLibrary = Self(rawValue: "insideLibrary")
  /// A folder for new files holds other things.
  public static let folderNotEmpty = Self(rawValue: "folderNotEmpty")
  /// Something else is where the library has a folder.
  public static let notAFolder = Self(rawValue: "notAFolder")
  /// A file that was written is still open for writing in some process.
  public static let stillWritten = Self(rawValue: "stillWritten")
  /// An interrupted erase holds the recordings, and recovery has not brought them back yet.
  public static let interruptedErase = Self(rawValue: "interruptedErase")
  /// The library is on a network filesystem, and its owner has not promised that only one computer
  /// writes to it at a time.
  public static let networkFilesystem = Self(rawValue: "networkFilesystem")
  /// The filesystem cannot give a file a name without possibly replacing another file.
  public static let mayReplace = Self(rawValue: "mayReplace")
  /// Another program keeps a file locked.
  public static let fileLocked = Self(rawValue: "fileLocked")
  /// A backup is damaged.
  public static let damagedBag = Self(rawValue: "damagedBag")
  /// Something that a backup did not make is where it must write a new file.
  public static let obstacle = Self(rawValue: "obstacle")
  /// The folder has backups of another library.
  public static let foreignBag = Self(rawValue: "foreignBag")
  /// The place for something new is in a backup, or is one.
  public static let insideBag = Self(rawValue: "insideBag")
  /// A file was changed while it was being replaced.
  public static let changed = Self(rawValue: "changed")
  /// Another filesystem is mounted at the place of a new library.
  public static let mountPoint = Self(rawValue: "mountPoint")
  /// Another process watches the folder.
  public static let watched = Self(rawValue: "watched")
  /// The system watches no more folders.
  public static let watchLimit = Self(rawValue: "watchLimit")
  /// The folder holds no backup.
  public static let noBag = Self(rawValue: "noBag")
  /// The file did not come from `Recordings`, and stays in quarantine.
  public static let notRestored = Self(rawValue: "notRestored")

  // MARK: The catalog

  /// The file is not a SQLite database, or it belongs to another program.
  public static let notACatalog = Self(rawValue: "notACatalog")
  /// A newer Holdfast has changed the catalog's schema.
  public static let newer = Self(rawValue: "newer")
  /// The program does not know a journal of the library, or knows an older version of it.
  public static let unknownJournal = Self(rawValue: "unknownJournal")
  /// The journal is not enabled in the library, or is unknown.
  public static let journalNotEnabled = Self(rawValue: "journalNotEnabled")
  /// The journal has records.
  public static let journalNotEmpty = Self(rawValue: "journalNotEmpty")
  /// The schema is old, and the catalog was opened for reading.
  public static let needsMigration = Self(rawValue: "needsMigration")
  /// The library was opened for reading, or its catalog cannot be written.
  public static let readOnly = Self(rawValue: "readOnly")
  /// Another program has the catalog locked.
  public static let busy = Self(rawValue: "busy")
  /// The catalog's disk is full.
  public static let full = Self(rawValue: "full")
  /// The catalog's disk could not be read or written.
  public static let inputOutput = Self(rawValue: "inputOutput")
  /// The catalog cannot be opened.
  public static let cannotOpen = Self(rawValue: "cannotOpen")
  /// A row breaks a rule of the schema and was not written.
  public static let refused = Self(rawValue: "refused")
  /// A row of the catalog cannot be read.
  public static let unreadableRow = Self(rawValue: "unreadableRow")
  /// SQLite failed where it should not have.
  public static let sqlite = Self(rawValue: "sqlite")

  // MARK: The library

  /// The catalog belongs to another library than the marker says.
  public static let foreignCatalog = Self(rawValue: "foreignCatalog")
  /// Nothing has that name, or several things have it.
  public static let noSuchRecord = Self(rawValue: "noSuchRecord")
  /// The beginning of an ID is too short, or more than one ID begins like that.
  public static let ambiguousID = Self(rawValue: "ambiguousID")
  /// The recording's file is missing.
  public static let fileMissing = Self(rawValue: "fileMissing")
  /// An import is at work, or another library was meant.
  public static let notErasable = Self(rawValue: "notErasable")
  /// The library was opened without a media engine.
  public static let noEngine = Self(rawValue: "noEngine")
  /// The system does not let this user read or write there.
  public static let notPermitted = Self(rawValue: "notPermitted")
  /// The library's path is unknown.
  public static let noPlace = Self(rawValue: "noPlace")
  /// Another process held the writer lock for too long. The cause is a `LockTimeout`.
  public static let locked = Self(rawValue: "locked")
  /// A value breaks a rule. The cause is a `RuleError`.
  public static let invalidValue = Self(rawValue: "invalidValue")
  /// The source changed after the import had begun.
  public static let sourceChanged = Self(rawValue: "sourceChanged")
  /// The disk has too little room.
  public static let noSpace = Self(rawValue: "noSpace")
  /// The source is of a kind that is never a recording.
  public static let notARecording = Self(rawValue: "notARecording")
  /// None of the recordings' files is there: their disk may not be mounted.
  public static let offline = Self(rawValue: "offline")
  /// Something else is now where a file was to be put.
  public static let placeTaken = Self(rawValue: "placeTaken")
  /// An erasure was committed but is not finished.
  public static let unfinishedErasure = Self(rawValue: "unfinishedErasure")
  /// Deleted text may still be found in the library's folder.
  public static let deletedTextLeft = Self(rawValue: "deletedTextLeft")
  /// Recovery waits until the recordings' files are back.
  public static let recoveryPutOff = Self(rawValue: "recoveryPutOff")
  /// Entries of an older Holdfast, which stored no time zones, were given that of this machine.
  public static let timeZoneAssumed = Self(rawValue: "timeZoneAssumed")
  /// Work that another computer left unfinished was moved into quarantine.
  public static let otherComputersWork = Self(rawValue: "otherComputersWork")
  /// Another computer may be at work in the library.
  public static let otherComputer = Self(rawValue: "otherComputer")
  /// A file is not an export document, or a newer Holdfast wrote it.
  public static let unreadableDocument = Self(rawValue: "unreadableDocument")
  /// A document is of no app that Holdfast knows.
  public static let foreignDocument = Self(rawValue: "foreignDocument")
  /// A list of files to import could not be read.
  public static let unreadableList = Self(rawValue: "unreadableList")
  /// A file could not be backed up.
  public static let notBackedUp = Self(rawValue: "notBackedUp")
  /// A recording could not be merged.
  public static let notMerged = Self(rawValue: "notMerged")
  /// The catalog can be opened, so there is nothing to rebuild.
  public static let catalogWhole = Self(rawValue: "catalogWhole")
  /// The backups and the library are not on one filesystem with hard links.
  public static let noLinks = Self(rawValue: "noLinks")
  /// An update of a backup was interrupted, or is under way.
  public static let unfinishedUpdate = Self(rawValue: "unfinishedUpdate")
  /// The working directory, to which a path is relative, was removed.
  public static let noWorkingFolder = Self(rawValue: "noWorkingFolder")
  /// The source is known, but the file of its recording is missing.
  public static let recordingLost = Self(rawValue: "recordingLost")
  /// No backup was made at that time.
  public static let noBackup = Self(rawValue: "noBackup")
  /// A backup does not have the recording.
  public static let notInBackup = Self(rawValue: "notInBackup")
  /// A file of a backup is damaged or missing.
  public static let damagedBackup = Self(rawValue: "damagedBackup")
  /// A file of a backup that a library cannot do without is damaged or missing.
  public static let unusableBackup = Self(rawValue: "unusableBackup")
  /// A recording's sound could not be decoded to measure it.
  public static let soundUnmeasured = Self(rawValue: "soundUnmeasured")
  /// A recording could not be decoded to make a copy that other programs can play.
  public static let notCopied = Self(rawValue: "notCopied")
  /// A transcriber cannot be used, could not be sandboxed, or failed on a recording.
  public static let transcriber = Self(rawValue: "transcriber")
  /// A recording was named that already has a transcript.
  public static let hasTranscript = Self(rawValue: "hasTranscript")
  /// The catalog has a path for a thumbnail that is not the recording's own.
  public static let badThumbnailPath = Self(rawValue: "badThumbnailPath")
  /// The recording has no picture.
  public static let noPicture = Self(rawValue: "noPicture")
  /// The recording has no sound.
  public static let noSound = Self(rawValue: "noSound")
  /// An error that no part of Holdfast expects.
  public static let unexpected = Self(rawValue: "unexpected")
}
