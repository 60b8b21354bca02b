import ArgumentParser
import HoldfastConsole

struct SpokenOptions: ParsableArguments {
  @Option(unconditional: "The words as you spoke them; at most 2000 characters.", valueName: "text")
  var said: String?

  @Option(
    unconditional: "How sure it is that the words were understood, from 0 to 1.",
    valueName: "confidence")
  var confidence: Double?

  @OptionGroup var time: TimeOption
}
