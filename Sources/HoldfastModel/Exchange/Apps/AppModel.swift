public import Foundation

/// How the rows of an app become the records of a journal, and the records a document of the app.
public struct AppModel: Sendable {
  /// The app's name, for people.
  public var name: String
  /// The person whose library it is; `nil` if records name no one.
  public var owner: Owner?
  /// The entities that the model reads or leaves out on purpose, by ``AppRows/fold(_:)``.
  public var entities: Set<String>
  /// The values, in small letters, by which an element of a list without a name is recognised, for
  /// each entity. Of the entities whose values it all has, that with most of them is meant.
  public var marks: [(entity: String, names: Set<String>)]
  /// The lists of records inside others, which a document of whole models has.
  public var nested: [Nested]
  /// Reads the rows and adds the records.
  public var read: @Sendable (inout AppReading) -> Void
  /// Writes the records as lists of a document of the app, which ``read`` can read; `nil` if the
  /// app has none.
  public var write: (@Sendable (inout AppWriting) -> Void)?

  /// The person whose library it is, and the other people of the library.
  public struct Owner: Sendable {
    /// The name that records have of the person whose library it is.
    public var name: String
    /// The entities whose rows tell whom the library knows, by ``AppRows/fold(_:)``.
    public var entities: Set<String>
    /// Returns the name that a record has in the library, by its ID and by the app's name for the
    /// person; `nil` if neither is there.
    public var known: @Sendable (any RecordDatabase, UUID, String) throws -> String?

    /// Describes the person.
    public init(
      _ name: String, knownBy entities: Set<String>,
      _ known: @escaping @Sendable (any RecordDatabase, UUID, String) throws -> String?
    ) {
      (self.name, self.entities, self.known) = (name, entities, known)
    }
  }

  /// A list of records inside another record.
  public struct Nested: Sendable {
    /// The entity that has the list, by ``AppRows/fold(_:)``.
    public var parent: String
    /// The list's name, in small letters.
    public var list: String
    /// The entity of the list's elements.
    public var entity: String
    /// The value by which an element names its parent, and the parent's value that it has; `nil` if
    /// the element does not name it.
    public var link: (name: String, value: String)?

    /// Describes a list.
    public init(
      _ list: String, in parent: String, of entity: String,
      naming link: (name: String, value: String)? = nil
    ) {
      (self.parent, self.list, self.entity, self.link) = (parent, list.lowercased(), entity, link)
    }
  }

  /// Whether the app has a form of document that can be written.
  package var canWrite: Bool { if write == nil { false } else { true } }

  /// Makes a model.
  public init(
    _ name: String, owner: Owner? = nil, entities: Set<String>,
    marks: [(entity: String, names: Set<String>)] = [],
    nested: [Nested] = [],
    read: @escaping @Sendable (inout AppReading) -> Void,
    write: (@Sendable (inout AppWriting) -> Void)? = nil
  ) {
    self.name = name
    self.owner = owner
    self.entities = entities
    self.marks = marks
    self.nested = nested
    self.read = read
    self.write = write
  }
}
