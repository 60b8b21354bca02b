/// A name in an open folder, or a path of its own.
struct DirectoryRelativePath {
  /// The folder that the name is in. `nil` when the name is a path of its own.
  let directory: OpenFile?
  /// The name's bytes, without a NUL at the end.
  let name: [UInt8]

  init(in directory: OpenFile? = nil, _ name: [UInt8]) {
    self.directory = directory
    self.name = name
  }

  init(in directory: OpenFile? = nil, _ name: String) {
    self.init(in: directory, Array(name.utf8))
  }

  /// The whole path, for messages.
  var path: String {
    let name = String(decoding: name, as: UTF8.self)
    guard let directory else { return name }
    return directory.path.hasSuffix("/") ? directory.path + name : "\(directory.path)/\(name)"
  }
}

struct DirectoryEntry {
  let name: [UInt8]
  /// The kind of the entry. A symbolic link is not followed.
  let kind: FileIdentity.Kind

  /// The name as text. `nil` when it is not UTF-8, and so not a name that Holdfast gives.
  var text: String? { String(validating: name, as: UTF8.self) }
}
