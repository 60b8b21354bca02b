import Testing

/// The whole help of one command.
struct HelpText: Sendable, CustomTestStringConvertible {
  var command: String
  var text: String

  var testDescription: String { command.isEmpty ? "holdfast" : "holdfast \(command)" }

  /// What every command takes.
  private static let common = """
      --library <dir>         The library's folder; without it $HOLDFAST_LIBRARY,
                              else $XDG_DATA_HOME/holdfast, else
                              $HOME/.local/share/holdfast.
      --json                  Print JSON: one document, or one a line from commands
                              that stream.
      --quiet                 Print results and errors only.
      --no-color              Print without colours.
      -h, --help              Show help information.
    """

  static let all = [
    HelpText(
      command: "",
      text: """
        OVERVIEW: A private, local library of the recordings you will need one day.

        Exit status: 0 done; 1 the command as a whole could not run; 3 at least one
        item failed or was refused, the others are done; 4 verify found something; 64
        bad usage; 130 interrupted.

        USAGE: holdfast <subcommand>

        OPTIONS:
          -h, --help              Show help information.

        SUBCOMMANDS:
          import                  Take recordings into the library: files as they are,
                                  folders walked.
          probe                   Say what files hold, and what an import would make of
                                  them.
          list                    List the recordings in the library.
          show                    Show everything that is known of a recording.
          verify                  Compare the library's files with its catalog.
          export                  Write down everything that the library remembers, for
                                  other programs.
          import-data             Take in what export --format json has written.

          See 'holdfast help <subcommand>' for detailed help.
        """),
    HelpText(
      command: "import",
      text: """
        OVERVIEW: Take recordings into the library: files as they are, folders walked.

        Sources are never changed. In folders, hidden files, links, photos and
        documents are passed over. A recording may last 120 s.

        USAGE: holdfast import <paths> ... [--purpose <purpose>] [--title <title>] [--notes \
        <notes>] [--video <video>] [--allow-duplicates] [--jobs <jobs>] [--dry-run] [--library \
        <dir>] [--json] [--quiet] [--no-color]

        ARGUMENTS:
          <paths>                 Files and folders.

        OPTIONS:
          --purpose <purpose>     Why the recordings are kept. (values: motivational,
                                  milestone, reflection, craving; default: motivational)
          --title <title>         What they are called; at most 200 characters.
          --notes <notes>         What you write about them; at most 5000 characters.
          --video <video>         auto copies what Apple players can play and encodes
                                  the rest; copy refuses the rest; h264 encodes all.
                                  (values: auto, copy, h264; default: auto)
          --allow-duplicates      Take sources again that are in the library already.
          --jobs <jobs>           How many sources are worked on at a time (default: as
                                  many as there are cores).
          --dry-run               Only say what would be done; write nothing.
        \(common)
        """),
    HelpText(
      command: "probe",
      text: """
        OVERVIEW: Say what files hold, and what an import would make of them.

        Every packet is read, so that the duration is the true one. Nothing is written.

        USAGE: holdfast probe <files> ... [--library <dir>] [--json] [--quiet] [--no-color]

        ARGUMENTS:
          <files>                 Files.

        OPTIONS:
        \(common)
        """),
    HelpText(
      command: "list",
      text: """
        OVERVIEW: List the recordings in the library.

        USAGE: holdfast list [--type <type>] [--purpose <purpose>] [--search <text>] [--sort \
        <sort>] [--limit <limit>] [--offset <offset>] [--library <dir>] [--json] [--quiet] \
        [--no-color]

        OPTIONS:
          --type <type>           Only recordings of this type. (values: video, audio)
          --purpose <purpose>     Only recordings kept for this purpose. (values:
                                  motivational, milestone, reflection, craving)
          --search <text>         Only those whose title, notes or original file name
                                  contain this.
          --sort <sort>           The order. (values: recent, played, longest, title;
                                  default: recent)
          --limit <limit>         How many at most. (default: 20)
          --offset <offset>       How many to pass over first. (default: 0)
        \(common)
        """),
    HelpText(
      command: "show",
      text: """
        OVERVIEW: Show everything that is known of a recording.

        USAGE: holdfast show <id> [--library <dir>] [--json] [--quiet] [--no-color]

        ARGUMENTS:
          <id>                    The recording's id, or at least four characters of
                                  its beginning.

        OPTIONS:
        \(common)
        """),
    HelpText(
      command: "verify",
      text: """
        OVERVIEW: Compare the library's files with its catalog.

        Every recording has its file, of the right size, and its thumbnail if it is a
        video; every file belongs to a recording; nothing is left of interrupted work;
        the catalog is sound. Nothing is changed. Exit status 4 if anything is found.

        USAGE: holdfast verify [--library <dir>] [--json] [--quiet] [--no-color]

        OPTIONS:
        \(common)
        """),
    HelpText(
      command: "export",
      text: """
        OVERVIEW: Write down everything that the library remembers, for other programs.

        Everything but the media: recordings, cravings, usage and messages. JSON is one
        document, which import-data reads; CSV is a folder with one table of each. What
        is written is readable by you alone, and replaces nothing.

        USAGE: holdfast export --format <format> [--output <path>] [--library <dir>] [--json] \
        [--quiet] [--no-color]

        OPTIONS:
          --format <format>       The form. (values: json, csv)
          --output <path>         The new file for JSON, which otherwise goes to
                                  standard output; the new or empty folder for CSV.
        \(common)
        """),
    HelpText(
      command: "import-data",
      text: """
        OVERVIEW: Take in what export --format json has written.

        What the library does not know is added; what it knows is replaced where the
        document's was changed later. Recordings are only updated: take their files in
        first, with import. All is done in one step, or nothing.

        USAGE: holdfast import-data <file> [--dry-run] [--library <dir>] [--json] [--quiet] \
        [--no-color]

        ARGUMENTS:
          <file>                  The document.

        OPTIONS:
          --dry-run               Only say what would be done; write nothing.
        \(common)
        """),
  ]
}
