import Foundation
import HoldfastModel
import Testing

@Suite("The name that is shown for a recording without a title")
struct FileNameTitleTests {
  @Test(
    "What a person wrote into the file's name is shown",
    arguments: [
      ("Why I stopped.m4a", "Why I stopped"), ("why_i_stopped.m4a", "why i stopped"),
      ("Voice 001 - why I stopped.m4a", "why I stopped"), ("IMG_0412 beach.mov", "beach"),
      ("Video for mom.mp4", "Video for mom"), ("20250608 Mom's birthday.m4a", "Mom's birthday"),
      ("10 reasons.m4a", "10 reasons"), ("My Recording 5.m4a", "My Recording 5"),
      ("lighthouse 2025-06-08.m4a", "lighthouse"), ("灯台.m4a", "灯台"), ("Café №5.m4a", "Café №5"),
      ("Dr. Who.m4a", "Dr. Who"), ("facade.m4a", "facade"),
    ])
  func words(_ fileName: String, _ title: String) throws {
    #expect(try Self.recording(fileName).displayTitle == title)
  }

  @Test(
    "A device's name is not shown",
    arguments: [
      "IMG_0412.MOV", "IMG_E0412.MOV", "PXL_20250101_120000.mp4", "PXL_20250101_120000123.TS.mp4",
      "VID_20250101_120000.mp4", "VID-20240101-WA0001.mp4", "Voice 001.m4a", "New Recording 3.m4a",
      "New Recording.m4a", "WhatsApp Audio 2024-01-01 at 12.00.00.opus", "AUD-20240101-WA0001.m4a",
      "REC001.wav", "REC_20250101.m4a", "Recording (2).m4a", "2025-06-08.m4a", "20250608.m4a",
      "20250608 074812-8D5A1B2C.m4a", "8D5A1B2C-1111-4222-8333-ABCDEFABCDEF.m4a",
      "DEADBEEF-ABCD-ABCD-ABCD-ABCDEFABCDEF.m4a", "MVI_1234.AVI", "DSC00012.MP4", "GX010012.MP4",
      "PTT-20240101-WA0001.opus", "Screen Recording 2024-01-01 at 3.42.00 PM.mov", "001.mp3",
      "Neue Aufnahme 3.m4a", "signal-2024-01-01-120000.m4a", "...", "",
    ])
  func devices(_ fileName: String) throws {
    var recording = try Self.recording(fileName)
    #expect(recording.displayTitle == "Video, Sat 25 Oct 2025, 15:42")
    recording.type = .audio
    #expect(recording.displayTitle == "Sound, Sat 25 Oct 2025, 15:42")
  }

  private static func recording(_ fileName: String) throws -> Recording {
    var recording = try Samples.recording()
    recording.ingestion.originalFilename = fileName
    return recording
  }
}
