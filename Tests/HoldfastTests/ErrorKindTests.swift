import Holdfast
import HoldfastModel
import HoldfastStorage
import HoldfastTestSupport
import Testing

@Suite("An error of an import")
struct ErrorKindTests {
  private static let codes = Result {
    try Repository.errorCodes.map { HoldfastError.Code(rawValue: $0) }
  }

  @Test("A source is tried again only if the reason may pass without a change of the source")
  func mayPass() throws {
    let passing = try Self.codes.get().filter { HoldfastError($0, "it failed").mayPass }
    #expect(
      Set(passing) == [
        .full, .inputOutput, .libraryMoved, .locked, .noLibrary, .noSpace, .notPermitted, .offline,
        .otherComputer, .recordingLost, .sourceChanged, .system, .worker,
      ])
    // The worker's own lack of memory, and what it answers, are the work of the file.
    #expect(HoldfastError(.memory, "no thread", operation: "start a thread").mayPass)
    #expect(!HoldfastError.senselessAnswer.mayPass)
  }

  @Test("A source is refused for good only for what its own bytes are")
  func isRefusal() throws {
    let refusing = try Self.codes.get().filter { HoldfastError($0, "it failed").isRefusal }
    #expect(
      Set(refusing) == [
        .cannotCopy, .cannotSplit, .checkFailed, .damaged, .empty, .encrypted, .notAFile,
        .notARecording, .notAccepted, .nothingToPlay, .overLimit, .tooHighToCopy, .tooLarge,
      ])
    for code in [HoldfastError.Code.damaged, .tooLarge, .notAFile] {
      let error = HoldfastError(code, operation: "read", path: "catalog.sqlite")
      #expect(!error.isRefusal, "\(code.rawValue)")
    }
  }
}
