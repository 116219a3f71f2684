internal import FoundationEssentials
internal import SluiceJSON

extension TapeDecoding {
    // MARK: Values of the standard library

    @inline(__always)
    func boolean(_ element: JSONElement) throws -> Bool {
        guard element.kind == .bool else { throw otherType(Bool.self, element) }
        return element.boolean
    }

    @inline(__always)
    func string(_ element: JSONElement) throws -> String {
        guard element.kind == .string else { throw mismatch(String.self, element) }
        return text(element)
    }

    @inline(__always)
    private func text(_ element: JSONElement) -> String {
        // The parser has proven that the bytes are UTF-8.
        unsafe element.utf8.withMemoryRebound(to: UInt8.self) { bytes in
            unsafe String(copying: UTF8Span(unchecked: bytes.span))
        }
    }

    @inline(__always)
    func integer<Integer: FixedWidthInteger>(_ type: Integer.Type, _ element: JSONElement) throws -> Integer {
        if element.kind == .integer, let value = Integer(exactly: element.integer) { return value }
        return try largeInteger(type, element)
    }

    private func largeInteger<Integer: FixedWidthInteger>(
        _ type: Integer.Type, _ element: JSONElement
    ) throws -> Integer {
        guard element.kind == .integer || element.kind == .number else { throw mismatch(type, element) }
        if let value = element.exactInteger(as: type) { return value }
        throw corrupted("Number \(element.numberText ?? "") does not fit in \(type).", element)
    }

    @inline(__always)
    func float<Float: BinaryFloatingPoint & LosslessStringConvertible>(
        _ type: Float.Type, _ element: JSONElement
    ) throws -> Float {
        if type == Double.self, let value = element.double, value.isFinite { return Float(value) }
        return try otherFloat(type, element)
    }

    private func otherFloat<Float: BinaryFloatingPoint & LosslessStringConvertible>(
        _ type: Float.Type, _ element: JSONElement
    ) throws -> Float {
        if let number = element.numberText {
            // By its text: a detour through another width would round twice.
            if let value = Float(number), value.isFinite { return value }
            throw corrupted("Number \(number) does not fit in \(type).", element)
        }
        if element.kind == .string,
            case .convertFromString(let infinity, let negative, let nan) = options.nonConformingFloatStrategy
        {
            switch text(element) {
            case infinity: return .infinity
            case negative: return -.infinity
            case nan: return .nan
            default: break
            }
        }
        throw mismatch(type, element)
    }

    // MARK: Any value

    /// Decodes a value of any type, also of those that Foundation treats in its own way.
    @inline(__always)
    func decode<Value: Decodable>(_ type: Value.Type, _ element: JSONElement) throws -> Value {
        if type == String.self { return unsafe unsafeBitCast(try string(element), to: type) }
        if type == Date.self { return unsafe unsafeBitCast(try date(notNull(type, element)), to: type) }
        if type == Data.self { return unsafe unsafeBitCast(try data(notNull(type, element)), to: type) }
        if type == URL.self { return unsafe unsafeBitCast(try url(notNull(type, element)), to: type) }
        if type == Decimal.self { return unsafe unsafeBitCast(try decimal(notNull(type, element)), to: type) }
        if !usesDefaultKeys, type is any StringDictionary.Type {
            let outer = unsafe slot.pointee.dictionary
            unsafe slot.pointee.dictionary = element.identity
            defer { unsafe slot.pointee.dictionary = outer }
            return try with(element) { try type.init(from: self) }
        }
        return try with(element) { try type.init(from: self) }
    }

    private func notNull(_ type: any Any.Type, _ element: JSONElement) throws -> JSONElement {
        if element.isNull { throw mismatch(type, element) }
        return element
    }

    private func date(_ element: JSONElement) throws -> Date {
        switch options.dateStrategy {
        case .deferredToDate: return try with(element) { try Date(from: self) }
        case .secondsSince1970: return Date(timeIntervalSince1970: try float(Double.self, element))
        case .millisecondsSince1970: return Date(timeIntervalSince1970: try float(Double.self, element) / 1000)
        case .iso8601:
            let text = try string(element)
            if let date = try? Date.ISO8601FormatStyle().parse(text) { return date }
            throw corrupted("Expected date string to be ISO8601-formatted.", element)
        case .formatted(let read):
            if let date = read(try string(element)) { return date }
            throw corrupted("Date string does not match format expected by formatter.", element)
        case .custom(let read): return try with(element) { try read(self) }
        }
    }

    private func data(_ element: JSONElement) throws -> Data {
        switch options.dataStrategy {
        case .deferredToData: return try with(element) { try Data(from: self) }
        case .base64:
            if let data = Data(base64Encoded: try string(element)) { return data }
            throw corrupted("Encountered Data is not valid Base64.", element)
        case .custom(let read): return try with(element) { try read(self) }
        }
    }

    private func url(_ element: JSONElement) throws -> URL {
        if let url = URL(string: try string(element)) { return url }
        throw corrupted("Invalid URL string.", element)
    }

    private func decimal(_ element: JSONElement) throws -> Decimal {
        guard let number = element.numberText else { throw mismatch(Decimal.self, element) }
        if let value = Decimal(string: number) { return value }
        throw corrupted("Number \(number) does not fit in Decimal.", element)
    }

    // MARK: Errors

    /// The error for a value of another type, or for null.
    @inline(never)
    func mismatch(_ type: any Any.Type, _ element: JSONElement) -> DecodingError {
        if element.isNull {
            return .valueNotFound(
                type,
                .init(
                    codingPath: path(of: element),
                    debugDescription: "Cannot get value of type \(type) -- found null value instead"))
        }
        return otherType(type, element)
    }

    private func otherType(_ type: any Any.Type, _ element: JSONElement) -> DecodingError {
        .typeMismatch(
            type,
            .init(
                codingPath: path(of: element),
                debugDescription: "Expected to decode \(type) but found \(element.kind) instead."))
    }

    @inline(never)
    private func corrupted(_ description: String, _ element: JSONElement) -> DecodingError {
        .dataCorrupted(.init(codingPath: path(of: element), debugDescription: description))
    }
}

/// Dictionaries whose keys are text: their names are values and not converted.
private protocol StringDictionary {}

extension Dictionary: StringDictionary where Key == String, Value: Decodable {}
