package import Foundation

extension FileManager {
  /// Whether a path leads to a file that can be run. A folder can be "executable" too.
  package func isProgram(atPath path: String) -> Bool {
    var isFolder = ObjCBool(false)
    return unsafe fileExists(atPath: path, isDirectory: &isFolder) && !isFolder.boolValue
      && isExecutableFile(atPath: path)
  }
}
