package import Foundation
package import Holdfast
package import Hummingbird

extension RouterMethods<WebContext> {
  /// Adds the answer to a form: it changes the library, and leads to the path that `change`
  /// returns.
  package func form(
    _ path: RouterPath = "", host: LibraryHost, saying notice: Notice? = nil,
    change: @escaping @Sendable (Library, Form) throws -> String
  ) {
    post(path) { request, context in
      let form = try await Form(request, context)
      return Page.redirect(
        to: try await host.write { library in try change(library, form) }, saying: notice)
    }
  }

  /// Adds the answer to a form about the record whose ID is in the path.
  package func form(
    _ path: RouterPath, host: LibraryHost, saying notice: Notice? = nil,
    change: @escaping @Sendable (Library, UUID, Form) throws -> String
  ) {
    post(path) { request, context in
      let (id, form) = (try context.id("id"), try await Form(request, context))
      return Page.redirect(
        to: try await host.write { library in try change(library, id, form) }, saying: notice)
    }
  }

  /// Adds the answer to a button that changes the record whose ID is in the path.
  package func button(
    _ path: RouterPath, host: LibraryHost, saying notice: Notice? = nil,
    change: @escaping @Sendable (Library, UUID) throws -> String
  ) {
    post(path) { _, context in
      let id = try context.id("id")
      return Page.redirect(
        to: try await host.write { library in try change(library, id) }, saying: notice)
    }
  }

  /// Adds the answer to a button that deletes the record whose ID is in the path.
  ///
  /// - Parameter page: The path of the next page; `nil` for the form's `back`.
  package func deletion(
    _ path: RouterPath, host: LibraryHost, then page: String?, saying notice: Notice = .deleted,
    delete: @escaping @Sendable (Library, UUID) throws -> Void
  ) {
    post(path) { request, context in
      let id = try context.id("id")
      let form = page == nil ? try await Form(request, context) : Form()
      try await host.delete { library in try delete(library, id) }
      return Page.redirect(
        to: page ?? form.back, saying: form["undo"] == nil ? notice : .undone)
    }
  }

  /// Adds the answer to a button that deletes a record of a journal.
  package func deletion<Record: JournalRecord>(
    of type: Record.Type, _ path: RouterPath, host: LibraryHost, then page: String?
  ) where Record.ID == UUID {
    deletion(path, host: host, then: page) { library, id in try library.delete(type, id: id) }
  }
}

extension WebContext {
  package func id(_ name: String) throws -> UUID {
    guard let id = parameters.get(name).flatMap({ UUID(uuidString: $0) }) else {
      throw WebProblem.notFound
    }
    return id
  }
}
