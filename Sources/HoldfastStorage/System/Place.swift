/// A name in an open folder, or a path that stands by itself.
struct Place {
  /// The folder that the name is in; `nil` when the name is a path of its own.
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

/// One name that a folder holds.
struct DirectoryEntry {
  /// The name's bytes.
  let name: [UInt8]
  /// What stands under the name; a symbolic link is not followed.
  let kind: FileIdentity.Kind

  /// The name as text; `nil` when it is not UTF-8, and so none of ours.
  var text: String? { String(validating: name, as: UTF8.self) }
}
