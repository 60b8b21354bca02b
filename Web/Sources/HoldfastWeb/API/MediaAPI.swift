import Foundation
import Holdfast
import Hummingbird

/// The recordings' files, thumbnails and waveforms, for programs.
struct MediaAPI: Sendable {
  let files: FilePages

  func add(to router: Router<WebContext>) {
    router.get("/api/1/recordings/:id/media") { request, context in
      try await files.media(context.id("id"), isDownload: false).response(
        to: request, on: context.channel)
    }
    router.get("/api/1/recordings/:id/thumbnail") { request, context in
      let id = try context.id("id")
      let picture: FileAnswer
      do {
        picture = try await files.thumbnail(id)
      } catch {
        // It may be missing in the catalog or in the folder.
        guard (try? await files.makeThumbnail(of: id)) != nil else { throw error }
        picture = try await files.thumbnail(id)
      }
      return picture.response(to: request, on: context.channel)
    }
    router.get("/api/1/recordings/:id/waveform") { _, context in
      let sound = try await files.sound(of: context.id("id"))
      return try JSONAnswer.response(WaveformOutput(sound))
    }
    router.get("/api/1/recordings/:id/waveform.svg") { _, context in
      let svg = try await files.waveform(context.id("id"))
      return Response(
        status: .ok, headers: [.contentType: "image/svg+xml"],
        body: ResponseBody(byteBuffer: ByteBuffer(string: svg)))
    }
  }
}
