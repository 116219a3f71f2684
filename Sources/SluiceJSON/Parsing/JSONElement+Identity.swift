internal import CSluiceSimdjson

extension JSONElement {
    /// A number that no other value has that is alive at the same time.
    @inlinable
    public var identity: Int { unsafe Int(bitPattern: word) }

    /// Makes a null that is on no parser's tape and always valid.
    public init() {
        // The C side never returns a null pointer here.
        unsafe self.init(
            word: sluice_json_null_tape().unsafelyUnwrapped, texts: sluice_json_null_texts().unsafelyUnwrapped)
    }
}
