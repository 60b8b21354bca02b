package import Hummingbird
package import NIOCore

/// The context that the handlers of a request share.
package struct WebContext: RequestContext {
  package var coreContext: CoreRequestContextStorage
  package let channel: any Channel

  package init(source: ApplicationRequestContextSource) {
    coreContext = CoreRequestContextStorage(source: source)
    channel = source.channel
  }

  /// A form or a document is short. Uploads are streamed.
  package var maxUploadSize: Int { 1 << 20 }
}
