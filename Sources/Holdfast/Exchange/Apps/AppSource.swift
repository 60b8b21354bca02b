import Foundation
import HoldfastCatalog
import HoldfastModel
import HoldfastStorage

/// What was found at a path: an app's rows and files.
struct AppSource {
  /// What it is, for people: `the container of an app`.
  var form: String
  var rows = AppRows()
  var files: AppFiles
  /// What was left out, a sentence each.
  var notes: [String] = []
  /// The documents and folders that could not be read, a sentence each.
  var unreadable: [String] = []
  /// Whether a person named the folder, and not one file in it.
  let isFolder: Bool

  /// The largest document that is read, in bytes.
  private static let largestDocument: Int64 = 256 << 20
  /// The bytes with which an SQLite database begins.
  private static let storeMagic = Array("SQLite format 3\0".utf8)

  /// The store of the voice memos.
  private static let memos = "CloudRecordings.db"

  private static let foreign = RuleError("is not a document of an app that Holdfast knows")

  private let models: [AppModel]
  private let copies: StoreCopies

  private var entities: Set<String> { models.reduce(into: []) { $0.formUnion($1.entities) } }

  /// Recognises what is at a path, and reads it.
  ///
  /// - Parameter name: The name of the folder or file in errors; its path if `nil`.
  /// - Throws: `HoldfastError` if it is not an app's data, or cannot be read.
  init(
    at path: SourcePath, named name: String? = nil, app: String?, _ models: [AppModel],
    copyingInto copies: StoreCopies
  ) throws {
    (self.models, self.copies) = (models, copies)
    isFolder = path.isFolder
    let folder = try SourceFolder(isFolder ? path : path.folder)
    files = AppFiles(folder: folder, layout: .documents)
    form = ""
    do {
      if isFolder { try readFolder(app) } else { try readFile(path) }
    } catch let error as RuleError {
      throw HoldfastError(
        error == Self.foreign ? .foreignDocument : .unreadableDocument,
        "\(name?.escapedForDisplay ?? path.description): \(error)")
    }
  }

  /// Leaves out the records of other people.
  ///
  /// - Throws: `HoldfastError` if there are none of this one.
  mutating func keepOnly(user: String) throws(HoldfastError) {
    guard rows.names(user: user) else {
      throw HoldfastError(
        .foreignDocument,
        "\(files.folder.path): has no records of \"\(user.cut(to: 60).escapedForDisplay)\"; "
          + "without --user, the report names the people")
    }
    let count = rows.keepOnly(user: user)
    if count > 0 { notes.append("\(count.counted("row")) of other people left out") }
  }

  private mutating func readFolder(_ app: String?) throws {
    let folder = files.folder
    func isThere(_ path: String, _ kind: FileIdentity.Kind) throws(HoldfastError) -> Bool {
      try folder.kind(of: path) == kind
    }
    if try isThere("Manifest.db", .regular) { return try readBackup(app) }
    if app != nil { notes.append("the app's name was not used: this is not a phone's backup") }
    for prefix in ["AppData/", ""] {
      let hasDocuments = try isThere(prefix + "Documents", .directory)
      guard try hasDocuments || isThere(prefix + AppFiles.store, .regular) else { continue }
      files = AppFiles(folder: folder, layout: .container(prefix: prefix))
      form = "the container of an app"
      return try readStoreAndDocuments()
    }
    for prefix in ["", "Recordings/"] where try isThere(prefix + Self.memos, .regular) {
      files = AppFiles(folder: folder, layout: .container(prefix: ""), bases: [prefix])
      form = "voice memos"
      rows = try rows(ofStore: prefix + Self.memos) { try folder.open($0) }
      return
    }
    if try isThere("default.store", .regular) {
      form = "the store of an app"
      rows = try rows(ofStore: "default.store") { try folder.open($0) }
      return
    }
    form = "the documents of an app"
    try readDocuments()
    guard try isThere("Recordings", .directory) || !rows.names.isEmpty else {
      if try isThere("Backups", .directory) {
        throw RuleError(
          "has only the backups that the app made; import the newest file in Backups by its name")
      }
      throw RuleError(
        "is not a folder of an app: it has no Documents, Recordings, default.store, "
          + "CloudRecordings.db or Manifest.db; bring in recordings by themselves with holdfast "
          + "import")
    }
  }

  private mutating func readStoreAndDocuments() throws {
    if try files.open(AppFiles.store) != nil {
      rows = try rows(ofStore: AppFiles.store) { [files] in try files.open($0) }
    }
    try readDocuments()
  }

  private mutating func readDocuments() throws {
    let listing = files.listing(below: "Documents")
    unreadable += listing.unreadable.map { HoldfastError.explanation(of: $0) }
    let backups = listing.files.count { $0.hasPrefix("Documents/Backups/") }
    if backups > 0 {
      notes.append(
        "Backups: \(backups.counted("file")) left out; a backup that the app made is imported by "
          + "its own name")
    }
    // Documents lie beside the folders of recordings and photos.
    var documents = AppRows()
    for path in listing.files
    where path.hasSuffix(".json") && path.split(separator: "/").count == 2 {
      guard let file = try files.open(path) else { continue }
      do {
        documents.append(try rows(of: Data(file.bytes(atMost: Self.largestDocument))))
      } catch let error as RuleError {
        let sentence = "\(SourcePath(path).name.escapedForDisplay): \(error); "
        if error == Self.foreign {
          notes.append(sentence + "left out")
        } else {
          unreadable.append(sentence + "nothing in it was imported")
        }
      }
    }
    rows.add(documents)
  }

  private mutating func readFile(_ path: SourcePath) throws {
    let file = try SourceFile.open(path)
    guard try file.identity().kind == .regular else { throw RuleError("is not a regular file") }
    var start: [UInt8] = []
    try? file.forEachChunk(of: Self.storeMagic.count) { chunk in
      start = Array(chunk)
      throw CancellationError()
    }
    if start == Self.storeMagic {
      form = "the store of an app"
      rows = try rows(ofStore: path.name) { [files] in try files.folder.open($0) }
    } else if let first = start.first, !"{[ \t\r\n\u{FEFF}".utf8.contains(first),
      !NotMedia.extensions.union(["", "store"]).contains(path.pathExtension)
    {
      throw RuleError("looks like a recording; bring it in with holdfast import")
    } else {
      form = "a document of an app"
      rows = try rows(of: Data(file.bytes(atMost: Self.largestDocument)))
    }
  }

  /// Reads a store. Core Data keeps large values in files of their own, in a hidden folder beside
  /// it.
  private func rows(
    ofStore store: String, _ open: (String) throws -> OpenFile?
  ) throws -> AppRows {
    let name = store.split(separator: "/").last ?? ""
    let stem = name.prefix(upTo: name.lastIndex(of: ".") ?? name.endIndex)
    let values = "\(store.dropLast(name.count)).\(stem)_SUPPORT/_EXTERNAL_DATA/"
    let rows = try copies.reading {
      try open(store + $0)
    } _: { copy in
      try AppStore.rows(at: copy, of: entities) { name, limit in
        try open(values + name).map { Data(try $0.bytes(atMost: limit)) }
      }
    }
    guard !rows.names.isEmpty else {
      let names = rows.leftOut.map(\.name).prefix(3).joined(separator: ", ")
      throw RuleError(
        "is a store of an app that Holdfast does not know"
          + (names.isEmpty ? "" : ": it has \(names.cut(to: 120).escapedForDisplay)"))
    }
    return rows
  }

  private func rows(of json: Data) throws -> AppRows {
    guard let document = try? JSONDecoder().decode(AppValue.self, from: json) else {
      throw RuleError("is not readable JSON, or is nested too deep; copy it from the app again")
    }
    if document["format"].text == ExportDocument.format, document["versions"].object != nil {
      throw RuleError("is an export of Holdfast, which holdfast import-data reads")
    }
    if case .text(let payload) = document["payload"], !document["checksum"].isNull {
      guard document["isCompressed"].flag != true else {
        throw RuleError(
          "is a compressed backup of the app; use the app's Export Data, which writes plain JSON")
      }
      guard let json = Data(base64Encoded: payload), !json.isEmpty else {
        throw RuleError("is a backup of the app whose payload is not in base64")
      }
      let checksums = [json, Data(payload.utf8)].map {
        SHA256Digest(hashing: Array($0)).hexadecimal
      }
      guard let checksum = document["checksum"].text, checksums.contains(checksum.lowercased())
      else {
        throw RuleError(
          "is a damaged backup of the app: its payload does not have its checksum; copy it from "
            + "the phone again")
      }
      return try rows(of: json)
    }
    guard let rows = AppRows(document, models) else {
      throw Self.foreign
    }
    return rows
  }

  private mutating func readBackup(_ app: String?) throws {
    let folder = files.folder
    form = "an app in a phone's backup"
    if let manifest = try folder.open("Manifest.plist") {
      let data = Data(try manifest.bytes(atMost: 16 << 20))
      let xml = String(decoding: data.prefix(1 << 20), as: UTF8.self)
      let isEncrypted =
        AppValue.bytes(data).unpacked?["IsEncrypted"].flag
        ?? xml.contains(/<key>IsEncrypted<\/key>\s*<true\/>/)
      guard !isEncrypted else {
        throw RuleError(
          "is an encrypted backup; make one without encryption, or decrypt it with a tool, and "
            + "delete it afterwards")
      }
    }
    let domains = try copies.reading { suffix in
      try folder.open("Manifest.db" + suffix)
    } _: {
      try AppStore.backedUpFiles(at: $0)
    }
    var found: [(name: String, source: AppSource)] = []
    // Every phone has voice memos, so they are imported only by name.
    let memos = Set(
      domains.filter { domain, paths in
        (domain == "MediaDomain" || domain.hasPrefix("AppDomainGroup"))
          && paths.keys.contains { $0.hasSuffix("Recordings/" + Self.memos) }
      }.keys)
    var failure: RuleError?
    for (domain, paths) in domains.sorted(by: { $0.key < $1.key }) {
      let media = domain == "MediaDomain"
      guard
        let name = media
          ? "com.apple.VoiceMemos"
          : domain.wholeMatch(of: /AppDomain(?:Group)?-(.+)/).map({ String($0.1) }),
        app != nil || !(media || memos.contains(domain)),
        app.map({ name.lowercased().contains($0.lowercased()) }) ?? true
      else { continue }
      var source = self
      source.files = AppFiles(folder: folder, layout: .backup(paths))
      do {
        let folder = media ? "Media/Recordings/" : "Recordings/"
        let list = folder + Self.memos
        if try source.files.has(list) {
          source.files.bases = [folder]
          let files = source.files
          source.rows = try source.rows(ofStore: list) { try files.open($0) }
        } else {
          try source.readStoreAndDocuments()
        }
        let hasFiles = !source.files.listing(below: AppFiles.recordings).files.isEmpty
        if !source.rows.names.isEmpty || hasFiles { found.append((name, source)) }
      } catch let error as RuleError {
        // Most apps of a phone have a store, and few are known.
        failure = RuleError("the app \(name.escapedForDisplay) \(error)")
      }
    }
    // A whole name is meant, even if others contain it.
    let same = found.filter { $0.name.lowercased() == app?.lowercased() }
    if same.count == 1 { found = same }
    guard let first = found.first else {
      if app != nil, let failure { throw failure }
      if app == nil, !memos.isEmpty {
        throw RuleError("has voice memos, and no other app; import them with --app VoiceMemos")
      }
      throw RuleError(
        "has no data of an app that Holdfast knows\(app == nil ? "" : " under that name")")
    }
    guard found.count == 1 else {
      let names = (found.map(\.name.escapedForDisplay) + (memos.isEmpty ? [] : ["VoiceMemos"]))
        .joined(separator: ", ")
      throw RuleError("holds several apps; name one of them: \(names.cut(to: 400))")
    }
    self = first.source
    if app == nil, !memos.isEmpty {
      notes.append("voice memos in the backup left out; --app VoiceMemos imports them")
    }
    form = "the app \(first.name.escapedForDisplay) in a phone's backup"
  }
}
