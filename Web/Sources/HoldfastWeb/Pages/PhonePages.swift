import Foundation
import Holdfast
import Hummingbird

/// The ways for recordings from a phone to this computer, with what to do for each.
struct PhonePages: Sendable {
  let host: LibraryHost

  func add(to router: Router<WebContext>) {
    router.get("/phone") { _, _ in
      let environment = ProcessInfo.processInfo.environment
      let values = try await host.read { library in
        let watched = WatchedFolder.all(into: library.path)
        let shared = SharedFolder.all(in: environment["HOME"] ?? "/")
        return Values(
          phones: ConnectedPhone.all(environment: environment).map(\.name), watched: watched,
          shared: shared.filter { folder in
            !watched.contains { "\(folder)/".hasPrefix("\($0)/") }
          }.map { Shared(path: $0, unit: $0.unitName) })
      }
      return Page("From the phone", tab: .settings, template: Self.template, values: values)
        .response
    }
  }

  private struct Shared: Sendable {
    var path: String
    /// The name of the systemd unit that watches the folder.
    var unit: String
  }

  private struct Values: Sendable {
    var phones: [String]
    /// The folders that are watched.
    var watched: [String]
    /// The folders of Syncthing that are not.
    var shared: [Shared]
  }

  private static let template = Page.template(
    #"""
    <section class="card"><h2>Choose files</h2>
    <p>For recordings that are on this computer already, or on a stick. On the phone, share them \#
    to this computer first.</p>
    <p><a class="button" href="/record#files">Choose recordings</a></p></section>
    <section class="card"><h2>With a cable</h2>
    {{^empty(phones)}}<p role="status">Connected: {{#phones}}<strong>{{.}}</strong> {{/phones}}</p>
    <p>Run this in a terminal. It imports what is new, and leaves the phone as it is.</p>
    <pre><code>holdfast import --from-phone</code></pre>{{/empty(phones)}}
    {{^phones}}<p role="status">No phone is connected.</p>
    <ol><li>Connect the phone and unlock it.</li>
    <li>On the phone, allow access to its files (“File transfer”, or “Trust”).</li>
    <li>Open it once in this computer’s file manager.</li></ol>
    <p><a class="button quiet" href="/phone">Look again</a></p>{{/phones}}</section>
    <section class="card"><h2>By itself, with Syncthing</h2>
    {{#watched}}<p role="status">✓ New recordings in <code>{{.}}</code> come into the library by \#
    themselves.</p>{{/watched}}
    {{#shared}}<p><code>{{path}}</code> is shared, but nothing imports from it. To import all \#
    that arrives there, run this once in a terminal:</p>
    <pre><code>systemctl --user enable --now {{unit}}</code></pre>{{/shared}}
    {{^watched}}{{^shared}}<p role="status">No folder is watched.</p>
    <ol><li>Install Syncthing on the phone and on this computer.</li>
    <li>Share the phone’s camera folder with this computer, for example as \#
    <code>~/Phone</code>.</li>
    <li>Open this page again: it says what to run.</li></ol>{{/shared}}{{/watched}}</section>
    """#)
}

/// A folder from which a running `holdfast watch` imports.
enum WatchedFolder {
  /// Finds the folders by the commands that run. Those of other users are invisible or not ours.
  ///
  /// - Parameter library: The library's path. Commands that name another one are left out.
  static func all(into library: String) -> [String] {
    let library = URL(filePath: library).resolvingSymlinksInPath().path(percentEncoded: false)
    let processes = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
    let folders = processes.filter { $0.allSatisfy(\.isNumber) }.flatMap { process in
      let words = Self.words(of: process)
      guard words.count > 2, words[0].hasSuffix("holdfast"), words[1] == "watch" else {
        return [String]()
      }
      let place = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/\(process)/cwd")
      func url(_ word: String) -> URL {
        URL(filePath: word, relativeTo: URL(filePath: place ?? "/")).standardizedFileURL
      }
      let named = zip(words, words.dropFirst()).first { $0.0 == "--library" }?.1
      if let named {
        let path = url(named).resolvingSymlinksInPath().path(percentEncoded: false)
        guard path.withoutSlash == library.withoutSlash else { return [] }
      }
      return words.dropFirst(2).compactMap { word in
        guard !word.hasPrefix("-") else { return nil }
        let path = url(word).path(percentEncoded: false)
        // The value of an option is not a folder, or is the library's own.
        return isWatchable(path) ? path.withoutSlash : nil
      }
    }
    return Set(folders).sorted()
  }

  private static func words(of process: String) -> [String] {
    guard let bytes = FileManager.default.contents(atPath: "/proc/\(process)/cmdline") else {
      return []
    }
    return bytes.split(separator: 0).map { String(decoding: $0, as: UTF8.self) }
  }

  private static func isWatchable(_ path: String) -> Bool {
    FileManager.default.fileExists(atPath: "\(path)/.")
      && !FileManager.default.fileExists(atPath: "\(path)/holdfast.json")
  }
}

/// A folder that Syncthing shares with other devices.
enum SharedFolder {
  private static let most = 500

  /// Finds the folders in the home folder, and one level below.
  static func all(in home: String) -> [String] {
    let first = folders(in: home)
    return (first + first.flatMap(folders)).filter {
      FileManager.default.fileExists(atPath: "\($0)/.stfolder")
    }.sorted()
  }

  private static func folders(in folder: String) -> [String] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return names.filter { !$0.hasPrefix(".") }.prefix(most).map {
      "\(folder.withoutSlash)/\($0)"
    }
  }
}

extension String {
  fileprivate var withoutSlash: String { count > 1 && hasSuffix("/") ? String(dropLast()) : self }

  /// The unit that watches this folder, as `systemd-escape` names it.
  fileprivate var unitName: String {
    let name = dropFirst().utf8.map { byte in
      let character = Character(Unicode.Scalar(byte))
      if character == "/" { return "-" }
      let isPlain =
        byte < 0x80 && (character.isLetter || character.isNumber || "_.:".contains(character))
      return isPlain ? String(character) : "\\x\(String(byte, radix: 16))"
    }.joined()
    return "'holdfast-watch@\(name).service'"
  }
}
