/// What a media engine is made of.
public struct MediaLibraries: Codable, Hashable, Sendable {
  /// The versions of the libraries, by name.
  public var versions: [String: String]
  /// Which of the encoders that Holdfast uses are there, by FFmpeg's name.
  public var encoders: [String: Bool]

  /// Makes a description.
  public init(versions: [String: String], encoders: [String: Bool]) {
    self.versions = versions
    self.encoders = encoders
  }
}

/// Something that a worker must not be able to do.
public struct Door: Codable, Hashable, Sendable {
  /// What is behind a door.
  public enum Kind: String, Codable, Hashable, Sendable, CaseIterable {
    /// Files: no path can be opened.
    case files
    /// Networks: no socket can be made.
    case network
    /// Programs: none can be started, and no process made.
    case programs
    /// Other processes: they cannot be traced or ended.
    case processes
    /// Privileges: none can be gained.
    case privileges
    /// The worker's own memory, of which nobody else and no core dump sees anything.
    case dumps
  }

  /// What is behind it.
  public var kind: Kind
  /// Whether an attempt to pass it was refused.
  public var isShut: Bool
  /// By what means it is shut, such as `Landlock 7`.
  public var means: [String]

  /// Makes a description of a door.
  public init(kind: Kind, isShut: Bool, means: [String]) {
    self.kind = kind
    self.isShut = isShut
    self.means = means
  }
}

/// What a worker says of itself.
public struct WorkerDescription: Codable, Hashable, Sendable {
  /// What it reads and makes media with.
  public var libraries: MediaLibraries
  /// The doors that it shut behind it, each tried.
  public var doors: [Door]
  /// The version of the kernel's Landlock; `nil` where there is none.
  public var landlock: Int?

  /// Makes a description.
  public init(libraries: MediaLibraries, doors: [Door], landlock: Int?) {
    self.libraries = libraries
    self.doors = doors
    self.landlock = landlock
  }
}
