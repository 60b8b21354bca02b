import Foundation
import HoldfastModel
import Testing

@Suite("A path in the library's tree")
struct RelativePathTests {
  @Test(
    "A path under Recordings is accepted as it is",
    arguments: [
      "Recordings/a", "Recordings/Thumbnails/a.jpg", "Recordings/…/é", "Recordings/.hidden",
      "Recordings/...", "Recordings/a b",
      "Recordings/" + String(repeating: "a", count: 255),
    ])
  func takes(_ string: String) throws {
    let path = try #require(RelativePath(string))
    #expect(path.string == string)
    #expect(path.components.joined(separator: "/") == string)
  }

  @Test(
    "A path that could lead elsewhere is refused",
    arguments: [
      "", "/", "Recordings", "Recordings/", "/Recordings/a", "Recordings//a", "Recordings/a/",
      "Recordings/.", "Recordings/..", "Recordings/../a", "Recordings/a/../../b", "./Recordings/a",
      "../Recordings/a", "recordings/a", "Recordings\\a", "Catalog/a", "RecordingsX/a",
      "Recordings/a\0b", "Recordings/a\nb", "Recordings/a\u{7F}b", "Recordings/\u{1}a",
      "Recordings/" + String(repeating: "a", count: 256),
      "Recordings" + String(repeating: "/" + String(repeating: "a", count: 250), count: 5),
    ])
  func refuses(_ string: String) {
    #expect(RelativePath(string) == nil)
  }

  @Test("A combining mark after a slash hides no slash and no dots")
  func combiningMarks() {
    // In characters, "/\u{301}" is not "/": a split by characters would see one component.
    #expect(RelativePath("Recordings/a/\u{301}b")?.components.count == 3)
    #expect(RelativePath("Recordings/\u{301}/../../b") == nil)
    #expect(RelativePath("Recordings/a/\u{301}/..") == nil)
  }

  @Test("Paths of media and thumbnails contain the recording's ID, which can be read back")
  func names() throws {
    let id = try #require(RecordingID(uuidString: "6F9619FF-8B86-D011-B42D-00C04FC964FF"))
    let video = RelativePath.media(.video, id: id)
    let audio = RelativePath.media(.audio, id: id)
    let thumbnail = RelativePath.thumbnail(id: id)
    #expect(video.string == "Recordings/video_6F9619FF-8B86-D011-B42D-00C04FC964FF.mov")
    #expect(audio.string == "Recordings/audio_6F9619FF-8B86-D011-B42D-00C04FC964FF.m4a")
    #expect(
      thumbnail.string
        == "Recordings/Thumbnails/video_6F9619FF-8B86-D011-B42D-00C04FC964FF_thumb.jpg")
    for path in [video, audio, thumbnail] {
      #expect(path.recordingID == id)
      #expect(RelativePath(path.string) == path)
    }
    #expect(video.name == "video_6F9619FF-8B86-D011-B42D-00C04FC964FF.mov")
  }

  @Test(
    "A path that only resembles a recording's does not count as one",
    arguments: [
      "Recordings/video_6F9619FF-8B86-D011-B42D-00C04FC964FF.m4a",
      "Recordings/audio_6F9619FF-8B86-D011-B42D-00C04FC964FF.mov",
      "Recordings/video_6f9619ff-8b86-d011-b42d-00c04fc964ff.mov",
      "Recordings/x/video_6F9619FF-8B86-D011-B42D-00C04FC964FF.mov",
      "Recordings/video_6F9619FF-8B86-D011-B42D-00C04FC964FF.mov.part",
      "Recordings/video_6F9619FF.mov", "Recordings/notes.txt", "Recordings/_",
    ])
  func strangers(_ string: String) throws {
    #expect(try #require(RelativePath(string)).recordingID == nil)
  }

  @Test("JSON holds one string, and a bad one is refused")
  func codable() throws {
    let path = try #require(RelativePath("Recordings/a.mov"))
    let data = try JSONEncoder().encode([path])
    #expect(try JSONDecoder().decode([String].self, from: data) == [path.string])
    #expect(try JSONDecoder().decode([RelativePath].self, from: data) == [path])
    #expect(throws: DecodingError.self) {
      try JSONDecoder().decode([RelativePath].self, from: Data(#"["Recordings/../a"]"#.utf8))
    }
  }
}
