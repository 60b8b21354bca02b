// The library's functions accept and return these values, so a journal imports only this module.
@_exported public import HoldfastModel
