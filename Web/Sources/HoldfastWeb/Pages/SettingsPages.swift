import Foundation
import Holdfast
import Hummingbird

/// Actions on the library as a whole, and facts about the program.
struct SettingsPages: Sendable {
  let host: LibraryHost
  let journals: JournalSettings

  func add(to router: Router<WebContext>) {
    router.get("/settings") { _, _ in try await settings() }
    for (name, isWanted) in [("show", true), ("hide", false)] {
      router.post("/settings/first-words/\(name)") { _, _ in
        try FirstWords.show(isWanted)
        return Page.redirect(to: "/settings", saying: .saved)
      }
    }
  }

  private struct Values: Sendable {
    var path: String
    var recordings: String
    var faulty: String?
    var tables: [Choice]
    var backup: BackupState
    var hasPlace: Bool
    var journals: [JournalSettings.Shown]
    var hasPrivate: Bool
    var showsFirstWords: Bool
  }

  private func settings() async throws -> Response {
    try await Page.response("Settings", tab: .settings, template: Self.template, from: host) {
      library in
      let counts = (try? library.exportedCounts()) ?? []
      let (backup, journals) = (try BackupState(of: library), try journals.all(in: library))
      return Values(
        path: library.path,
        recordings: try library.count(matching: RecordingQuery()).counted("recording"),
        faulty: try library.knownFaults()?.asSentence,
        tables: counts.filter { $0.count > 0 }.map { kind, count in
          Choice(
            "/export/\(kind.name).csv",
            "\(kind.plural.prefix(1).uppercased())\(kind.plural.dropFirst()) · \(count)")
        }, backup: backup, hasPlace: !backup.folder.isEmpty || !backup.disks.isEmpty,
        journals: journals,
        hasPrivate: try !library.enabledJournals().isEmpty,
        showsFirstWords: FirstWords.areShown)
    }
  }

  private static let template = Page.template(
    #"""
    {{^empty(journals)}}<section><h2>Journals</h2><ul class="entries">
    {{#journals}}<li class="split"><p><strong>{{title}}</strong>\#
    <span class="detail">{{summary}}</span></p>
    {{#isEnabled}}<p class="inline"><a class="button quiet" href="{{path}}">Open\#
    <span class="hidden"> {{title}}</span></a></p>\#
    <form method="post" action="/settings/journals/{{name}}/disable">\#
    <button class="link">Switch off<span class="hidden"> {{title}}</span></button>\#
    </form>{{/isEnabled}}
    {{^isEnabled}}<form method="post" action="/settings/journals/{{name}}/enable">\#
    <input type="hidden" name="back" value="/settings">\#
    <button class="quiet button">Switch on<span class="hidden"> {{title}}</span></button>\#
    </form>{{/isEnabled}}</li>{{/journals}}
    </ul></section>{{/empty(journals)}}
    <section><h2>Kind words</h2><p>\#
    <a class="button quiet" href="/messages">Your kind words</a></p></section>
    <section><h2>Recordings</h2><p><a class="button quiet" href="/phone">From the phone</a></p>
    <p>{{#showsFirstWords}}Lists show the first words of recordings without a \#
    name.{{/showsFirstWords}}{{^showsFirstWords}}Lists can show the first words of recordings \#
    without a name, where a computer wrote them down.{{/showsFirstWords}}</p>
    <form method="post" action="/settings/first-words/\#
    {{#showsFirstWords}}hide{{/showsFirstWords}}{{^showsFirstWords}}show{{/showsFirstWords}}">\#
    <button class="button quiet">{{#showsFirstWords}}Hide{{/showsFirstWords}}\#
    {{^showsFirstWords}}Show{{/showsFirstWords}} first words</button></form></section>
    <section><h2>Backup</h2><p data-before>{{backup.sentence}}</p>
    {{#backup}}<div class="row">{{^empty(folder)}}<form method="post" action="/settings/backup" \#
    data-run><input type="hidden" name="folder" value="{{folder}}">\#
    <button class="button">Back up now to “{{name}}”</button></form>{{/empty(folder)}}
    {{#disks}}<form method="post" action="/settings/backup" data-run>\#
    <input type="hidden" name="folder" value="{{folder}}">\#
    <button class="button quiet">Back up to {{name}}</button></form>{{/disks}}</div>
    <details{{^hasPlace}} open{{/hasPlace}}><summary>Another folder</summary>
    <form method="post" action="/settings/backup" class="form" data-run>\#
    <label for="folder">Folder for backups</label>
    <input id="folder" name="folder" value="{{folder}}" placeholder="/media/usb/holdfast" \#
    required maxlength="1000" autocapitalize="off" spellcheck="false">
    <p class="submit"><button class="button quiet">Back up to this folder</button></p></form>\#
    </details>{{^empty(folder)}}<details><summary>Get something back</summary>
    <p>In a terminal, <code>holdfast restore '{{folder}}' --recording ID</code> brings back one \#
    recording, and <code>holdfast restore '{{folder}}' --to FOLDER</code> everything, into a new \#
    folder. <code>holdfast backup list '{{folder}}'</code> shows what there is.</p></details>\#
    {{/empty(folder)}}{{/backup}}</section>
    <section><h2>The files</h2>{{#faulty}}<p>{{.}}</p>{{/faulty}}\#
    <p>Compares each recording’s file with what the library knows about it.</p>
    <form method="post" action="/settings/verify" data-run><p><label class="check">\#
    <input type="checkbox" name="deep" value="1"> Read every byte, which takes longer</label></p>
    <button class="button quiet">Check the files</button></form></section>
    <section><h2>Privacy</h2><p>Looks for things that say more about you than needed: in the \#
    files, in the library’s folder, and where programs leave traces.</p>
    <form method="post" action="/settings/privacy" data-run>\#
    <button class="button quiet">Check privacy</button></form></section>
    <section><h2>Export</h2><p>What you logged and what the library knows, for other programs. \#
    The recordings themselves are not in it.</p>
    <p><a class="button quiet" href="/export.json" download>Save what you logged (JSON)</a></p>
    {{^empty(tables)}}<details><summary>Save tables for a spreadsheet (CSV)</summary>
    {{#hasPrivate}}<p class="hint">Journal entries that you marked as private are in the JSON \#
    file only.</p>{{/hasPrivate}}
    <ul class="entries">{{#tables}}<li>\#
    <a href="{{value}}" download>{{name}}</a></li>{{/tables}}</ul></details>\#
    {{/empty(tables)}}</section>
    <section><h2>Bring in</h2><p>What you logged in another Holdfast or in an app.</p>\#
    <p><a class="button quiet" href="/settings/import">Bring in a file</a></p></section>
    <section><h2>Delete</h2><p>\#
    <a class="button danger" href="/settings/erase">Delete everything…</a></p></section>
    <section><h2>About</h2><p>{{recordings}} in <code>{{path}}</code>. Private and local only: \#
    nothing ever leaves this computer.</p>
    <p class="detail">Holdfast \#(Library.version), under the MIT licence.</p></section>
    <template data-panel><div class="panel card"><progress aria-label="Progress"></progress>\#
    <p class="detail" data-count></p>
    <p role="status" data-state></p><p class="detail" data-details></p>
    <ul class="entries" data-lines></ul>
    <form method="post" action="/settings/repair" hidden>\#
    <p>A repair deletes nothing. It moves misplaced files aside, and brings
    back files from a backup.</p><button class="button">Repair</button></form></div></template>
    """#)
}
