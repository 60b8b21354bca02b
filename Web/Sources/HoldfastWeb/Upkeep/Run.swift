import HTTPTypes
import HoldfastSupport
import Hummingbird

/// Work that a person waits for, such as a backup. A script shows its progress; without one, the
/// page comes when the work is done.
struct Run: Sendable {
  /// News for the person who waits.
  enum News: Sendable {
    case progress(Int, of: Int)
    case line(String)
    /// The last news: the result.
    case finished(Result)
  }

  struct Result: Sendable {
    var summary: String
    /// What only some users want to know; empty for nothing.
    var details = ""
    /// Whether a repair may help.
    var offersRepair = false
  }

  typealias Tell = @Sendable (News) -> Void

  /// Only so many run at a time, so that pages are answered meanwhile.
  private static let turns = AsyncSemaphore(2)
  /// The most sentences that are shown, besides the summary.
  private static let mostLines = 200

  let title: String
  private let work: Work
  /// The list that keeps the work running when its page is closed, and a function that stops it;
  /// `nil` if the work ends with its page.
  private let kept: (in: Runs, cancel: @Sendable () -> Void)?

  typealias Work = @Sendable (@escaping Tell) async throws -> Result

  /// Work that ends when its page is closed.
  init(_ title: String, _ work: @escaping Work) {
    self.title = title
    self.work = work
    kept = nil
  }

  /// Work that continues when its page is closed. `runs` stops it when the server ends.
  init(
    _ title: String, in runs: Runs, cancel: @escaping @Sendable () -> Void,
    _ work: @escaping Work
  ) {
    self.title = title
    self.work = work
    kept = (runs, cancel)
  }

  /// Does the work, and answers with its events, or with a page about its end.
  ///
  /// - Throws: Errors of the work, if the answer is a page.
  func response(to request: Request) async throws -> Response {
    guard request.headers[.accept]?.contains("text/event-stream") == true else {
      return try await page().response
    }
    return EventStream.response { events in await send(to: &events) }
  }

  /// The news. A reader that stops reading ends the work, unless it is kept.
  private var news: AsyncThrowingStream<News, any Error> {
    AsyncThrowingStream { continuation in
      @Sendable func doWork() async {
        do {
          let result = try await Self.turns.withPermit {
            try Task.checkCancellation()
            return try await work { continuation.yield($0) }
          }
          continuation.yield(.finished(result))
          continuation.finish()
        } catch {
          continuation.finish(throwing: error)
        }
      }
      if let kept { return kept.in.begin(cancel: kept.cancel, doWork) }
      let task = Task { await doWork() }
      continuation.onTermination = { _ in task.cancel() }
    }
  }

  // MARK: Events

  private struct Progress: Encodable {
    var done: Int
    var total: Int
  }

  private struct Words: Encodable {
    var text: String
    var details: String?
    var repair: Bool?
  }

  private func send(to events: inout EventStream) async {
    var (lines, percent) = (0, -1)
    do {
      for try await news in news {
        if events.isClosed { return }
        switch news {
        case .progress(let done, let total):
          let now = total > 0 ? done * 100 / total : 0
          guard now != percent else { continue }
          percent = now
          await events.send("progress", Progress(done: done, total: total))
        case .line(let text):
          lines += 1
          if lines <= Self.mostLines { await events.send("line", Words(text: text)) }
        case .finished(let result):
          if let more = Self.more(lines) { await events.send("line", Words(text: more)) }
          await events.send(
            "finished",
            Words(text: result.summary, details: result.details, repair: result.offersRepair))
        }
      }
    } catch {
      await events.send("failed", Words(text: WebProblem(error).detail.asSentence))
    }
  }

  private static func more(_ lines: Int) -> String? {
    lines > mostLines ? "And \(lines - mostLines) more." : nil
  }

  // MARK: The page

  private struct Values: Sendable {
    var summary = ""
    var details = ""
    var lines: [String] = []
    var offersRepair = false
    var hasLines = false
  }

  private func page() async throws -> Page {
    var (values, lines) = (Values(), 0)
    for try await news in news {
      switch news {
      case .progress: continue
      case .line(let text):
        lines += 1
        if lines <= Self.mostLines { values.lines.append(text) }
      case .finished(let result):
        values.summary = result.summary
        values.details = result.details
        values.offersRepair = result.offersRepair
      }
    }
    values.lines += [Self.more(lines)].compactMap(\.self)
    values.hasLines = !values.lines.isEmpty
    return Page(title, tab: .settings, template: Self.template, values: values)
  }

  private static let template = Page.template(
    #"""
    <p role="status" class="lead">{{summary}}</p>
    <p class="detail">{{details}}</p>
    {{#hasLines}}<ul class="entries">{{#lines}}<li><p>{{.}}</p></li>{{/lines}}</ul>{{/hasLines}}
    {{#offersRepair}}<form method="post" action="/settings/repair">\#
    <p>A repair deletes nothing. It moves misplaced files aside, and brings
    back files from a backup.</p><p>\#
    <button class="button">Repair</button></p></form>{{/offersRepair}}
    """#)
}
