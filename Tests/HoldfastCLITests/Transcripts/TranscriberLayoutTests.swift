import Foundation
import HoldfastTestSupport
import Testing

@Suite("A transcriber in the user's home", .temporaryFolder)
struct TranscriberLayoutTests {
  private let library = LibraryFolder()

  /// How Python's installers lay programs out. `python NAME` copies the system's Python to a
  /// folder.
  enum Layout: String, CaseIterable, CustomTestStringConvertible {
    case user = """
      mkdir -p .local/bin ".local/lib/$version/site-packages"
      write .local/bin "$python" ".local/lib/$version/site-packages"
      """
    case pipx = """
      venv=.local/share/pipx/venvs/whisper-ctranslate2; mkdir -p .local/bin
      "$python" -m venv --without-pip "$venv"
      write "$venv/bin" "$HOME/$venv/bin/python" "$venv/lib/$version/site-packages"
      ln -s "$HOME/$venv/bin/whisper-ctranslate2" .local/bin/
      """
    case uv = """
      base=.local/share/uv/python/cpython-3-linux; copy "$base"; mkdir -p .local/bin
      venv=.local/share/uv/tools/whisper-ctranslate2
      "$HOME/$base/bin/python3" -m venv --without-pip "$venv"
      write "$venv/bin" "$HOME/$venv/bin/python" "$venv/lib/$version/site-packages"
      ln -s "$HOME/$venv/bin/whisper-ctranslate2" .local/bin/
      """
    case pyenv = """
      base=.pyenv/versions/3; copy "$base"
      write "$base/bin" "$HOME/$base/bin/python3" "$base/lib/$version"
      mkdir -p .pyenv/shims .pyenv/libexec .local/bin
      printf '%s\\n' '#!/usr/bin/env bash' 'export PYENV_ROOT="$HOME_OF_USER/.pyenv"' \
        'exec "$PYENV_ROOT/libexec/pyenv" exec "${0##*/}" "$@"' |
        sed "s,\\$HOME_OF_USER,$HOME," > .pyenv/shims/whisper-ctranslate2
      printf '%s\\n' '#!/usr/bin/env bash' 'shift; name=$1; shift' \
        'exec "$PYENV_ROOT/versions/3/bin/$name" "$@"' > .pyenv/libexec/pyenv
      chmod 755 .pyenv/shims/* .pyenv/libexec/*
      """

    var testDescription: String { "\(self)" }
  }

  /// Programs and models that name or hold what they have no business with.
  enum Trap: String, CaseIterable, CustomTestStringConvertible {
    case settings = """
      mkdir -p venv/bin; cp "$0" venv/bin/; program=venv/bin/whisper-ctranslate2
      printf 'home = %s\n' /etc .ssh "$HOME/.ssh" > venv/pyvenv.cfg
      """
    case pipe = """
      mkdir -p venv/bin; cp "$0" venv/bin/; program=venv/bin/whisper-ctranslate2
      mkfifo venv/pyvenv.cfg
      """
    case links = """
      mkdir -p tools/bin; cp "$0" tools/bin/; program=tools/bin/whisper-ctranslate2
      ln -s "$HOME/.ssh" "$1/folder"; ln -s "$HOME/.ssh/id" "$1/file"; ln -s / "$1/all"
      """
    case downloads = """
      mv .ssh Downloads; cp "$0" Downloads/; program=Downloads/whisper-ctranslate2
      ln -s "$HOME/Downloads/id" Downloads/libc.so.1
      """
    case names = """
      mv .ssh Downloads; cp "$0" Downloads/; program=Downloads/whisper-ctranslate2
      cd Downloads; mv id id.source.pdf; ln -s "$HOME/Downloads/id.source.pdf" id; cd ..
      """
    case ignored = """
      mkdir -p tools/bin .local/bin .local/lib/python3.9; program=tools/bin/whisper-ctranslate2
      mv .ssh/id .local/bin/id.sh; chmod 755 .local/bin/id.sh; ln -s ../.local/bin/id.sh .ssh/id
      echo "#!/usr/bin/env -S -u $HOME/.local/bin/id.sh /usr/bin/python3" > "$program"
      tail -n +2 "$0" >> "$program"; chmod 755 "$program"
      """
    case quoted = #"""
      mkdir -p tools/bin; program=tools/bin/whisper-ctranslate2
      {
        printf '%s\n' '#!/bin/sh' "'''exec' \"/\"usr/bin/python3 \"\$0\" \"\$@\"" "' '''"
        tail -n +2 "$0"
      } > "$program"; chmod 755 "$program"
      """#
    case option = """
      mkdir -p tools/bin; program=tools/bin/whisper-ctranslate2
      echo '#!/usr/bin/env -S -u ../../../../../.. /usr/bin/python3' > "$program"
      tail -n +2 "$0" >> "$program"; chmod 755 "$program"
      """
    case interpreter = """
      mkdir -p tools/bin .ssh/bin; program=tools/bin/whisper-ctranslate2
      ln -s /usr/bin/python3 .ssh/bin/; echo "#!$HOME/.ssh/bin/python3" > "$program"
      tail -n +2 "$0" >> "$program"; chmod 755 "$program"
      """

    var testDescription: String { "\(self)" }
  }

  @Test("reads nothing else, whatever it says about itself", arguments: Trap.allCases)
  func traps(_ trap: Trap) async throws {
    try await library.importingTones(1)
    let home = try makeFolder("home")
    let fake = try FakeTranscriber(
      """
      got = []
      library = "\(library.path)/catalog.sqlite"
      for name in ["\(home)/.ssh/id", "\(home)/Downloads/id", "/etc/passwd", library]:
          try: got.append(open(name, errors="replace").read(9))
          except OSError: pass
      write(sounds[0], whisper((0, 1, "got: " + " ".join(got))))
      """)
    let script = """
      cd "$HOME"; mkdir .ssh; echo secret > .ssh/id
      \(trap.rawValue)
      printf %s "$HOME/$program"
      """
    let environment = FakeTranscriber.environment.merging(["HOME": home]) { $1 }
    let made = try await Command.run(
      "bash", ["-ec", script, fake.program, fake.model], environment: environment)
    try #require(made.status == 0, "\(made.errorOutput)")
    let result = try await Command.run(
      Command.holdfast,
      library.command(
        ["transcribe", "--program", made.output, "--model", fake.model, "--now"]),
      environment: environment)
    #expect(result.status == 0, "\(result.errorOutput)")
    #expect(try await library.segments() == [["0", "1000", "got:"]])
  }

  @Test("runs with what it needs, and reads nothing else there", arguments: Layout.allCases)
  func runs(_ layout: Layout) async throws {
    try await library.importingTones(1)
    let fake = try FakeTranscriber(
      """
      import spoken
      got = []
      for name in ["notes", ".local/share/notes", ".config/notes"]:
          try: got.append(open("\(temporary("home"))/" + name).read())
          except OSError: pass
      write(sounds[0], whisper((0, 1, spoken.word + " " + " ".join(got))))
      """)
    let script = """
      copy() {
        mkdir -p "$1/bin" "$1/lib"; cp -L "$python" "$1/bin/python3"
        cp -r "/usr/lib/$version" "$1/lib/"
      }
      write() {
        { echo "#!$2"; tail -n +2 "$0"; } > "$1/whisper-ctranslate2"
        chmod 755 "$1/whisper-ctranslate2"; echo 'word = "Spoken"' > "$3/spoken.py"
      }
      python=/usr/bin/python3
      version=$("$python" -c 'import sys; print("python%d.%d" % sys.version_info[:2])')
      mkdir -p "$HOME/.local/share" "$HOME/.config"; cd "$HOME"
      for place in . .local/share .config; do echo secret > "$place/notes"; done
      \(layout.rawValue)
      """
    let environment = FakeTranscriber.environment.merging([
      "HOME": temporary("home"),
      "PATH": "\(temporary("home"))/.pyenv/shims:\(temporary("home"))/.local/bin:/usr/bin:/bin",
    ]) { $1 }
    let made = try await Command.run(
      "bash", ["-ec", script, fake.program], environment: environment)
    try #require(made.status == 0, "\(made.errorOutput)")
    let result = try await Command.run(
      Command.holdfast, library.command(["transcribe", "--model", fake.model, "--now"]),
      environment: environment)
    #expect(result.status == 0, "\(result.errorOutput)")
    #expect(try await library.segments() == [["0", "1000", "Spoken"]])
  }
}
