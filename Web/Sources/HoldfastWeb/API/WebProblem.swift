import Foundation
package import HTTPTypes
import Holdfast
import Hummingbird
import Logging
import NIOCore
import NIOHTTP1

/// The reason why a request was refused: one sentence with its figures, and a code, by RFC 9457.
///
/// - SeeAlso: https://www.rfc-editor.org/rfc/rfc9457
package struct WebProblem: Error, Sendable {
  let status: HTTPResponse.Status
  let code: String
  let detail: String

  package init(_ status: HTTPResponse.Status, code: String, detail: String) {
    self.status = status
    self.code = code
    self.detail = detail
  }

  init(_ error: any Error) {
    switch error {
    case let problem as WebProblem: self = problem
    case HoldfastError.Code.locked:
      self.init(
        .serviceUnavailable, code: "locked",
        detail:
          "another program is writing to the library at the moment; try again in a little while")
    case let error as HoldfastError:
      self.init(
        error.status, code: error.code.rawValue,
        detail: error.pageReason + (error.pageRemedy ?? error.remedy.map { "; \($0)" } ?? ""))
    case let error as RuleError:
      self.init(.unprocessableContent, code: "invalidValue", detail: error.description)
    case let error as HTTPError where error.status == .notFound: self = .notFound
    case let error as HTTPError:
      self.init(
        error.status, code: "badRequest",
        detail: error.body ?? error.status.reasonPhrase.lowercased())
    case is NIOTooManyBytesError:
      self.init(
        .contentTooLarge, code: "tooLarge", detail: "the request is longer than this page accepts")
    case is HTTPParserError:
      self.init(.badRequest, code: "badRequest", detail: "the request is damaged; send it again")
    case is CancellationError:
      self.init(
        .serviceUnavailable, code: "stopping", detail: "Holdfast is ending; nothing was changed")
    default:
      self.init(.internalServerError, code: "unexpected", detail: "something unexpected went wrong")
    }
  }

  struct Document: Encodable {
    var title: String
    var status: Int
    var detail: String
    var code: String
  }

  var document: Document {
    Document(title: status.reasonPhrase, status: status.code, detail: detail, code: code)
  }

  /// The answer: a document for a program, a page for a person.
  func response(for request: Request) -> Response {
    let isForProgram =
      request.uri.path.hasPrefix("/api/") || request.headers[.accept]?.contains("json") == true
    guard isForProgram else { return ProblemPage(self).response }
    let body = (try? JSONFormat.encoder.encode(document)) ?? Data()
    return Response(
      status: status, headers: [.contentType: "application/problem+json"],
      body: ResponseBody(byteBuffer: ByteBuffer(bytes: body)))
  }
}

extension HoldfastError {
  fileprivate var status: HTTPResponse.Status {
    switch code {
    case .missing where operation == "open the catalog": .serviceUnavailable
    case .noSuchRecord, .fileMissing, .missing: .notFound
    case .ambiguousID, .journalNotEnabled, .journalNotEmpty, Code(rawValue: "defaultMessage"),
      Code(rawValue: "noMessage"), .notErasable, .unknownJournal, .readOnly, .fileLocked, .notAFile,
      .notAFolder:
      .conflict
    case .invalidValue, .unreadableDocument, .foreignDocument, .insideLibrary, .insideBag,
      .folderMissing, .foreignBag, .mountPoint,
      .unsafePath, .notAccepted, .nothingToPlay, .empty, .encrypted, .tooLarge:
      .unprocessableContent
    // A file that the user sent, not the catalog.
    case .damaged where operation == nil: .unprocessableContent
    case .noLibrary, .offline, .busy: .serviceUnavailable
    case .noSpace, .full: .init(code: 507, reasonPhrase: "Insufficient Storage")
    case .notPermitted: .forbidden
    default: .internalServerError
    }
  }

  /// The clause that a page shows, without its end.
  fileprivate var pageReason: String {
    switch code {
    case .overLimit:
      guard let duration else { return description }
      let limit = RecordingLimit.seconds.clockDuration
      return "this is \(duration.rounded(.up).clockDuration) long; the limit is \(limit)"
    case .noSuchRecord:
      return record.map { "this \($0.singular) was deleted" } ?? description
    case .notAccepted where reason.hasPrefix("is a still image"):
      return "this is a photo, not a recording"
    case .notAccepted where reason.hasPrefix("is in a format"):
      // FFmpeg's name of a format, such as "FLV (Flash Video)".
      let name = reason.split(separator: "(").dropFirst().first?
        .trimmingCharacters(in: CharacterSet(charactersIn: " )"))
      return name.map { "Holdfast can't read \($0) files. Convert it to MP4" } ?? description
    case .notAccepted, .nothingToPlay, .damaged, .empty, .encrypted:
      let isAboutFile = ["is ", "holds ", "cannot "].contains { reason.hasPrefix($0) }
      return isAboutFile ? "this file \(reason)" : description
    default: return description
    }
  }

  /// The end of the sentence at a page; `nil` where the error's own remedy is the end.
  fileprivate var pageRemedy: String? {
    switch code {
    case .noLibrary, .offline: "; if it is on another disk, connect the disk and try again"
    case Code(rawValue: "noMessage"): "; show one again in Settings"
    case Code(rawValue: "defaultMessage"): "; hide it instead"
    default: nil
    }
  }
}

struct ProblemMiddleware: RouterMiddleware {
  func handle(
    _ request: Request, context: WebContext,
    next: (Request, WebContext) async throws -> Response
  ) async throws -> Response {
    do {
      return try await next(request, context)
    } catch {
      let problem = WebProblem(error)
      if problem.status.kind == .serverError {
        // The code does not reveal a record or a path.
        context.logger.error("request failed", metadata: ["code": "\(problem.code)"])
      }
      return problem.response(for: request)
    }
  }
}
