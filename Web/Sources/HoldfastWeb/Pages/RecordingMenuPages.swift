import Foundation
import Holdfast
import Hummingbird

/// Further actions on a recording: choose its picture, make a copy that the browser can play,
/// delete it.
struct RecordingMenuPages: Sendable {
  let host: LibraryHost
  let copies: Copies

  func add(to router: Router<WebContext>) {
    router.post("/recordings/:id/copy") { _, context in
      let id = try context.id("id")
      _ = try await copies.begin(id)
      // Without a script, the browser waits for the page.
      try await copies.wait(for: id)
      return Page.redirect(to: "/recordings/\(id)?copy&play")
    }
    router.get("/recordings/:id/picture") { _, context in try await choosePicture(context.id("id"))
    }
    router.get("/recordings/:id/strip") { _, context in try await strip(context.id("id")) }
    router.post("/recordings/:id/picture") { request, context in
      let (id, form) = (try context.id("id"), try await Form(request, context))
      try await setPicture(of: id, at: form["at"].flatMap { Double($0) })
      return Page.redirect(to: "/recordings/\(id)", saying: .saved)
    }
    router.get("/recordings/:id/delete") { _, context in try await askToDelete(context.id("id")) }
    router.post("/recordings/:id/delete") { _, context in
      let id = try context.id("id")
      await copies.giveUp(id)
      try await host.delete { library in _ = try library.deleteRecording(id: id) }
      return Page.redirect(to: "/recordings", saying: .recordingDeleted)
    }
  }

  // MARK: The picture

  private static let pictures = 6

  private struct PictureValues: Sendable {
    var id: String
    var title: String
    var moments: [Choice]
  }

  private func choosePicture(_ id: UUID) async throws -> Response {
    try await Page.response(
      "Change thumbnail", tab: .recordings, under: .init("Recording", "/recordings/\(id)"),
      template: Self.pictureTemplate, from: host
    ) { library in
      let recording = try library.recording(idPrefix: id.uuidString)
      guard recording.type == .video else { throw WebProblem.noPicture }
      // A contact sheet's pictures show the middle of equal parts of the recording.
      let share = recording.duration / Double(Self.pictures)
      return PictureValues(
        id: recording.id.uuidString, title: recording.displayTitle,
        moments: (0..<Self.pictures).map { number in
          let seconds = (Double(number) + 0.5) * share
          // Moments of a short recording differ by less than a second.
          return Choice(
            "\((seconds * 1000).rounded() / 1000)",
            share < 1.5 ? "\((seconds * 10).rounded() / 10) s" : seconds.clockDuration)
        })
    }
  }

  private static let pictureTemplate = Page.template(
    #"""
    <p>Which moment of “{{title}}” should its thumbnail show?</p>
    <form method="post" action="/recordings/{{id}}/picture" class="strip">
    <img src="/recordings/{{id}}/strip" alt="Six pictures from the recording, in order">
    <div class="moments">{{#moments}}\#
    <button name="at" value="{{value}}" \#
    aria-label="The thumbnail at {{name}}">{{name}}</button>{{/moments}}</div></form>
    <form method="post" action="/recordings/{{id}}/picture" class="submit">\#
    <button class="button quiet">Let Holdfast choose</button> \#
    <a href="/recordings/{{id}}">Keep the thumbnail as it is</a></form>
    """#)

  private func strip(_ id: UUID) async throws -> Response {
    let job = ThumbnailJob(longSide: 320, sheet: ContactSheet(columns: Self.pictures, rows: 1))
    let bytes = try await host.writerOrReader().contactSheet(of: id, job)
    return Response(
      status: .ok, headers: [.contentType: "image/jpeg", .cacheControl: "private, no-store"],
      body: ResponseBody(byteBuffer: ByteBuffer(bytes: bytes)))
  }

  private func setPicture(of id: UUID, at seconds: Double?) async throws {
    var options = ThumbnailOptions()
    options.ids = [id]
    options.onlyMissing = false
    options.place = seconds.map { .seconds($0) } ?? .chosen
    options.jobs = 1
    for try await event in try await host.writer().makeThumbnails(options: options) {
      switch event {
      case .failed(_, let error): throw error
      case .gone: throw WebProblem.notFound
      case .interrupted: throw CancellationError()
      case .planned, .progress, .made: continue
      }
    }
  }

  // MARK: Deleting

  private func askToDelete(_ id: UUID) async throws -> Response {
    try await Page.response(
      "Delete?", tab: .recordings, under: .init("Recording", "/recordings/\(id)"),
      template: Self.deleteTemplate, from: host
    ) { library in
      let recording = try library.recording(idPrefix: id.uuidString)
      return ["id": recording.id.uuidString, "title": recording.displayTitle]
    }
  }

  private static let deleteTemplate = Page.template(
    #"""
    <p>Delete “{{title}}”? You can only get it back from a backup. Your cravings stay.</p>
    <form method="post" action="/recordings/{{id}}/delete" class="submit">\#
    <button class="button danger">Delete</button>
    <a class="button quiet" href="/recordings/{{id}}">Keep it</a></form>
    """#)
}
