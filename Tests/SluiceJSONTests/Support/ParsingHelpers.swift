import SluiceJSON

/// The value of a text as a tree, or the error.
func parsed(_ text: some Sequence<UInt8>, maximumDepth: Int = JSONParser.defaultMaximumDepth) throws -> ReferenceValue {
    let parser = JSONParser(maximumDepth: maximumDepth)
    return ReferenceValue(try unsafe parser.parse(Array(text)))
}

/// The error that a text causes, or nil.
func parsingError(_ text: some Sequence<UInt8>, maximumDepth: Int = JSONParser.defaultMaximumDepth) -> JSONError? {
    do {
        _ = try parsed(text, maximumDepth: maximumDepth)
        return nil
    } catch {
        return error as? JSONError
    }
}

/// Calls a closure with the value of a text.
@discardableResult
func withElement<Result>(_ text: String, _ body: (JSONElement) throws -> Result) throws -> Result {
    let parser = JSONParser()
    return try withExtendedLifetime(parser) { try body(unsafe parser.parse(Array(text.utf8))) }
}
