import Foundation
import Holdfast
import HoldfastTestSupport
import Testing

@Suite("The folder for backups", .temporaryFolder)
struct BackupFolderTests {
  @Test("The folder for backups is noted in the library, seen by others, and forgotten by an erase")
  func backupFolder() throws {
    let (library, other) = (try open(nil), try open(nil, for: .reading))
    #expect(try library.backupFolder() == nil)
    try library.noteBackupFolder("/media/usb \"1\"\n")
    #expect(try other.backupFolder() == "/media/usb \"1\"\n")
    try library.noteBackupFolder("/" + String(repeating: "\u{1}", count: 4000))
    #expect(try other.backupFolder() == nil)
    try library.noteBackupFolder("/media/usb")
    #expect(throws: HoldfastError.self) { try other.noteBackupFolder("/elsewhere") }
    #expect(try open(nil, for: .reading).backupFolder() == "/media/usb")
    try library.eraseEverything()
    #expect(try other.backupFolder() == nil)
    #expect(try library.uuid() == other.uuid())
  }
}
