import Foundation
import Holdfast
import Hummingbird

/// What people logged elsewhere, brought in: an export of Holdfast, or a document of an app.
struct ImportDataPages: Sendable {
  let host: LibraryHost

  func add(to router: Router<WebContext>) {
    router.get("/settings/import") { _, _ in
      Page(
        "Bring in what you logged", tab: .settings, template: Self.form, values: [String: String]()
      ).response
    }
    router.post("/settings/import") { request, _ in try await importDocuments(of: request) }
  }

  private struct Result: Sendable {
    var name: String
    /// How many records of each kind came in.
    var kinds: [String] = []
    /// What was not kept, and why.
    var problems: [String] = []
    /// The reason why nothing came in.
    var refusal: String?

    init(_ report: DataImportReport, of name: String) {
      self.name = name
      kinds = report.kinds.compactMap { kind in
        report.counts[kind].flatMap { Self.sentence(kind, $0) }
      }
      problems =
        report.items.map(Self.sentence)
        + report.remarks.map { "A \($0.kind.singular): \($0.text).".asSentence }
        + (report.notes + report.repetitions).map { "\($0)." }
      if kinds.isEmpty, problems.isEmpty { kinds = ["There was nothing in it."] }
    }

    init(_ error: HoldfastError, of name: String) {
      self.name = name
      // It begins with the file's name.
      refusal = "\(WebProblem(error).detail)."
    }

    private static func sentence(_ kind: RecordKind, _ counts: DataImportReport.Counts) -> String? {
      let numbers = [
        (counts.added, "new"), (counts.updated, "changed"), (counts.unchanged, "already here"),
        (counts.noFile, "without a file here"), (counts.refused, "not kept"),
      ]
      let words = numbers.filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }
      return words.isEmpty ? nil : "\(kind.plural): \(words.joined(separator: ", "))".asSentence
    }

    private static func sentence(_ item: DataImportReport.Item) -> String {
      switch item {
      case .noFile(_, let name):
        "\(name) is not in your library. Add the recording, then bring this file in again."
      case .refused(let kind, _, _, let reason): "A \(kind.singular): \(reason)".asSentence
      }
    }
  }

  /// Imports the documents of a form, one after the other.
  private func importDocuments(of request: Request) async throws -> Response {
    var results: [Result] = []
    let reader = try MultipartReader(request)
    while let name = try await reader.nextPart() {
      guard !name.isEmpty else { continue }
      do {
        let upload = try await host.receive(name) { try await reader.nextPiece() }
        defer { upload.discard() }
        let report = try await host.write { library in try library.importDocument(upload) }
        results.append(Result(report, of: name))
      } catch let error as HoldfastError {
        // Continue with the next one.
        results.append(Result(error, of: name))
      }
    }
    return Page("Brought in", tab: .settings, template: Self.template, values: ["results": results])
      .response
  }

  private static let form = Page.template(
    #"""
    <p class="lead">Cravings, use, kind words and journals from another Holdfast, or from an app \#
    that can save them as a JSON file.</p>
    <p>What is here already is not doubled. A newer version replaces an older one. Recordings \#
    themselves come in under <a href="/record#files">Record</a>.</p>
    <form method="post" action="/settings/import" enctype="multipart/form-data" class="form">
    <label for="documents">Files (JSON)</label>
    <input id="documents" type="file" name="documents" accept=".json,.store,application/json" \#
    multiple required>
    <p class="submit"><button class="button">Bring it in</button> <a href="/settings">Cancel</a></p>
    </form>
    """#)

  private static let template = Page.template(
    #"""
    <ul class="entries">{{#results}}<li><p><strong>{{name}}</strong></p>\#
    {{#refusal}}<p role="alert">{{.}}</p>{{/refusal}}\#
    {{#kinds}}<p>{{.}}</p>{{/kinds}}\#
    {{^empty(problems)}}<details open><summary>What was not kept as it was</summary><ul>\#
    {{#problems}}<li>{{.}}</li>{{/problems}}</ul></details>{{/empty(problems)}}</li>{{/results}}
    {{^results}}<li><p>No file was chosen.</p></li>{{/results}}</ul>
    """#)
}
