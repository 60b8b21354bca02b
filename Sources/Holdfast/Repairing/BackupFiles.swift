import Foundation
import HoldfastCatalog
import HoldfastModel
import HoldfastStorage
import HoldfastSupport

/// The files in which a repair looks for missing ones: files in quarantine, files that a user
/// named, and other recordings with the same bytes.
///
/// Each file in quarantine or named by the user is hashed at most once. It is hashed only if it has
/// the size that is wanted, or if the size of a wanted source is unknown. A database is never
/// opened.
struct BackupFiles {
  /// A file with the bytes of a recording's file.
  enum Match {
    case quarantined(QuarantinedFile)
    case outside(OpenFile, path: String)
  }

  private enum Origin {
    case quarantined(QuarantinedFile)
    case outside(SourceRoute)
  }

  private struct Candidate {
    var origin: Origin
    var size: Int64
    /// The file's hash. The outer `nil` means that it was not hashed yet, the inner one that it
    /// cannot be read.
    var hash: SHA256Digest??
    var isGone = false
  }

  private let library: Library
  private let tree: LibraryTree
  /// The library's own catalog, which may have a second name.
  private let catalog: FileIdentity?
  private var candidates: [Candidate] = []
  private var bySize: [Int64: [Int]] = [:]
  /// A sentence for each file that could not be read. A missing file may be among them.
  private(set) var failures: [String] = []

  /// Lists the files. None is opened yet.
  ///
  /// - Parameters:
  ///   - paths: The files and folders that the user named.
  ///   - takesQuarantined: Whether files may be moved out of quarantine.
  init(
    of library: Library, _ tree: LibraryTree, _ paths: [String], takesQuarantined: Bool
  ) throws {
    self.library = library
    self.tree = tree
    catalog = try? SourcePath(tree.catalogFile.path).identity()
    if takesQuarantined {
      var failures: [String] = []
      for file in try tree.quarantines.files(orFail: { failures.append("\($0)") }) {
        add(Candidate(origin: .quarantined(file), size: file.identity.size))
      }
      self.failures = failures
    }
    for path in paths.map({ SourcePath($0) }) {
      guard path.isFolder else {
        addOutside(SourceRoute(typed: path))
        continue
      }
      for entry in FolderWalk(SourceRoute(typed: path), enteringLibraries: true) {
        switch entry {
        case .file(let file, .regular): addOutside(file)
        case .unreadable(_, let error): self.failures.append(HoldfastError.explanation(of: error))
        case .file, .folder, .library: continue
        }
      }
    }
  }

  private mutating func addOutside(_ file: SourceRoute) {
    guard !file.path.hasDatabaseName else { return }
    do {
      let identity = try file.identity()
      guard identity.kind == .regular, catalog.map(identity.isSameFile(as:)) != true else { return }
      add(Candidate(origin: .outside(file), size: identity.size))
    } catch {
      failures.append(HoldfastError.explanation(of: error))
    }
  }

  private mutating func add(_ candidate: Candidate) {
    bySize[candidate.size, default: []].append(candidates.count)
    candidates.append(candidate)
  }

  /// Returns a file with the bytes of a recording's file, or `nil` if there is none.
  mutating func file(of row: StoredFiles) async throws -> Match? {
    for index in bySize[row.fileSize] ?? [] where !candidates[index].isGone {
      guard try await hash(of: index) == row.fileSHA256 else { continue }
      switch candidates[index].origin {
      case .quarantined(let file):
        candidates[index].isGone = true
        return .quarantined(file)
      case .outside(let file):
        return .outside(try file.open(), path: file.path.description)
      }
    }
    return try await twin(of: row)
  }

  private func twin(of row: StoredFiles) async throws -> Match? {
    let tree = tree
    for twin in try library.catalog.files.matching(sha256: row.fileSHA256) where twin.id != row.id {
      guard let path = RelativePath(twin.filePath), let file = try? tree.openForReading(path),
        (try? await onOwnThread({ stop in try file.sha256(until: stop) })) == row.fileSHA256
      else { continue }
      return .outside(
        file, path: "the \(twin.type == nil ? "photo" : "recording") \(twin.id.short)")
    }
    return nil
  }

  /// Returns the source of a recording among the files that the user named, or `nil` if it is not
  /// there.
  mutating func source(of made: Ingestion) async throws -> (OpenFile, path: String)? {
    var namesakes: [(index: Int, file: SourceRoute)] = []
    var others = namesakes
    // An older Holdfast did not store the source's size. Then any file may be the source, so those
    // with its name come first.
    let size = made.conversion?.sourceSize
    for index in size.map({ bySize[$0] ?? [] }) ?? Array(candidates.indices) {
      guard case .outside(let file) = candidates[index].origin else { continue }
      if file.path.name == made.originalFilename {
        namesakes.append((index, file))
      } else {
        others.append((index, file))
      }
    }
    for (index, file) in namesakes + others
    where try await hash(of: index) == made.sourceSHA256 {
      return (try file.open(), file.path.description)
    }
    return nil
  }

  private mutating func hash(of index: Int) async throws -> SHA256Digest? {
    if let known = candidates[index].hash { return known }
    let origin = candidates[index].origin
    do {
      let hash = try await onOwnThread { stop in
        switch origin {
        case .quarantined(let file): try file.openForReading().sha256(until: stop)
        case .outside(let file): try file.open().sha256(until: stop)
        }
      }
      candidates[index].hash = hash
      return hash
    } catch let error as HoldfastError where error.layer == .storage {
      failures.append(HoldfastError.explanation(of: error))
      candidates[index].hash = .some(nil)
      return nil
    }
  }
}
