import Foundation
import Holdfast
import Hummingbird

/// The export and the check of the files, for programs.
struct UpkeepAPI: Sendable {
  let host: LibraryHost

  func add(to router: Router<WebContext>) {
    router.get("/api/1/export") { _, _ in
      let reader = try await host.read { try $0.exportedDocument() }
      return ExportPages.response(reader, type: "application/json", ending: nil, from: host)
    }
    router.post("/api/1/verify") { request, _ in
      var options = VerifyOptions()
      options.isDeep = try request.fields("deep").isOn("deep")
      // Intact files are noted in the library if it is open for writing.
      let library = try await options.isDeep ? host.writerOrReader() : host.reader()
      let events = try library.verify(options: options)
      return EventStream.response { await Self.send(events, to: &$0) }
    }
  }

  private struct Finished: Encodable {
    var recordings: Int
    var read: Int
    var bytes: Int64
    var findings: Int
  }

  private static func send(
    _ run: LibraryRun<VerifyEvent>, to events: inout EventStream
  ) async {
    do {
      for try await event in run {
        if events.isClosed { return }
        switch event {
        case .planned(let count): await events.send("planned", ["recordings": count])
        case .progress(let read): await events.send("progress", ["read": read])
        case .found(let finding): await events.send("finding", finding)
        case .finished(let summary):
          let finished = Finished(
            recordings: summary.recordings, read: summary.read, bytes: summary.bytes,
            findings: summary.findings)
          await events.send("finished", finished)
        }
      }
    } catch {
      await events.send("failed", WebProblem(error).document)
    }
  }
}

extension Form {
  /// Whether a switch in the address is on: `deep=1`. Anything but 0 and 1 throws ``WebProblem``.
  func isOn(_ name: String) throws -> Bool { try number(name, 0...1) == 1 }
}
