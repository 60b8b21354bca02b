import Foundation
import HTTPTypes
import Holdfast
import Hummingbird

/// All logged records, as files to save.
struct ExportPages: Sendable {
  let host: LibraryHost

  func add(to router: Router<WebContext>) {
    router.get("/export.json") { _, _ in
      let reader = try await host.read { try $0.exportedDocument() }
      return Self.response(reader, type: "application/json", ending: ".json", from: host)
    }
    router.get("/export/:file") { _, context in
      let file = try context.parameters.require("file")
      guard file.hasSuffix(".csv") else { throw WebProblem.notFound }
      let name = String(file.dropLast(4))
      let reader = try await host.read { library in
        guard let kind = try library.exportedCounts().map(\.kind).first(where: { $0.name == name })
        else { throw WebProblem.notFound }
        return try library.exportedTable(of: kind)
      }
      return Self.response(
        reader, type: "text/csv; charset=utf-8; header=present", ending: "-\(file)", from: host)
    }
  }

  /// An export as an answer. Each piece is read when the previous one was sent.
  ///
  /// - Parameter ending: The end of the file name for saving; `nil` to show the export.
  static func response(
    _ reader: ExportReader, type: String, ending: String?, from host: LibraryHost
  ) -> Response {
    var headers: HTTPFields = [.contentType: type]
    if let ending {
      let name = "holdfast-\(Day())\(ending)".addingPercentEncoding
      headers[.contentDisposition] = "attachment; filename*=UTF-8''\(name)"
    }
    return Response(
      status: .ok, headers: headers,
      body: ResponseBody { writer in
        var reader = reader
        while true {
          let (piece, next) = try await host.copying { [reader] in
            var reader = reader
            return (try reader.next(), reader)
          }
          reader = next
          guard let piece else { break }
          try await writer.write(ByteBuffer(bytes: piece))
        }
        try await writer.finish(nil)
      })
  }
}
