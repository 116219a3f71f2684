import Foundation
import SluiceDecoding
import SluiceJSON
import Testing

/// One type and one text, given to Foundation's decoder and to ours.
struct DecoderCase: Sendable, CustomTestStringConvertible {
    var name: String
    /// The place of the error where Foundation says none.
    var place: String?
    var outcomes: @Sendable () -> (expected: String, found: String)

    var testDescription: String { name }

    init<Value: Decodable & SendableMetatype>(
        _ name: String, _ type: Value.Type, _ json: String, _ options: Options = Options(), place: String? = nil
    ) {
        self.name = name
        self.place = place
        outcomes = {
            let foundation = JSONDecoder()
            let tape = TapeDecoder()
            options.apply(to: foundation, and: tape)
            let expected = Self.outcome { try foundation.decode(type, from: Data(json.utf8)) }
            let found = Self.outcome { try tape.decode(type, from: Array(json.utf8)) }
            return (expected, found)
        }
    }

    /// The value, or the kind and place of the error.
    static func outcome(_ decode: () throws -> some Any) -> String {
        do {
            return "\(dumped(try decode()))"
        } catch let error as DecodingError {
            switch error {
            case .typeMismatch(let type, let context): return "typeMismatch \(type) at \(path(context))"
            case .valueNotFound(let type, let context): return "valueNotFound \(type) at \(path(context))"
            case .keyNotFound(let key, let context): return "keyNotFound \(key.stringValue) at \(path(context))"
            case .dataCorrupted(let context): return "dataCorrupted at \(path(context))"
            @unknown default: return "\(error)"
            }
        } catch {
            return "threw \(error)"
        }
    }

    private static func dumped(_ value: some Any) -> String {
        var text = ""
        dump(value, to: &text)
        // The order of dictionaries and sets is another one each time.
        return value is any Collection ? text.split(separator: "\n").sorted().joined(separator: "\n") : text
    }

    private static func path(_ context: DecodingError.Context) -> String {
        context.codingPath.map { key in key.intValue.map { "[\($0)]" } ?? ".\(key.stringValue)" }.joined()
    }

    struct Options: Sendable {
        enum Keys { case plain, snake, upper }
        enum Dates { case deferred, seconds, milliseconds, iso8601, custom }
        enum Bytes { case base64, deferred, custom }

        var keys = Keys.plain
        var dates = Dates.deferred
        var bytes = Bytes.base64
        var hasFloatNames = false
        var userInfo: String?

        func apply(to foundation: JSONDecoder, and tape: TapeDecoder) {
            let upper: @Sendable ([any CodingKey]) -> any CodingKey = {
                AnyKey("\($0.count)" + ($0.last?.stringValue ?? "").uppercased())
            }
            switch keys {
            case .plain: break
            case .snake:
                foundation.keyDecodingStrategy = .convertFromSnakeCase
                tape.keyStrategy = .convertFromSnakeCase
            case .upper:
                foundation.keyDecodingStrategy = .custom(upper)
                tape.keyStrategy = .custom(upper)
            }
            let date: @Sendable (any Decoder) throws -> Date = { decoder in
                let text = try decoder.singleValueContainer().decode(String.self)
                guard let year = Double(text) else {
                    throw DecodingError.dataCorrupted(.init(codingPath: decoder.codingPath, debugDescription: ""))
                }
                return Date(timeIntervalSinceReferenceDate: year)
            }
            switch dates {
            case .deferred: break
            case .seconds:
                foundation.dateDecodingStrategy = .secondsSince1970
                tape.dateStrategy = .secondsSince1970
            case .milliseconds:
                foundation.dateDecodingStrategy = .millisecondsSince1970
                tape.dateStrategy = .millisecondsSince1970
            case .iso8601:
                foundation.dateDecodingStrategy = .iso8601
                tape.dateStrategy = .iso8601
            case .custom:
                foundation.dateDecodingStrategy = .custom(date)
                tape.dateStrategy = .custom(date)
            }
            let data: @Sendable (any Decoder) throws -> Data = {
                Data(try $0.singleValueContainer().decode(String.self).utf8)
            }
            switch bytes {
            case .base64: break
            case .deferred:
                foundation.dataDecodingStrategy = .deferredToData
                tape.dataStrategy = .deferredToData
            case .custom:
                foundation.dataDecodingStrategy = .custom(data)
                tape.dataStrategy = .custom(data)
            }
            if hasFloatNames {
                foundation.nonConformingFloatDecodingStrategy = .convertFromString(
                    positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
                tape.nonConformingFloatStrategy = .convertFromString(
                    positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
            }
            if let userInfo, let key = CodingUserInfoKey(rawValue: "note") {
                foundation.userInfo[key] = userInfo
                tape.userInfo[key] = userInfo
            }
        }
    }
}

/// A key of any name.
struct AnyKey: CodingKey {
    var stringValue: String
    var intValue: Int? { nil }
    init(_ name: String) { stringValue = name }
    init?(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
}
