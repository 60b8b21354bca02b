// A user of a library needs the values that it takes and returns, so a journal imports only this
// module.
@_exported public import HoldfastModel
