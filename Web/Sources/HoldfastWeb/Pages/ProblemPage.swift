import Hummingbird

/// A page that tells a person what went wrong.
struct ProblemPage: Sendable {
  private let problem: WebProblem

  init(_ problem: WebProblem) { self.problem = problem }

  private struct Values {
    var sentence: String
    var mayGoHome: Bool
  }

  var response: Response {
    let mayGoHome = ![.unauthorized, .misdirectedRequest, .forbidden].contains(problem.status)
    var page = Page(
      problem.status == .notFound ? "Page not found" : "Something went wrong", nil, Self.template,
      Values(sentence: problem.detail.asSentence, mayGoHome: mayGoHome))
    page.status = problem.status
    return page.response
  }

  private static let template = Page.template(
    #"""
    <p role="alert">{{sentence}}</p>
    {{#mayGoHome}}<p class="row"><a class="button" href="/">Home</a> \#
    <a class="button quiet" href="/recordings">Recordings</a></p>{{/mayGoHome}}
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
