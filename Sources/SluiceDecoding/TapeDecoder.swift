public import FoundationEssentials
public import SluiceJSON

/// Decodes any `Decodable` type from JSON, as Foundation's decoder does, but from the tape of a `JSONParser`.
///
/// ```swift
/// let decoder = TapeDecoder()
/// decoder.keyStrategy = .convertFromSnakeCase
/// let book = try decoder.decode(Book.self, from: Array(#"{"first_printed": 1847}"#.utf8))
/// ```
///
/// Results and errors are those of Foundation: the same cases of `DecodingError` with the same paths, which Foundation
/// leaves out for numbers that do not fit. Of several members with one name the first counts. A container must not be
/// used any more when its type has been decoded, unless the decoder is kept too; it throws then.
///
/// A decoder belongs to one thread at a time; make one for each.
public final class TapeDecoder {
    /// How names of members become coding keys.
    public enum KeyStrategy {
        /// They are used as they are.
        case useDefaultKeys
        /// `first_printed` becomes `firstPrinted`; leading and trailing underscores stay.
        case convertFromSnakeCase
        /// A closure gets the path whose last key is the name, and returns the key in its place.
        case custom(_ convert: (_ codingPath: [any CodingKey]) -> any CodingKey)
    }

    /// How dates are written.
    public enum DateStrategy {
        /// As `Date` itself reads them: seconds since the start of 2001.
        case deferredToDate
        /// As seconds since the start of 1970.
        case secondsSince1970
        /// As milliseconds since the start of 1970.
        case millisecondsSince1970
        /// As RFC 3339 says, `2026-11-21T11:50:29Z`.
        case iso8601
        /// As text that a closure reads; nil where it is no date.
        case formatted(_ read: (String) -> Date?)
        /// As a closure says.
        case custom(_ read: (any Decoder) throws -> Date)
    }

    /// How bytes are written.
    public enum DataStrategy {
        /// As `Data` itself reads them: an array of numbers.
        case deferredToData
        /// As text in Base64.
        case base64
        /// As a closure says.
        case custom(_ read: (any Decoder) throws -> Data)
    }

    /// How floating-point values are written that JSON has no number for.
    public enum NonConformingFloatStrategy {
        /// Not at all.
        case `throw`
        /// As these strings.
        case convertFromString(positiveInfinity: String, negativeInfinity: String, nan: String)
    }

    /// How names of members become coding keys.
    public var keyStrategy = KeyStrategy.useDefaultKeys { didSet { forget() } }
    /// How dates are written.
    public var dateStrategy = DateStrategy.deferredToDate { didSet { forget() } }
    /// How bytes are written.
    public var dataStrategy = DataStrategy.base64 { didSet { forget() } }
    /// How infinities and what is no number are written.
    public var nonConformingFloatStrategy = NonConformingFloatStrategy.throw { didSet { forget() } }
    /// What types can ask the decoder for.
    public var userInfo: [CodingUserInfoKey: Any] = [:] { didSet { forget() } }

    private let maximumDepth: Int
    private let maximumMembers: Int
    /// The memory of the last call, used again unless somebody has kept a part of it.
    private var parser: JSONParser?
    private var decoding: TapeDecoding?

    /// Makes a decoder.
    ///
    /// - Parameters:
    ///   - maximumDepth: How deeply objects and arrays may be nested.
    ///   - maximumMembers: How many members one object may have.
    public init(maximumDepth: Int = 512, maximumMembers: Int = .max) {
        self.maximumDepth = maximumDepth
        self.maximumMembers = maximumMembers
    }

    /// Decodes a value of a JSON text.
    ///
    /// - Parameters:
    ///   - type: The type of the value.
    ///   - bytes: The text.
    /// - Returns: The value, which keeps nothing of the text.
    /// - Throws: `DecodingError`; for a text that is not JSON with `JSONError` as the underlying error. What the type
    ///   throws itself.
    public func decode<Value: Decodable>(_ type: Value.Type, from bytes: [UInt8]) throws -> Value {
        let parser = self.parser ?? JSONParser(maximumDepth: maximumDepth, maximumMembers: maximumMembers)
        self.parser = nil
        let root: JSONElement
        do throws(JSONError) {
            root = try unsafe parser.parse(bytes)
        } catch {
            self.parser = parser
            throw DecodingError.dataCorrupted(
                DecodingError.Context(
                    codingPath: [], debugDescription: "The given data was not valid JSON.", underlyingError: error))
        }
        var decoding = self.decoding ?? TapeDecoding(options: options)
        self.decoding = nil
        decoding.begin(root, parser: parser)
        defer {
            // What the type has kept of its decoder must stay readable: then both are left to it.
            if isKnownUniquelyReferenced(&decoding) {
                decoding.begin(JSONElement(), parser: nil)
                self.decoding = decoding
                self.parser = parser
            }
        }
        return try decoding.decode(type, root)
    }

    /// Decodes a value that stands on a tape.
    ///
    /// The type must not keep its decoder beyond the life of the element.
    ///
    /// - Parameters:
    ///   - type: The type of the value.
    ///   - element: The value; paths in errors begin here.
    /// - Returns: The value, which keeps nothing of the tape.
    /// - Throws: `DecodingError`, and what the type throws itself.
    public func decode<Value: Decodable>(_ type: Value.Type, from element: JSONElement) throws -> Value {
        var decoding = self.decoding ?? TapeDecoding(options: options)
        self.decoding = nil
        decoding.begin(element, parser: nil)
        defer {
            if isKnownUniquelyReferenced(&decoding) {
                decoding.begin(JSONElement(), parser: nil)
                self.decoding = decoding
            }
        }
        return try decoding.decode(type, element)
    }

    private func forget() { decoding = nil }

    private var options: TapeOptions {
        TapeOptions(
            keyStrategy: keyStrategy, dateStrategy: dateStrategy, dataStrategy: dataStrategy,
            nonConformingFloatStrategy: nonConformingFloatStrategy, userInfo: userInfo)
    }
}

@available(*, unavailable)
extension TapeDecoder: Sendable {}
