import Foundation
import Holdfast
import HoldfastFaith
import HoldfastWeb
import Hummingbird

/// The photos on an entry's page.
struct EntryPhotoPages: Sendable {
  let host: LibraryHost

  func add(to pages: RouterGroup<WebContext>) {
    pages.get("photos/{id}.jpg") { request, context in
      let id = try context.id("id")
      let photo = try await host.read { library in
        let photo = try library.record(EntryPhoto.self, idPrefix: id.uuidString)
        return FileAnswer(
          file: try library.openPhoto(id: id), type: "image/jpeg",
          hash: photo.fileSHA256.hexadecimal)
      }
      return photo.response(to: request, on: context.channel)
    }
    pages.deletion(of: EntryPhoto.self, "photos/:id/delete", host: host, then: nil)
  }

  static func path(of photo: EntryPhoto) -> String { "/faith/photos/\(photo.id).jpg" }

  /// A photo, as the page shows it.
  struct Shown: Sendable {
    var id: UUID
    var path: String
    var name: String
  }

  static func photos(of entry: JournalEntry, in library: Library) throws -> [Shown] {
    let photos = try library.faith.photos(of: entry.id)
    return photos.enumerated().map { index, photo in
      Shown(
        id: photo.id, path: path(of: photo), name: "Photo \(index + 1) of \(photos.count)")
    }
  }

  /// The template of an entry's photos.
  static let list = #"""
    <ul class="photos" id="photos">{{#photos}}<li><a href="{{path}}">\#
    <img src="{{path}}" alt="{{name}}" \#
    loading="lazy"></a>
    <details class="sure"><summary aria-label="Remove {{name}}">Remove</summary>\#
    <form method="post" action="/faith/photos/{{id}}/delete">\#
    <input type="hidden" name="back" value="{{action}}#photos">\#
    <button class="button danger">Delete it</button></form></details></li>{{/photos}}</ul>
    """#

  /// The template of the field that adds photos.
  static let adding = #"""
    <div class="drop" id="add-photos"><label for="files">Add photos</label>
    <input type="file" id="files" name="photos" accept="image/*" multiple \#
    aria-describedby="photo-hint"></div>
    <p class="hint" id="photo-hint">JPEG, PNG or WebP. Where a photo was taken is left out.</p>
    """#
}
