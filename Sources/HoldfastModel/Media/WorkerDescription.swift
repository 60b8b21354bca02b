/// The libraries that a media engine uses.
public struct MediaLibraries: Codable, Hashable, Sendable {
  /// The versions of the libraries, by name.
  public var versions: [String: String]
  /// Which of the encoders that Holdfast uses are available, by FFmpeg's name.
  public var encoders: [String: Bool]

  /// Makes a description.
  public init(versions: [String: String], encoders: [String: Bool]) {
    self.versions = versions
    self.encoders = encoders
  }
}

/// Something that a worker must not be able to do.
public struct Door: Codable, Hashable, Sendable {
  /// The resources that a door leads to.
  public enum Kind: String, Codable, Hashable, Sendable, CaseIterable {
    /// Files. No path can be opened.
    case files
    /// Networks. No socket can be made.
    case network
    /// Programs. None can be started, and no process can be made.
    case programs
    /// Other processes. They cannot be traced or ended.
    case processes
    /// Privileges. None can be gained.
    case privileges
    /// The worker's own memory. No other process and no core dump can see it.
    case dumps
  }

  /// The resources that the door leads to.
  public var kind: Kind
  /// Whether the kernel refused an attempt to pass the door.
  public var isShut: Bool
  /// The means that shut the door, such as `Landlock`.
  public var means: [String]

  /// Makes a description of a door.
  public init(kind: Kind, isShut: Bool, means: [String]) {
    self.kind = kind
    self.isShut = isShut
    self.means = means
  }
}

/// A worker's report about itself.
public struct WorkerDescription: Codable, Hashable, Sendable {
  /// The libraries that the worker reads and makes media with.
  public var libraries: MediaLibraries
  /// The doors that the worker shut and then tried.
  public var doors: [Door]
  /// The version of the kernel's Landlock; `nil` without Landlock.
  public var landlock: Int?

  /// Makes a description.
  public init(libraries: MediaLibraries, doors: [Door], landlock: Int?) {
    self.libraries = libraries
    self.doors = doors
    self.landlock = landlock
  }
}
