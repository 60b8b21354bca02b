import Glibc
import HTTPTypes
package import Holdfast
package import Hummingbird
package import NIOCore
import NIOPosix

/// A stored file, or a part of it, as an answer.
package struct FileAnswer: Sendable {
  /// How many bytes are read at a time. Each client that has stopped reading keeps two chunks in
  /// memory, and players stop after some megabytes. A client that has read more than ``eager``
  /// without a pause wants the whole file.
  private static let (chunk, largeChunk): (Int64, Int64) = (1 << 13, 1 << 18)
  private static let eager: Int64 = 16 << 20
  /// A longer wait is a pause of the client.
  private static let pause = Duration.milliseconds(20)
  /// Up to this many bytes, a whole file is read at once.
  private static let short: Int64 = 1 << 17
  /// Threads for reading, which waits for the disk and so must not block the server's threads.
  private static let threads = NIOThreadPool.singleton

  let file: StoredFile
  /// The type, such as `video/mp4`.
  let type: String
  /// The SHA-256 of the file's bytes, in hexadecimal.
  let hash: String
  /// The file name for saving; `nil` to show the file.
  var download: String?
  /// The whole file, if it is short and was read when it was opened.
  private var bytes: ByteBuffer?

  package init(file: StoredFile, type: String, hash: String, download: String? = nil) {
    self.file = file
    self.type = type
    self.hash = hash
    self.download = download
  }

  /// Reads a short file at once, on the thread that opened it.
  func read() throws -> FileAnswer {
    guard file.size > 0, file.size <= Self.short else { return self }
    var answer = self
    answer.bytes = try Self.read(file, at: 0, Int(file.size))
    return answer
  }

  package func response(to request: Request, on channel: any Channel) -> Response {
    let tag = "\"\(hash)\""
    var headers: HTTPFields = [
      .contentType: type, .acceptRanges: "bytes", .eTag: tag,
      .cacheControl: "private, no-store",
    ]
    if let download {
      let name = download.addingPercentEncoding
      headers[.contentDisposition] = "attachment; filename*=UTF-8''\(name)"
    }
    if Self.names(request.headers[.ifNoneMatch], tag) {
      return Response(status: .notModified, headers: headers)
    }
    // A part of a file that has changed since is useless.
    let isSame = request.headers[.ifRange].map { $0 == tag } ?? true
    switch ByteRange(isSame ? request.headers[.range] : nil, size: file.size) {
    case .whole:
      return Response(
        status: .ok, headers: headers, body: body(0..<file.size, for: request, on: channel))
    case .part(let range):
      headers[.contentRange] =
        "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(file.size)"
      return Response(
        status: .partialContent, headers: headers, body: body(range, for: request, on: channel))
    case .unsatisfiable:
      headers[.contentRange] = "bytes */\(file.size)"
      return Response(status: .rangeNotSatisfiable, headers: headers)
    }
  }

  private static func names(_ field: String?, _ tag: String) -> Bool {
    guard let field else { return false }
    return field == "*"
      || field.split(separator: ",").contains { part in
        let name = part.drop { $0 == " " }
        return name == tag || name == "W/\(tag)"
      }
  }

  private func body(
    _ range: Range<Int64>, for request: Request, on channel: any Channel
  ) -> ResponseBody {
    let file = file
    guard request.method != .head else {
      return ResponseBody(contentLength: range.count) { try await $0.finish(nil) }
    }
    if let bytes, bytes.readableBytes == range.count { return ResponseBody(byteBuffer: bytes) }
    return ResponseBody(contentLength: range.count) { writer in
      var place = range.lowerBound
      var taken: Int64 = 0
      while place < range.upperBound {
        let chunk = taken < Self.eager ? Self.chunk : Self.largeChunk
        let count = Int(min(chunk, range.upperBound - place))
        let bytes = try await Self.threads.runIfActive { [place] in
          try Self.read(file, at: place, count)
        }
        let size = Int64(bytes.readableBytes)
        let begin = ContinuousClock.now
        try await writer.write(bytes)
        // The next write waits for a slow client only after the event loop has handled this one.
        try await channel.eventLoop.submit {}.get()
        taken = begin.duration(to: .now) < Self.pause ? taken + size : 0
        place += size
      }
      try await writer.finish(nil)
    }
  }

  private static func read(_ file: StoredFile, at place: Int64, _ count: Int) throws -> ByteBuffer {
    var buffer = ByteBuffer()
    buffer.reserveCapacity(count)
    // SAFETY: `pread` writes at most as many bytes as the memory has, and says how many.
    let done = unsafe buffer.writeWithUnsafeMutableBytes(minimumWritableBytes: count) { memory in
      max(
        unsafe pread(file.descriptor, memory.baseAddress, min(count, memory.count), off_t(place)), 0
      )
    }
    // The file is shorter than it was, or cannot be read: the answer cannot be completed.
    guard done > 0 else {
      throw WebProblem(
        .internalServerError, code: "unreadable", detail: "the recording's file cannot be read")
    }
    return buffer
  }
}

extension String {
  /// The text for a header field or a link, with all but letters, digits and `-._~` escaped.
  package var addingPercentEncoding: String {
    utf8.map { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."),
        UInt8(ascii: "_"), UInt8(ascii: "~"):
        String(UnicodeScalar(byte))
      default:
        "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
      }
    }.joined()
  }
}
