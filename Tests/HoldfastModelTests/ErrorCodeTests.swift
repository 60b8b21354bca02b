import Foundation
import HoldfastModel
import HoldfastTestSupport
import Testing

@Suite("The codes of errors")
struct ErrorCodeTests {
  /// Programs that read `--json` compare these. A code may be added; none may change or go.
  private static let frozen = """
    ambiguousID badThumbnailPath busy cannotCopy cannotOpen cannotSplit catalogWhole changed
    checkFailed damaged damagedBackup damagedBag deletedTextLeft empty encrypted exists fileLocked
    fileMissing folderMissing folderNotEmpty foreignBag foreignCatalog foreignDocument full
    hasTranscript inputOutput inputRefused insideBag insideLibrary interruptedErase invalidValue
    journalNotEmpty journalNotEnabled library libraryMoved locked mayReplace memory missing
    mountPoint needsMigration networkFilesystem newer newerFormat noBackup noBag noEngine noLibrary
    noLinks noPicture noPlace noSound noSpace noSuchRecord noWorkingFolder notACatalog notAFile
    notAFolder notALibrary notARecording notAccepted notBackedUp notCopied notEmpty notErasable
    notInBackup notMerged notPermitted notRestored nothingToPlay obstacle offline otherComputer
    otherComputersWork otherFilesystem outputRefused overLimit overdue parentMissing placeTaken
    readOnly recordingLost recoveryPutOff refused soundUnmeasured sourceChanged sqlite stalled
    stillWritten system timeZoneAssumed tooHighToCopy tooLarge transcriber unexpected
    unfinishedErasure unfinishedUpdate unknownJournal unreadableDocument unreadableList
    unreadableRow unsafePath unusableBackup watchLimit watched worker
    """.split(whereSeparator: \.isWhitespace).map(String.init)

  @Test("No code changes its name")
  func names() throws {
    #expect(try Repository.errorCodes.sorted() == Self.frozen)
  }

  @Test("A remedy follows the operation, then the system's error, then the code, then the cause")
  func remedies() {
    let full = HoldfastError(.noSpace, "it is full")
    #expect(full.explanation == "it is full; free some space and try again")
    let operation = HoldfastError(.noSpace, "it is too large", operation: "upload")
    #expect(operation.remedy == "send a smaller file")
    let system = HoldfastError(.system, "could not read", errno: EIO)
    #expect(system.remedy == "the disk may be failing: check it, and your backup")
    let code = HoldfastError(.mayReplace, "not made", errno: EPERM)
    #expect(code.remedy == "use a library on another disk")
    let wrapped = HoldfastError(.notCopied, "it cannot be copied", cause: .error(system))
    #expect(wrapped.clause == "it cannot be copied; \(system.remedy ?? "")")
    #expect(HoldfastError(RuleError("no title")).remedy == nil)
  }
}
