public import Foundation
import HoldfastCatalog
public import HoldfastModel
import HoldfastSupport

/// An export that is read piece by piece, at the reader's pace.
///
/// One page is read ahead, while the page before it is written. No statement stays open between two
/// pages.
public struct ExportReader: Sendable {
  /// A kind of record whose journal was disabled before all of its records were read.
  public struct CutKind: Hashable, Sendable {
    /// The kind.
    public var kind: RecordKind
    /// The number of its records that were read.
    public var read: Int
    /// The number that existed when the export began, or were read since.
    public var total: Int
  }

  private enum Place {
    case head
    case list(Int)
    case records(Int, after: ExportPage?, count: Int, read: Int)
    case end
  }

  private let library: Library
  private let kinds: [ExportedKind]
  private let form: ExportForm
  private var place = Place.head
  /// Reads the next page of the kind whose records are written.
  private var ahead: WorkAlongside<ExportPage?>?
  /// The kinds of records that were read to their end, and the number of each.
  public private(set) var counts: [(kind: RecordKind, count: Int)] = []
  /// The kinds that lack records because their journal was disabled during the export.
  public private(set) var cut: [CutKind] = []

  /// - Parameter kinds: The kinds to export. A table has one.
  init(of library: Library, _ kinds: [ExportedKind], as form: ExportForm) {
    self.library = library
    self.kinds = kinds
    self.form = form
  }

  /// Returns the next piece; `nil` at the end.
  ///
  /// - Throws: `HoldfastError` when a record cannot be read; `CancellationError`.
  public mutating func next() throws -> Data? {
    try Task.checkCancellation()
    switch place {
    case .head:
      place = .list(0)
      return Data(head.utf8)
    case .list(let index) where index == kinds.count:
      place = .end
      return form == .json ? Data("}\n".utf8) : nil
    case .list(let index):
      place = .records(index, after: nil, count: 0, read: 0)
      return form == .json ? Data(",\n\"\(kinds[index].kind.name)\":[".utf8) : try next()
    case .records(let index, let last, let count, let read):
      let kind = kinds[index].kind
      let work = ahead ?? reading(kind, after: last?.last)
      ahead = nil
      guard let page = try work.value() else {
        counts.append((kind, count))
        let total = max(kinds[index].count, read)
        if last?.isFull ?? (total > 0), try !library.catalog.records.contains(kind) {
          cut.append(CutKind(kind: kind, read: read, total: total))
        }
        place = .list(index + 1)
        return form == .json ? Data("]".utf8) : try next()
      }
      let following = reading(kind, after: page.last)
      following.start()
      let records: [Data]
      do { records = try page.records() } catch {
        following.end()
        throw error
      }
      ahead = following
      place = .records(
        index, after: page, count: count + records.count, read: read + page.rows)
      return form == .json ? Self.list(records, isFirst: last == nil) : Data(records.joined())
    case .end: return nil
    }
  }

  private func reading(_ kind: RecordKind, after key: String?) -> WorkAlongside<ExportPage?> {
    WorkAlongside { [library, form] in
      try library.catalog.records.exportPage(of: kind, as: form, after: key)
    }
  }

  private var head: String {
    guard form == .json else { return kinds.first?.header ?? "" }
    let versions = kinds.map { "\"\($0.kind.name)\":\($0.version)" }.joined(separator: ",")
    return
      "{\"format\":\"\(ExportDocument.format)\",\"schemaVersion\":\(ExportDocument.schemaVersion),"
      + "\n\"versions\":{\(versions)}"
  }

  private static func list(_ records: [Data], isFirst: Bool) -> Data {
    var piece = Data()
    for (index, record) in records.enumerated() {
      piece.append(contentsOf: (isFirst && index == 0 ? "\n" : ",\n").utf8)
      piece.append(record)
    }
    return piece
  }
}
