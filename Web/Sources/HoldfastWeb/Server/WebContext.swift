internal import Hummingbird
internal import NIOCore

/// What the handlers of a request share.
struct WebContext: RequestContext {
  var coreContext: CoreRequestContextStorage

  /// The connection on which the request came.
  let channel: any Channel

  init(source: ApplicationRequestContextSource) {
    coreContext = CoreRequestContextStorage(source: source)
    channel = source.channel
  }

  /// A form or a document is short. Uploads are streamed.
  var maxUploadSize: Int { 1 << 20 }
}
