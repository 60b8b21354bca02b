import Foundation
import Glibc
import HoldfastSupport

/// The files and folders that a program needs to run: its own, those of its interpreter, and the
/// system's programs and libraries.
struct ReadableFolders {
  private static let system = [
    "/usr", "/lib", "/lib32", "/lib64", "/bin", "/sbin", "/etc/alternatives", "/etc/ld.so.cache",
    "/etc/ld.so.conf", "/etc/ld.so.conf.d", "/etc/localtime", "/nix/store", "/gnu/store",
  ]
  /// The names of folders of programs, which lie in the folder that holds the rest.
  private static let programFolders: Set = ["bin", "sbin", "shims", "libexec"]
  /// The most interpreters and links that are followed.
  private static let mostSteps = 8
  private static let longestLine = 1024

  private let home: String
  /// A folder that no readable folder may hold, such as the library's.
  private let hidden: String
  private(set) var paths = Self.system
  /// Variables that the program needs to find its parts.
  private(set) var environment: [String] = []

  init(home: String, hidden: String) {
    self.home = home
    self.hidden = hidden
  }

  /// Adds a program with everything that it needs.
  mutating func add(program path: String) { add(path, steps: Self.mostSteps) }

  /// Adds a model: a file or a folder. One that was downloaded from a hub is a folder of links in
  /// `snapshots`, which lead to the files in `blobs`.
  mutating func add(model path: String) {
    add(file: path)
    let snapshots = Self.parent(of: Self.real(path))
    guard URL(filePath: snapshots).lastPathComponent == "snapshots" else { return }
    let blobs = Self.parent(of: snapshots) + "/blobs"
    for name in Self.names(in: path) {
      let file = Self.real("\(path)/\(name)")
      if Self.parent(of: file) == blobs, Self.isFile(file) { paths.append(file) }
    }
  }

  /// Adds a file or a folder that the user named.
  mutating func add(file path: String) { paths.append(Self.real(path)) }

  private mutating func add(_ path: String, steps: Int) {
    guard steps > 0 else { return }
    add(file: path)
    for place in Set([path, Self.real(path)]) {
      addPrefix(of: place, steps: steps)
    }
    if let interpreter = interpreter(of: path) { add(interpreter: interpreter, steps: steps - 1) }
  }

  /// Adds a program that a file names, which may name anything: of the user's files only an
  /// installation of Python is readable because of it.
  private mutating func add(interpreter path: String, steps: Int) {
    let file = Self.real(path)
    guard steps > 0, path.hasPrefix("/"), FileManager.default.isProgram(atPath: file) else {
      return
    }
    if !Self.holds(home, file) { paths.append(file) }
    for place in Set([path, file]) {
      let prefix = Self.parent(of: Self.parent(of: place))
      let isPython =
        URL(filePath: place).lastPathComponent.hasPrefix("python")
        && (Self.isFile("\(prefix)/pyvenv.cfg")
          || Self.names(in: "\(prefix)/lib").contains { $0.hasPrefix("python3") })
      guard isPython else { continue }
      paths.append(file)
      addPrefix(of: place, steps: steps)
    }
    if let next = interpreter(of: file) { add(interpreter: next, steps: steps - 1) }
  }

  /// Adds the folder in which a program was installed.
  private mutating func addPrefix(of path: String, steps: Int) {
    let folder = Self.parent(of: path)
    let isProgramFolder = Self.programFolders.contains(URL(filePath: folder).lastPathComponent)
    let prefix = isProgramFolder ? Self.parent(of: folder) : folder
    if folder.hasSuffix("/shims") { environment.append("PYENV_ROOT=\(prefix)") }
    if prefix == "\(home)/.local" { return addUserPackages(in: prefix) }
    guard isOwn(prefix) else { return }
    // A folder that is not one of programs, such as that of downloads, may hold anything.
    guard isProgramFolder else { return addLibraries(in: folder) }
    paths.append(Self.real(prefix))
    // A virtual environment's Python belongs to another installation.
    guard let settings = Self.text(of: "\(prefix)/pyvenv.cfg") else { return }
    let homes = settings.split(separator: "\n").compactMap { line -> String? in
      let parts = line.split(separator: "=", maxSplits: 1)
      let words = parts.map { $0.trimmingCharacters(in: .whitespaces) }
      return words.count == 2 && words[0] == "home" ? words[1] : nil
    }
    guard let home = homes.last else { return }
    add(interpreter: "\(home)/python3", steps: steps - 1)
  }

  /// Whether a folder holds neither the home folder nor the library.
  private func isOwn(_ folder: String) -> Bool { !holds(folder, home) && !holds(folder, hidden) }

  /// Adds the libraries beside a program.
  private mutating func addLibraries(in folder: String) {
    for name in Self.names(in: folder) where Self.isLibrary(name) {
      let file = Self.real("\(folder)/\(name)")
      if Self.isLibrary(URL(filePath: file).lastPathComponent), Self.isFile(file) {
        paths.append(file)
      }
    }
  }

  /// Whether a file's name is that of a library: `libwhisper.so.1.7`.
  private static func isLibrary(_ name: String) -> Bool {
    name.wholeMatch(of: /.+\.so(?:\.[0-9]+)*/) != nil
  }

  /// Adds what `pip install --user` installed. The rest of `.local` is the user's own.
  private mutating func addUserPackages(in folder: String) {
    environment.append("PYTHONUSERBASE=\(folder)")
    paths += Self.names(in: "\(folder)/lib").filter { $0.hasPrefix("python") }
      .map { "\(folder)/lib/\($0)" }
  }

  /// Whether a path is the home folder or holds it.
  func holdsHome(_ path: String) -> Bool { holds(path, home) }

  private func holds(_ folder: String, _ path: String) -> Bool {
    Self.holds(folder, path) || Self.holds(Self.real(folder), Self.real(path))
  }

  /// Whether a folder is this path, or above it.
  static func holds(_ folder: String, _ path: String) -> Bool {
    folder == "/" || folder == path || path.hasPrefix(folder + "/")
  }

  /// Returns the program that runs a script; `nil` if it is not a script.
  private func interpreter(of path: String) -> String? {
    guard let lines = Self.text(of: path)?.split(separator: "\n"), let first = lines.first,
      first.hasPrefix("#!")
    else { return nil }
    let words = first.dropFirst(2).split(separator: " ").map(String.init)
    // pip writes this for a path that is too long or has spaces.
    if words.first == "/bin/sh", lines.count > 1, lines[1].hasPrefix("'''exec' ") {
      let rest = lines[1].dropFirst("'''exec' ".count)
      return rest.split(separator: rest.hasPrefix("\"") ? "\"" : " ").first.map(String.init)
    }
    if words.first?.hasSuffix("/env") == true {
      return words.dropFirst().first { !$0.hasPrefix("-") }.flatMap(Self.inSearchPath)
    }
    return words.first
  }

  private static func inSearchPath(_ name: String) -> String? {
    if name.contains("/") { return name }
    return (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
      .map { "\($0)/\(name)" }.first { FileManager.default.isProgram(atPath: $0) }
  }

  private static func names(in folder: String) -> [String] {
    (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
  }

  /// Whether a path, without links, is that of a regular file.
  static func isFile(_ path: String) -> Bool {
    let type = try? FileManager.default.attributesOfItem(atPath: real(path))[.type]
    return type as? FileAttributeType == .typeRegular
  }

  /// Returns the beginning of a file as text.
  private static func text(of path: String) -> String? {
    guard isFile(path), let file = FileHandle(forReadingAtPath: path) else { return nil }
    return (try? file.read(upToCount: longestLine)).map { String(decoding: $0, as: UTF8.self) }
  }

  private static func parent(of path: String) -> String {
    URL(filePath: path).deletingLastPathComponent().path(percentEncoded: false).trimmedSlash
  }

  /// Returns the path without links; unchanged if nothing is there. The corresponding C function is
  /// `realpath`.
  static func real(_ path: String) -> String {
    guard let resolved = unsafe realpath(path, nil) else { return path }
    defer { unsafe free(resolved) }
    return unsafe String(cString: resolved)
  }
}

extension String {
  fileprivate var trimmedSlash: String { count > 1 && hasSuffix("/") ? String(dropLast()) : self }
}
