/// The line icons of the main actions, as HTML, on a grid of 24 by 24. Words are beside them.
package enum Icon {
  static let microphone = icon("M9 4h6v9H9zM5 11a7 7 0 0 0 14 0M12 18v3")
  static let camera = icon("M3 7h11v10H3zM14 10l6-3v10l-6-3")
  static let search = icon("M4 10.5a6.5 6.5 0 1 0 13 0a6.5 6.5 0 1 0-13 0M15.5 15.5 20 20")
  static let play = icon("M8 5v14l11-7z", "to-play")
  static let pause = icon("M8 5v14M16 5v14", "to-pause")

  private static func icon(_ strokes: String, _ kind: String = "") -> String {
    #"""
    <svg class="icon \#(kind)" viewBox="0 0 24 24" aria-hidden="true"><path d="\#(strokes)"/></svg>
    """#
  }
}
