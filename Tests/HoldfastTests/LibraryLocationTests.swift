import Holdfast
import Testing

@Suite("Where the library is")
struct LibraryLocationTests {
  @Test(
    "The option goes first, then the environment, then the home folder",
    arguments: [
      ("/named", ["HOLDFAST_LIBRARY": "/set", "HOME": "/home/u"], "/named", false),
      (nil, ["HOLDFAST_LIBRARY": "/set", "XDG_DATA_HOME": "/data", "HOME": "/h"], "/set", false),
      (nil, ["XDG_DATA_HOME": "/data", "HOME": "/home/u"], "/data/holdfast", true),
      (nil, ["XDG_DATA_HOME": "data", "HOME": "/home/u"], "/home/u/.local/share/holdfast", true),
      ("/h/.local/share/holdfast", ["HOME": "/h"], "/h/.local/share/holdfast", true),
      (nil, ["HOLDFAST_LIBRARY": "", "HOME": "/home/u"], "/home/u/.local/share/holdfast", true),
    ])
  func order(option: String?, environment: [String: String], path: String, mayMake: Bool) throws {
    let location = try LibraryLocation.resolve(option: option, environment: environment)
    #expect(location == LibraryLocation(path: path, mayMakeParents: mayMake))
  }

  @Test("Without any of them, there is no location")
  func nowhere() {
    #expect(throws: HoldfastError.self) {
      try LibraryLocation.resolve(option: nil, environment: [:])
    }
  }
}
