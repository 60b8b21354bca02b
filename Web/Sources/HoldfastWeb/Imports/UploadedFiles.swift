import Holdfast
import Hummingbird

extension LibraryHost {
  /// Stores a file that comes in pieces, until `next` returns `nil`.
  ///
  /// - Throws: Errors of `next`, and `HoldfastError`. Then nothing is kept.
  func receive(_ name: String, _ next: () async throws -> ByteBuffer?) async throws -> Upload {
    let library = try await writer()
    // The name is only shown. Control characters are left out.
    let shown = String(
      name.filter { $0.unicodeScalars.allSatisfy { $0.value >= 0x20 } }.prefix(200))
    let upload = try await write { _ in try library.beginUpload(named: shown) }
    do {
      while let piece = try await next() {
        try await copying { try upload.write(ArraySlice(piece.readableBytesView)) }
      }
      return upload
    } catch {
      upload.discard()
      throw error
    }
  }

  /// Calls `body` with a form that may have photos. They are removed afterwards.
  ///
  /// If a photo is refused, the form has the reason and no photo, so that the words that came
  /// before it are not lost. The photos are therefore the last fields of their form.
  ///
  /// - Throws: ``WebProblem`` if the form arrives incomplete, errors of `body`, and
  ///   `HoldfastError`.
  func withForm<Value>(
    of request: Request, _ context: WebContext, _ body: (Form) async throws -> Value
  ) async throws -> Value {
    guard MultipartReader.accepts(request) else { return try await body(Form(request, context)) }
    let reader = try MultipartReader(request)
    var (form, uploads, left) = (Form(), [Upload](), context.maxUploadSize)
    defer { for upload in uploads { upload.discard() } }
    do {
      while let name = try await reader.nextPart() {
        if let field = reader.textName {
          form.add(field, try await reader.text(&left))
        } else if !name.isEmpty {
          try Self.expectRoom(for: uploads.count)
          uploads.append(try await receivePhoto(name, from: reader))
        }
      }
      if !uploads.isEmpty { form.photos = try await writer().preparePhotos(uploads) }
    } catch let error where error is HoldfastError || error is PhotoRefusal {
      form.refusal = (error as? PhotoRefusal)?.problem ?? error
    }
    return try await body(form)
  }

  private struct PhotoRefusal: Error {
    var problem: WebProblem

    init(_ code: String, _ detail: String) {
      problem = WebProblem(.contentTooLarge, code: code, detail: detail)
    }
  }

  private func receivePhoto(_ name: String, from reader: MultipartReader) async throws -> Upload {
    var size = 0
    return try await receive(name) {
      let piece = try await reader.nextPiece()
      size += piece?.readableBytes ?? 0
      guard size <= PhotoLimit.bytes else {
        throw PhotoRefusal(
          "tooLarge",
          "a photo may have \(PhotoLimit.bytes / 1_000_000) MB; this one is larger")
      }
      return piece
    }
  }

  /// The most photos of one form.
  private static let mostPhotos = 20

  private static func expectRoom(for count: Int) throws {
    guard count < mostPhotos else {
      throw PhotoRefusal("tooMany", "choose at most \(mostPhotos) photos at a time")
    }
  }
}

extension MultipartReader {
  /// Reads the present part as a text, of at most `left` bytes, and counts them.
  fileprivate func text(_ left: inout Int) async throws -> String {
    var bytes = ByteBuffer()
    while var piece = try await nextPiece() {
      left -= piece.readableBytes
      guard left >= 0 else { throw HTTPError(.contentTooLarge) }
      bytes.writeBuffer(&piece)
    }
    return String(buffer: bytes)
  }
}
