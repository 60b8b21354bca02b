// Whoever uses a library needs the values that it takes and returns. A journal imports this module
// only.
@_exported public import HoldfastModel
