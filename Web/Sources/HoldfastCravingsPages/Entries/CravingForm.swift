import Foundation
import Holdfast
import HoldfastCravings
import HoldfastWeb
import Hummingbird

struct CravingForm: RecordForm {
  let shown: ShownMessages

  static let path = "/craving"
  static let titles = (new: "Log craving", edited: "Edit craving")

  func add(to router: Router<WebContext>, _ host: LibraryHost) {
    add(to: router, host, new: "/craving", records: "/craving")
    router.get("/craving/:id/logged") { request, context in
      try await LoggedPage(shown: shown, lead: "You can let go of it now.", path: Self.path)
        .response(id: context.id("id"), to: request, from: host) { library, id in
          MessageCategory(triggers: try record(id, in: library).triggers.list)
        }
    }
    router.form("/craving/:id/recording", host: host, saying: .linked) { library, id, form in
      _ = try library.edit(Craving.self, id: id) { $0.recordingID = form.recording }
      return form.back
    }
    router.form("/recordings/:id/craving", host: host, saying: .linked) { library, id, form in
      guard let craving = form["craving"].flatMap(UUID.init(uuidString:)) else {
        throw RuleError("no craving was chosen")
      }
      _ = try library.edit(Craving.self, id: craving) { $0.recordingID = id }
      return "/recordings/\(id)"
    }
  }

  struct Fields: Sendable {
    var intensity: Int
    var shared: EntryFields
  }

  func fields(of craving: Craving?, _ address: Form, in library: Library) -> Fields {
    Fields(intensity: craving?.intensity.value ?? 5, shared: EntryFields(craving, address))
  }

  func recordings(
    choosing chosen: UUID?, _ address: Form, in library: Library
  ) throws -> RecordingChoices {
    try RecordingField.choices(in: library, address, choosing: chosen, sort: .played)
  }

  func new(_ form: Form, now: Date) throws -> Craving {
    Craving(timestamp: now, intensity: try form.intensity(), createdAt: now)
  }

  func change(_ form: Form, in library: Library) throws -> (inout Craving) throws -> Void {
    let intensity = try form.intensity()
    return { craving in
      craving.intensity = intensity
      try form.fill(&craving)
    }
  }

  static let template = Page.form(
    #"""
    \#(EntryFields.start)
    <label for="intensity">How strong is it?</label>
    <input type="range" id="intensity" name="intensity" min="1" max="10" value="{{intensity}}" \#
    data-intensity autofocus>
    <output for="intensity" class="level" data-level="{{intensity}}"></output>
    <p class="scale"><span>1 mild</span> <span>10 overwhelming</span></p>
    \#(EntryFields.html)
    \#(RecordingField.html("The recording that helped"))
    \#(EntryFields.end)
    """#)
}

extension Form {
  /// The intensity that was chosen. Anything but 1 to 10 throws `RuleError`.
  fileprivate func intensity() throws -> Intensity {
    guard let number = self["intensity"].flatMap({ Int($0) }) else {
      throw RuleError("the intensity is missing; choose one from 1 to 10")
    }
    return try Intensity(number)
  }
}
