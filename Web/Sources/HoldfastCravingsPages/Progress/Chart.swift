import HoldfastWeb
import Mustache

struct Bar: Sendable {
  var label: String
  /// The series of the bar; empty for the only one.
  var series = ""
  var value: Double
  var text: String
  /// The largest value of its own scale; `nil` for the chart's.
  var full: Double?
}

/// A part of the page about one figure: sentences about it, a picture with a point, and a table
/// with the same values.
struct Figure: Sendable {
  let html: String

  private struct Row: Sendable {
    var label: String
    var series: String
    var text: String
    var hasSeries: Bool
  }

  private struct Values: Sendable {
    var title: String
    var sentences: [String]
    var pictures: [String]
    var caption: String?
    var rows: [Row]
    var hasRows: Bool
  }

  /// - Parameters:
  ///   - sentences: Sentences about the picture, or about the data that it would need.
  ///   - bars: The values of the picture, for the table.
  ///   - caption: A sentence that explains the picture.
  init(
    _ title: String, sentences: [String], picture: Picture? = nil, table bars: [Bar] = [],
    caption: String? = nil
  ) {
    // Few values need no picture: the sentences say them.
    let pictures = bars.count > 2 ? [picture].compactMap(\.self) : []
    html = Self.template.render(
      Values(
        title: title, sentences: sentences, pictures: pictures.map(\.html),
        caption: pictures.isEmpty ? nil : caption,
        rows: bars.map {
          Row(label: $0.label, series: $0.series, text: $0.text, hasSeries: !$0.series.isEmpty)
        }, hasRows: !pictures.isEmpty))
  }

  private static let template = Page.template(
    #"""
    <section class="figure"><h2>{{title}}</h2>{{#sentences}}<p>{{.}}</p>{{/sentences}}
    {{#pictures}}{{{.}}}{{/pictures}}{{#caption}}<p class="detail">{{.}}</p>{{/caption}}
    {{#hasRows}}<details><summary>As a table</summary><table><tbody>{{#rows}}<tr>\#
    <th scope="row">{{label}}{{#hasSeries}}, {{series}}{{/hasSeries}}</th>\#
    <td>{{text}}</td></tr>{{/rows}}</tbody></table></details>{{/hasRows}}</section>
    """#)
}

/// A drawing of values. Screen readers skip it, because the text beside it says the same.
struct Picture: Sendable {
  let html: String

  // MARK: Lines of bars

  private struct Line: Sendable {
    var label: String
    var text: String
    var y: Int
    var textY: Int
    var width: Int
    var endX: Int
    var style: String
  }

  /// The width of a picture. On a narrow screen, one of its units is about a pixel.
  private static let width = 360
  private static let letter = 9

  /// Draws one bar in each line, with its label before it and its value behind it.
  static func lines(_ bars: [Bar]) -> Picture {
    let largest = bars.map(\.value).max() ?? 1
    let start = 124
    let longest = width - start - 8 - letter * (bars.map(\.text.count).max() ?? 0)
    let lines = bars.enumerated().map { row, bar in
      let part = bar.value / max(bar.full ?? largest, 0.001)
      let width = max(Int(Double(max(longest, 40)) * part), 2)
      let label = bar.label.count > 17 ? bar.label.prefix(16) + "…" : bar.label[...]
      return Line(
        label: String(label), text: bar.text, y: row * 30 + 4, textY: row * 30 + 20, width: width,
        endX: start + 8 + width, style: bar.series)
    }
    return Picture(
      html: lineTemplate.render(["lines": lines, "height": bars.count * 30 + 4] as [String: Any]))
  }

  private static let lineTemplate = Page.template(
    #"""
    <svg class="chart" viewBox="0 0 360 {{height}}" aria-hidden="true">{{#lines}}\#
    <text x="0" y="{{textY}}">{{label}}</text>\#
    <rect class="{{style}}" x="124" y="{{y}}" width="{{width}}" height="22" rx="4"/>\#
    <text x="{{endX}}" y="{{textY}}">{{text}}</text>{{/lines}}</svg>
    """#)

  // MARK: Columns

  /// The columns of one series.
  struct Panel: Sendable {
    /// The title above the columns; empty for none.
    var name = ""
    /// The heights; 0 for a place without a column.
    var values: [Double]
    /// The height of the panel.
    var full: Double
    /// The label at the top of the panel.
    var most: String
    /// Whether the highest columns stand out.
    var hasPeak = false
  }

  private struct Column: Sendable {
    var x: Double
    var y: Double
    var width: Double
    var height: Double
    var style: String
  }

  private struct Mark: Sendable {
    var x: Double
    var anchor: String
    var text: String
  }

  private struct PanelValues: Sendable {
    var name: String
    var hasName: Bool
    var nameY: Int
    var most: String
    var top: Int
    var base: Int
    var topText: Int
    var baseText: Int
    var columns: [Column]
  }

  private struct ColumnValues: Sendable {
    var height: Int
    var markY: Int
    var panels: [PanelValues]
    var marks: [Mark]
  }

  /// The left edge of the columns. The scale is to its left.
  private static let axis = 36

  /// Draws columns side by side, over a line with marks. Several panels share the marks.
  ///
  /// - Parameter marks: The labels below, by the column's place. The first label begins at its
  ///   place, the last ends there, and the others are centred.
  static func columns(_ panels: [Panel], marks: [Int: String]) -> Picture {
    let tall = panels.count > 1 ? 56 : 100
    var y = 0
    let shown = panels.map { panel in
      let top = y + (panel.name.isEmpty ? 12 : 30)
      defer { y = top + tall + 8 }
      return PanelValues(
        name: panel.name, hasName: !panel.name.isEmpty, nameY: top - 12, most: panel.most,
        top: top, base: top + tall, topText: top + 5, baseText: top + tall + 4,
        columns: columns(of: panel, base: top + tall, tall: tall))
    }
    let count = panels.first?.values.count ?? 0
    let places = marks.keys.sorted()
    let labels = places.map { place in
      let anchor =
        places.count == count || place != 0 && place != count - 1
        ? "middle" : place == 0 ? "start" : "end"
      let x =
        anchor == "middle"
        ? middle(place, of: count) : anchor == "start" ? Double(axis) : Double(width)
      return Mark(x: x.tenths, anchor: anchor, text: marks[place] ?? "")
    }
    return Picture(
      html: columnTemplate.render(
        ColumnValues(height: y + 16, markY: y + 11, panels: shown, marks: labels)))
  }

  private static func middle(_ place: Int, of count: Int) -> Double {
    Double(axis) + Double(width - axis) / Double(max(count, 1)) * (Double(place) + 0.5)
  }

  private static func columns(of panel: Panel, base: Int, tall: Int) -> [Column] {
    let count = panel.values.count
    let broad = min(max(Double(width - axis) / Double(max(count, 1)) * 0.7, 1.5), 28)
    let peak = panel.values.max() ?? 0
    return panel.values.enumerated().filter { $1 > 0 }.map { place, value in
      let height = max(Double(tall) * min(value / max(panel.full, 0.001), 1), 2)
      return Column(
        x: (middle(place, of: count) - broad / 2).tenths, y: (Double(base) - height).tenths,
        width: broad.tenths, height: height.tenths,
        style: panel.hasPeak && value < peak ? "less" : "")
    }
  }

  private static let columnTemplate = Page.template(
    #"""
    <svg class="chart" viewBox="0 0 360 {{height}}" aria-hidden="true">{{#panels}}{{#hasName}}\#
    <text x="0" y="{{nameY}}" class="name">{{name}}</text>{{/hasName}}\#
    <path d="M36 {{top}}h324M36 {{base}}h324"/>\#
    <text x="30" y="{{topText}}" text-anchor="end">{{most}}</text>\#
    <text x="30" y="{{baseText}}" text-anchor="end">0</text>{{#columns}}\#
    <rect class="{{style}}" x="{{x}}" y="{{y}}" width="{{width}}" height="{{height}}" rx="2"/>\#
    {{/columns}}{{/panels}}{{#marks}}\#
    <text x="{{x}}" y="{{markY}}" text-anchor="{{anchor}}">{{text}}</text>{{/marks}}</svg>
    """#)
}

extension Double {
  /// The number with at most one decimal, so that a picture stays short.
  fileprivate var tenths: Double { (self * 10).rounded() / 10 }
}
