import HTTPTypes
import Hummingbird

/// The page that a link opens. It gives the browser its cookie, and leads to Home.
///
/// A link works once. The browser that has opened it may open it again.
///
/// It answers with a page, not with a redirect: a browser does not send a strict cookie with a
/// redirect when the link came from a file or an email.
struct LinkPage: Sendable {
  let address: ServerAddress
  let sessions: Sessions

  func response(to token: String, _ request: Request) -> Response {
    var headers: HTTPFields = [.contentType: "text/html; charset=utf-8"]
    if let cookie = sessions.cookie(for: token) {
      headers[.setCookie] = "\(address.cookieName)=\(cookie); Path=/; HttpOnly; SameSite=Strict"
    } else if !sessions.know(request, address) {
      return WebProblem(
        .unauthorized, code: "usedLink",
        detail:
          "This link was used already. Open Holdfast again from its icon, or run "
          + "`holdfast serve --open`."
      ).pageResponse
    }
    let text = """
      <!doctype html>
      <html lang="en"><head><meta charset="utf-8"><title>Holdfast</title>
      <link rel="icon" href="/assets/icon.svg" type="image/svg+xml">
      <meta http-equiv="refresh" content="0; url=/"></head>
      <body><p><a href="/">Open Holdfast</a></p></body></html>
      """
    return Response(
      status: .ok, headers: headers, body: ResponseBody(byteBuffer: ByteBuffer(string: text)))
  }
}

extension WebProblem {
  var pageResponse: Response { ProblemPage(self).response }
}
