package import Holdfast

// Remedies for errors and findings of the library, for a user at a terminal. The library names no
// command and no option, because other programs use it too. Notes of one command name their options
// themselves.

extension HoldfastError {
  /// Returns an error of the library with its way out, and any other error as it is.
  package static func explained(_ error: any Error) -> any Error {
    (error as? HoldfastError).map { HoldfastError($0.code, $0.explained) } ?? error
  }

  package var explained: String {
    let general = remedy.map { "; \($0)" } ?? ""
    guard let commandRemedy else { return description + general }
    return description + (cause == nil ? "" : general) + commandRemedy
  }

  /// The sentence for a note about something that was left out. A wait that ended needs no way out
  /// there.
  package var note: String { code == .locked ? reason : explained }

  /// The end of the sentence at a terminal; `nil` where the error's own remedy is the end.
  private var commandRemedy: String? {
    switch code {
    case .noLibrary:
      "; is its disk mounted? holdfast init \((path ?? "").shellWord) makes a new one"
    case .damaged where operation == "open the catalog",
      .missing where operation == "open the catalog",
      .notACatalog where operation == "open the catalog":
      "; restore the file from a backup, or make it again with holdfast restore --rebuild"
    case .noPlace: "; give --library DIR, or set HOME"
    case .otherFilesystem where operation == "open":
      "; unmount what is mounted there, or move the whole library to that disk"
    case .networkFilesystem where operation == "make":
      "; if you make sure that only one does, add --shared-disk"
    case .networkFilesystem:
      "; if you make sure that only one does, holdfast doctor --shared-disk --library "
        + "\((path ?? "").shellWord) allows it"
    case .locked: ", or wait longer with --lock-timeout"
    case .offline where operation == nil, .recoveryPutOff:
      "; if their disk is not mounted, mount it; if they have other names now, run holdfast verify "
        + "--repair; if they are lost, bring them back with holdfast verify --repair --from a "
        + "backup, or forget them with holdfast delete --lost"
    case .otherComputersWork: "; holdfast verify shows whether anything is missing"
    case .noSuchRecord where operation == "read the transcript": nil
    case .noSuchRecord: record.map { "; holdfast \($0.listCommand) shows them" }
    case .journalNotEnabled where operation != "find the journal":
      "; holdfast journal enable "
        + "\(record.flatMap(KnownJournals.command(of:))?.journal.name ?? "NAME") makes its tables"
    case .journalNotEmpty: "; with --erase its records are deleted"
    case .damagedBackup where operation == nil:
      "; --take-rest restores the rest, and --at an older backup"
    case .unusableBackup where operation == nil, .damagedBag:
      "; holdfast backup list shows the others"
    case .noLinks: "; without --link the files are copied"
    case .unfinishedUpdate where operation == nil:
      "; the next holdfast backup finishes or undoes it"
    case .recordingLost:
      "; holdfast verify --repair --from \((path ?? "").shellWord) brings it back"
    case .catalogWhole: "; holdfast verify shows whether anything else is wrong"
    case .noBackup: "; holdfast backup list shows them"
    case .notInBackup: "; another backup may have it: see holdfast backup list, and --at"
    case Code(rawValue: "noMessage"):
      "; holdfast message list --hidden shows them, and holdfast message unhide brings one back"
    case Code(rawValue: "defaultMessage"): "; hide it with holdfast message hide"
    case .soundUnmeasured, .notCopied:
      if case .error(let error) = cause, let remedy = error.commandRemedy {
        remedy
      } else {
        "; see holdfast verify"
      }
    case .hasTranscript where operation == "transcribe": "; holdfast transcript allow lets it be"
    case .hasTranscript: "; --again replaces a machine's, and --force a person's"
    case .transcriber where operation == "choose a language": "; give --language en"
    case .transcriber where operation == "choose a model": "; name one with --model"
    case .badThumbnailPath: "; see holdfast verify"
    case .notMerged where operation == "make the file": "; holdfast verify says what it is"
    case .unreadableRow where operation == nil, .sqlite: "; run holdfast verify"
    case .needsMigration: "; run any command that writes, such as holdfast import"
    case .notRestored:
      "; holdfast verify --repair --from that folder looks in it for missing recordings"
    case .overLimit: operation == "log" ? ". Use --trim" : ". Use --over-limit trim or split"
    case .cannotSplit: ". Use --over-limit trim"
    case .cannotCopy: "; use --video auto or h264"
    case .tooHighToCopy: "; use --video auto or a larger --max-height"
    case .stalled:
      "; if the machine was busy, try again or set a longer --stall-timeout"
    case .overdue: "; if the machine was busy, try again or set a longer --job-timeout"
    default: nil
    }
  }
}

extension VerifyFinding {
  /// The finding with its way out at the end of a sentence.
  package var explained: VerifyFinding {
    var finding = self
    switch help {
    case .backup:
      switch repair {
      case .none, .done: break
      case .possible(let words): finding.repair = .possible(words + ", and with --from in a backup")
      case .failed(let words):
        finding.repair = .failed(
          (words.map { $0 + "; " } ?? "")
            + "name a backup, or the folder that it was imported from, with --from")
      }
    case .shorterImport:
      finding.detail += "; import its source again with --over-limit trim, and delete this one"
    case .compaction: finding.detail += "; holdfast doctor --compact compacts it"
    case .edit(let kind, let id):
      let id = id.cut(to: 64).shellWord
      finding.detail += "; correct it with holdfast \(kind.command("edit")) \(id)"
    case .time(let code):
      finding.detail += HoldfastError(code, "").explained
    case nil: break
    }
    return finding
  }
}

extension RecordKind {
  /// Returns the command for records of this kind: `list` or `edit` with its noun. Recordings have
  /// none.
  package func command(_ verb: String) -> String {
    if let command = KnownJournals.command(of: self) { return command.command(to: verb, self) }
    return self == .recordings ? verb : "\(singular) \(verb)"
  }

  fileprivate var listCommand: String {
    // Without the option, hidden messages are left out.
    command("list") + (name == "messages" ? ", with --hidden for hidden ones," : "")
  }
}

extension String {
  /// This path as a word that can be copied into a shell.
  package var shellWord: String {
    let path = hasPrefix("-") ? "./\(self)" : self
    let isPlain = path.unicodeScalars.allSatisfy { scalar in
      scalar.properties.isAlphabetic || "0123456789/._-+,:@%=".unicodeScalars.contains(scalar)
    }
    if isPlain { return path }
    return
      "'\(path.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''"))'"
      .escapedForDisplay
  }
}
