import Foundation
import Holdfast
import Hummingbird

/// Care of the library: backups, and checks of its files and its privacy.
struct UpkeepPages: Sendable {
  let host: LibraryHost
  let runs: Runs

  func add(to router: Router<WebContext>) {
    router.post("/settings/verify") { request, context in
      var options = VerifyOptions()
      options.isDeep = try await Form(request, context)["deep"] != nil
      // Only a library that is open for writing can note intact files.
      let library =
        try await options.isDeep ? host.writerOrReader() : host.reader()
      return try await check(library, options).response(to: request)
    }
    router.post("/settings/repair") { request, _ in
      var options = VerifyOptions()
      options.repairs = true
      let library = try await host.writer()
      options.backups = try await host.read { try $0.reachableBackups() }
      return try await check(library, options).response(to: request)
    }
    router.post("/settings/privacy") { request, _ in
      try await privacyCheck().response(to: request)
    }
    router.post("/settings/backup") { request, context in
      let form = try await Form(request, context)
      return try await backup(to: form.folder()).response(to: request)
    }
  }

  // MARK: The files

  private func check(_ library: Library, _ options: VerifyOptions) async throws -> Run {
    let events = try library.verify(options: options)
    return Run("The files") { tell in
      var planned = 0
      var summary = VerifySummary()
      for try await event in events {
        switch event {
        case .planned(let count): planned = count
        case .progress(let read): tell(.progress(read, of: planned))
        case .found(let finding): tell(.line(finding.sentences))
        case .finished(let result): summary = result
        }
      }
      return Run.Result(
        summary: summary.sentences(options),
        offersRepair: summary.findings > 0 && !options.repairs)
    }
  }

  // MARK: Privacy

  private func privacyCheck() async throws -> Run {
    let library = try await host.reader()
    return Run("Privacy") { tell in
      let count = Counter()
      let recordings = try await library.checkPrivacy(
        environment: ProcessInfo.processInfo.environment
      ) { finding in
        if !finding.isNote { count.add() }
        tell(.line(finding.sentences))
      }
      let checked = "\(recordings.counted("recording")) checked, with the library’s folder"
      return Run.Result(
        summary: count.value == 0
          ? "\(checked). No privacy problems found."
          : "\(checked), \(count.value.counted("thing")) found.")
    }
  }

  // MARK: Backups

  private func backup(to folder: String) async throws -> Run {
    let library = try await host.writerOrReader()
    let events: LibraryRun<BackupEvent>
    do { events = try library.backUp(to: folder) } catch let error as HoldfastError {
      // The person named the folder, so any error of it is a problem of the input.
      throw WebProblem(
        .unprocessableContent, code: error.code.rawValue, detail: WebProblem(error).detail)
    }
    return Run("Backup", in: runs, cancel: { events.cancel() }) { tell in
      var words = BackupWords(to: folder, of: library.path)
      for try await event in events { words.apply(event, tell) }
      // A read-only library is backed up too, but does not remember the folder.
      try? await host.write { library in try library.noteBackupFolder(folder) }
      return Run.Result(summary: words.summary, details: words.details)
    }
  }
}

extension Library {
  func reachableBackups() throws -> [String] {
    guard let folder = try backupFolder(), FileManager.default.fileExists(atPath: folder) else {
      return []
    }
    return [folder]
  }
}

extension Form {
  /// The folder for backups.
  ///
  /// - Throws: ``WebProblem`` unless its path is whole.
  fileprivate func folder() throws -> String {
    guard let text = self["folder"]?.trimmingCharacters(in: .whitespacesAndNewlines),
      !text.utf8.contains(0)
    else {
      throw WebProblem(
        .unprocessableContent, code: "invalidValue",
        detail: "the folder is missing; name one on another disk, such as /media/usb/holdfast")
    }
    let home = ProcessInfo.processInfo.environment["HOME"]
    let path = home.map { text.hasPrefix("~/") ? $0 + text.dropFirst() : text } ?? text
    guard path.hasPrefix("/") else {
      throw WebProblem(
        .unprocessableContent, code: "invalidValue",
        detail:
          "Holdfast cannot tell where “\(text)” is. Write the way to the folder from the first "
          + "slash, such as /media/usb/holdfast"
      )
    }
    return path
  }
}
