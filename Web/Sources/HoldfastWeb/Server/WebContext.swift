internal import Hummingbird

/// What the handlers of a request share.
struct WebContext: RequestContext {
  var coreContext: CoreRequestContextStorage

  init(source: ApplicationRequestContextSource) {
    coreContext = CoreRequestContextStorage(source: source)
  }

  /// A form or a document is short. Uploads are streamed.
  var maxUploadSize: Int { 1 << 20 }
}
