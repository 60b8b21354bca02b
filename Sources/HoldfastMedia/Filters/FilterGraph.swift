import CFFmpeg
import HoldfastModel

/// A chain of FFmpeg's filters between a decoder and an encoder.
final class FilterGraph {
  private var graph: UnsafeMutablePointer<AVFilterGraph>?
  private let source: UnsafeMutablePointer<AVFilterContext>
  private let sink: UnsafeMutablePointer<AVFilterContext>
  /// The clock of the pictures that come out; `nil` for sound, whose clock is its sample rate.
  private let timeBase: AVRational?

  /// The chain in FFmpeg's syntax.
  let description: String

  /// Builds the chain that `description` names, for frames like `frame`.
  init(
    _ description: String, for frame: UnsafeMutablePointer<AVFrame>, timeBase: AVRational
  ) throws(HoldfastError) {
    self.description = description
    let isVideo = frame.pointee.width > 0
    self.timeBase = isVideo ? timeBase : nil
    var building = avfilter_graph_alloc()
    do throws(HoldfastError) {
      let graph = try check(building, "build the filters")
      // The filters work on small pictures, so a thread for each filter would cost more than it
      // saves.
      graph.pointee.nb_threads = 1
      let source = try check(
        avfilter_graph_alloc_filter(
          graph, avfilter_get_by_name(isVideo ? "buffer" : "abuffer"), "in"),
        "build the filters")
      try check(cff_describe_source(source, frame, timeBase), "describe the decoded frames")
      try check(avfilter_init_str(source, nil), "build the filters")
      var sink: UnsafeMutablePointer<AVFilterContext>?
      try check(
        avfilter_graph_create_filter(
          &sink, avfilter_get_by_name(isVideo ? "buffersink" : "abuffersink"), "out", nil, nil,
          graph),
        "build the filters")

      // From the chain's point of view, the source's output is its input, and the other way round.
      var outputs = avfilter_inout_alloc()
      var inputs = avfilter_inout_alloc()
      defer {
        avfilter_inout_free(&outputs)
        avfilter_inout_free(&inputs)
      }
      outputs?.pointee.name = av_strdup("in")
      outputs?.pointee.filter_ctx = source
      inputs?.pointee.name = av_strdup("out")
      inputs?.pointee.filter_ctx = sink
      try check(
        avfilter_graph_parse_ptr(graph, description, &inputs, &outputs, nil),
        "build the filters")
      try check(avfilter_graph_config(graph, nil), "build the filters")
      self.source = source
      self.sink = try check(sink, "build the filters")
      self.graph = graph
    } catch {
      avfilter_graph_free(&building)
      throw error
    }
  }

  deinit { avfilter_graph_free(&graph) }

  /// Sends a frame (or `nil` at the end) through the chain and passes its output to `body`.
  func filter(
    _ frame: UnsafeMutablePointer<AVFrame>?, into output: UnsafeMutablePointer<AVFrame>,
    _ body: FrameHandler
  ) throws(HoldfastError) {
    let added = av_buffersrc_add_frame(source, frame)
    // A filter that cuts may have ended already.
    if added != cff_error_eof { try check(added, "filter a frame") }
    while true {
      let code = av_buffersink_get_frame(sink, output)
      if code == cff_error_again || code == cff_error_eof { return }
      try check(code, "filter a frame")
      defer { av_frame_unref(output) }
      // Some filters, such as bwdif, use a clock of their own.
      if let timeBase { cff_rescale_frame(output, av_buffersink_get_time_base(sink), timeBase) }
      try body(output)
    }
  }
}
