import Hummingbird

/// A page that tells a person what went wrong.
struct ProblemPage: Sendable {
  private let problem: WebProblem

  init(_ problem: WebProblem) { self.problem = problem }

  private struct Values {
    var sentence: [Piece]
    var mayGoHome: Bool
    /// What may pass by itself, or when a disk is connected.
    var mayPass: Bool
  }

  /// A part of a sentence. Commands are between backticks.
  private struct Piece {
    var text: String
    var isCode: Bool

    static func pieces(of sentence: String) -> [Piece] {
      sentence.split(separator: "`", omittingEmptySubsequences: false).enumerated().map {
        Piece(text: String($1), isCode: $0 % 2 == 1)
      }
    }
  }

  private var title: String {
    guard problem.status == .notFound else { return "Something went wrong" }
    return problem.detail.hasSuffix("was deleted") ? "Not here any more" : "Page not found"
  }

  var response: Response {
    let mayGoHome = ![.unauthorized, .misdirectedRequest, .forbidden].contains(problem.status)
    var page = Page(
      title, tab: nil, template: Self.template,
      values: Values(
        sentence: Piece.pieces(of: problem.detail.asSentence), mayGoHome: mayGoHome,
        mayPass: problem.status == .serviceUnavailable))
    page.status = problem.status
    return page.response
  }

  private static let template = Page.template(
    #"""
    <p role="alert">{{#sentence}}{{#isCode}}<code>{{text}}</code>{{/isCode}}\#
    {{^isCode}}{{text}}{{/isCode}}{{/sentence}}</p>
    {{#mayGoHome}}<p class="row"><a class="button" href="/">\#
    {{#mayPass}}Try again{{/mayPass}}{{^mayPass}}Home{{/mayPass}}</a>\#
    {{^mayPass}} <a class="button quiet" href="/recordings">Recordings</a>{{/mayPass}}</p>\#
    {{/mayGoHome}}
    """#)
}

extension String {
  /// The text with a capital first letter and a full stop.
  package var asSentence: String {
    guard let first else { return self }
    let text = first.uppercased() + dropFirst()
    return ".!?".contains(text.last ?? ".") ? text : text + "."
  }
}
