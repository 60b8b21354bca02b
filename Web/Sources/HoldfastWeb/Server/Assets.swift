import Foundation
import HTTPTypes
import Holdfast
import Hummingbird

/// The style and the script of the pages, which are parts of the program.
enum Assets {
  private struct Asset {
    let bytes: [UInt8]
    let type: String
    let tag: String

    init(_ bytes: [UInt8], _ type: String) {
      self.bytes = bytes
      self.type = type
      tag = "\"\(SHA256Digest(hashing: bytes).hexadecimal.prefix(32))\""
    }
  }

  private static let all: [String: Asset] = [
    "style.css": Asset(PackageResources.style_css, "text/css; charset=utf-8"),
    "script.js": Asset(PackageResources.script_js, "text/javascript; charset=utf-8"),
    "icon.svg": Asset(PackageResources.icon_svg, "image/svg+xml"),
  ]

  static func response(to name: String, _ request: Request) throws -> Response {
    guard let asset = all[name] else { throw WebProblem.notFound }
    // A browser must check each time, because the program may have changed.
    let headers: HTTPFields = [
      .contentType: asset.type, .eTag: asset.tag, .cacheControl: "private, no-cache",
    ]
    if request.headers[.ifNoneMatch] == asset.tag {
      return Response(status: .notModified, headers: headers)
    }
    return Response(
      status: .ok, headers: headers, body: ResponseBody(byteBuffer: ByteBuffer(bytes: asset.bytes)))
  }
}

extension WebProblem {
  package static let notFound = WebProblem(
    .notFound, code: "notFound", detail: "there is no such page")
}
