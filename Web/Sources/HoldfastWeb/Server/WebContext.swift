package import Hummingbird

/// What the handlers of a request share.
package struct WebContext: RequestContext {
  package var coreContext: CoreRequestContextStorage

  package init(source: ApplicationRequestContextSource) {
    coreContext = CoreRequestContextStorage(source: source)
  }

  /// A form or a document is short. Uploads are streamed.
  package var maxUploadSize: Int { 1 << 20 }
}
