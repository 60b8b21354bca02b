import Foundation

/// The repository that the tests were built from.
public enum Repository {
  /// The absolute path of the repository.
  public static let root = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().path

  /// The codes of errors, in the order of their declarations.
  public static var errorCodes: [String] {
    get throws {
      let file = "\(root)/Sources/HoldfastModel/Errors/HoldfastError+Codes.swift"
      return try String(contentsOfFile: file, encoding: .utf8)
        .matches(of: /static let (\w+) = Self\(rawValue: "(\w+)"\)/)
        .map { $0.1 == $0.2 ? String($0.1) : "\($0.1) is named \($0.2)" }
    }
  }
}

/// The small media files in `fixtures/`; its README explains each.
public enum Fixtures {
  /// The absolute path of a fixture.
  public static func path(_ name: String) -> String { Repository.root + "/fixtures/" + name }

  /// The expected result for each fixture.
  public static let manifest: [ManifestRow] = {
    let rows = ManifestRow.rows(of: path("MANIFEST.tsv"))
    precondition(!rows.isEmpty, "fixtures/MANIFEST.tsv cannot be read")
    return rows
  }()
}

/// Small files of rare kinds outside the repository. They are optional.
public enum Cases {
  /// The absolute path of a file in `../shared/cases`; `nil` if it is not there.
  public static func path(_ name: String) -> String? {
    let beside = URL(fileURLWithPath: Repository.root).deletingLastPathComponent().path
    let path = beside + "/shared/cases/" + name
    return FileManager.default.fileExists(atPath: path) ? path : nil
  }
}

/// Real media files outside the repository. They are optional.
public enum Corpus {
  /// The folder of the corpus: `$HOLDFAST_CORPUS`, else `../shared/corpus`; `nil` if there is none.
  public static let folder: String? = {
    let beside = URL(fileURLWithPath: Repository.root).deletingLastPathComponent().path
    let folder =
      ProcessInfo.processInfo.environment["HOLDFAST_CORPUS"] ?? beside + "/shared/corpus"
    return FileManager.default.fileExists(atPath: folder + "/MANIFEST.tsv") ? folder : nil
  }()

  /// The expected result for each file; empty without a corpus.
  public static let manifest: [ManifestRow] =
    folder.map { ManifestRow.rows(of: $0 + "/MANIFEST.tsv") } ?? []

  /// The absolute path of a file, if there is a corpus.
  public static func path(_ name: String) -> String? { folder.map { $0 + "/" + name } }
}
