import Hummingbird

/// The page after a form whose words were saved, but not its photos.
enum RefusedPhotos {
  static func response(_ problem: WebProblem, next: String) -> Response {
    var page = Page(
      "Photos not added", tab: .home, template: template,
      values: ["sentence": problem.detail.asSentence, "next": next])
    page.status = problem.status
    return page.response
  }

  private static let template = Page.template(
    #"""
    <p role="alert">{{sentence}}</p>
    <p>Your words are saved.</p>
    <p class="row"><a class="button" href="{{next}}">Choose photos again</a></p>
    """#)
}
