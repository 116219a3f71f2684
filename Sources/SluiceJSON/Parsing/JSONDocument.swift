/// A JSON text that was parsed, with the memory that its values are read from.
///
/// ```swift
/// let document = try JSONDocument(#"{"id": 7}"#)
/// document.root.member(named: "id")?.integer  // 7
/// ```
///
/// For texts that are parsed one after the other at full speed there is ``JSONParser``, which uses its memory again and
/// lends its elements.
package final class JSONDocument {
    private let parser: JSONParser
    /// The value, for as long as the document.
    package let element: JSONElement

    /// Parses a text.
    ///
    /// - Parameters:
    ///   - text: The text, which is copied.
    ///   - maximumDepth: How deeply objects and arrays may be nested.
    /// - Throws: ``JSONError`` with the offset of the first fault.
    package init(_ text: [UInt8], maximumDepth: Int = JSONParser.defaultMaximumDepth) throws(JSONError) {
        let parser = JSONParser(maximumDepth: maximumDepth)
        element = try unsafe parser.parse(text)
        self.parser = parser
    }

    /// Parses a text, see ``init(_:maximumDepth:)-([UInt8],_)``.
    ///
    /// - Parameter text: The text.
    /// - Throws: ``JSONError`` with the offset of the first fault.
    package convenience init(_ text: String) throws(JSONError) { try self.init(Array(text.utf8)) }

    /// Parses a text to look at what stands around values that cannot be taken, see ``JSONText/tamed(_:maximumDepth:)``.
    ///
    /// - Parameters:
    ///   - text: The text.
    ///   - parser: What parses it: the values are gone when the parser parses something else.
    /// - Throws: ``JSONError`` with the offset of the first fault.
    package init(tamed text: [UInt8], parser: JSONParser = JSONParser()) throws(JSONError) {
        element = try unsafe parser.parseTamed(text)
        self.parser = parser
    }

    /// Where values of the document begin in the text; nil if one of them is of another one.
    package func byteOffsets(of elements: [JSONElement]) -> [Int]? { parser.byteOffsets(of: elements) }

    /// The value that the text is.
    package var root: JSONValue { JSONValue(element, of: self) }
}

@available(*, unavailable)
extension JSONDocument: Sendable {}

/// A value of a ``JSONDocument``, which it keeps alive. An accessor that does not fit the value's ``kind`` gives an empty
/// result.
package struct JSONValue {
    private let element: JSONElement
    private let document: JSONDocument

    /// The element has to be one of the document's.
    init(_ element: JSONElement, of document: JSONDocument) {
        self.element = element
        self.document = document
    }

    /// Lends the element to code that takes elements.
    ///
    /// - Parameter body: What reads it. Neither the element nor one that it contains may outlive the call.
    /// - Returns: What the body returns.
    /// - Throws: What the body throws.
    @unsafe
    package func withElement<Result, Failure: Error>(
        _ body: (JSONElement) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try read(body)
    }

    func read<Result, Failure: Error>(
        _ body: (JSONElement) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try withExtendedLifetime(document) { () throws(Failure) in try body(element) }
    }

    /// A value that a body finds below this one.
    func find(_ body: (JSONElement) -> JSONElement?) -> JSONValue? {
        read { body($0) }.map { JSONValue($0, of: document) }
    }

    /// The type of the value.
    package var kind: JSONKind { read { $0.kind } }

    /// Whether the value is `null`.
    package var isNull: Bool { read { $0.isNull } }

    /// The value of a boolean; false for anything else.
    package var boolean: Bool { read { $0.boolean } }

    /// The value of an integer; zero for anything else.
    package var integer: Int64 { read { $0.integer } }

    /// The text of a string; nil for anything else.
    package var string: String? { read { $0.string } }

    /// The text of a number as the source wrote it; nil for anything else.
    package var numberText: String? { read { $0.numberText } }

    /// The number of elements of an array or of members of an object; zero for anything else.
    package var count: Int { read { $0.count } }

    /// The value of an object's member; nil if there is none or the value is not an object.
    ///
    /// Of several members with this name the last one counts.
    package func member(named name: String) -> JSONValue? { find { $0.member(named: name) } }

    /// The element of an array at an index, where a negative one counts from the end; nil if there is none.
    package func element(at index: Int) -> JSONValue? { find { $0.element(at: index) } }

    /// A member of an object.
    package struct Member {
        /// The unescaped name in UTF-8.
        package let nameBytes: [UInt8]
        /// The value.
        package let value: JSONValue
        /// The unescaped name.
        package var name: String { String(decoding: nameBytes, as: UTF8.self) }
    }

    /// The members of an object, in the order of the text; none for anything else.
    package var members: [Member] {
        read { element in
            var members: [Member] = []
            var cursor = element.members()
            while cursor.next() {
                members.append(
                    Member(nameBytes: unsafe Array(cursor.key), value: JSONValue(cursor.value, of: document)))
            }
            return members
        }
    }

    /// The elements of an array; none for anything else.
    package var elements: [JSONValue] {
        read { element in
            var values: [JSONValue] = []
            var cursor = element.elements()
            while cursor.next() { values.append(JSONValue(cursor.value, of: document)) }
            return values
        }
    }
}

@available(*, unavailable)
extension JSONValue: Sendable {}
