package import Holdfast
package import Hummingbird

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

  /// Calls `body` with the photos of a form. They are removed afterwards.
  ///
  /// - Throws: ``WebProblem`` if a file is larger than a photo may be, errors of `body`, and
  ///   `HoldfastError`.
  package func withPhotos<Value>(
    of request: Request, _ body: (NewPhotos) async throws -> Value
  ) async throws -> Value {
    let reader = try MultipartReader(request)
    var uploads: [Upload] = []
    defer { for upload in uploads { upload.discard() } }
    while let name = try await reader.nextPart() {
      guard !name.isEmpty else { continue }
      guard uploads.count < Self.mostPhotos else {
        throw WebProblem(
          .contentTooLarge, code: "tooMany",
          detail: "choose at most \(Self.mostPhotos) photos at a time")
      }
      var size = 0
      uploads.append(
        try await receive(name) {
          let piece = try await reader.nextPiece()
          size += piece?.readableBytes ?? 0
          guard size <= PhotoLimit.bytes else {
            throw WebProblem(
              .contentTooLarge, code: "tooLarge",
              detail: "a photo may have \(PhotoLimit.bytes / 1_000_000) MB; this one is larger")
          }
          return piece
        })
    }
    return try await body(writer().preparePhotos(uploads))
  }

  /// The most photos of one form.
  private static let mostPhotos = 20
}
