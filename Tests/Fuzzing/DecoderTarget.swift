import Foundation
import SluiceDecoding
import SluiceJSON

/// Decoding into types: what Foundation's decoder reads as well is read alike.
enum DecoderTarget {
    static func run(_ bytes: [UInt8]) {
        compare(Tree.self, bytes)
        compare(Person.self, bytes)
        // Names that differ, but are the same to people, are one key of a dictionary, whichever it is.
        if bytes.allSatisfy({ $0 < 0x80 && $0 != UInt8(ascii: "\\") }) { compare([String: Scalar].self, bytes) }
        compare([Int8?].self, bytes)
        compare([UInt64].self, bytes)
        compare([[Float]].self, bytes)
        compare(Event.self, bytes)
    }

    private static func compare<Value: Decodable>(_ type: Value.Type, _ bytes: [UInt8]) {
        let decoder = TapeDecoder()
        decoder.keyStrategy = .convertFromSnakeCase
        decoder.dateStrategy = .iso8601
        let found = try? decoder.decode(type, from: bytes)
        guard let found else { return }
        let foundation = JSONDecoder()
        foundation.keyDecodingStrategy = .convertFromSnakeCase
        foundation.dateDecodingStrategy = .iso8601
        guard let expected = try? foundation.decode(type, from: Data(bytes)) else { return }
        require(text(found) == text(expected), "\(type): \(text(found)), with Foundation \(text(expected))")
    }

    /// All that a value holds, the members of dictionaries in order.
    private static func text(_ value: Any) -> String {
        if let members = value as? [String: Scalar] {
            return members.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }.map { "\($0)" }.joined(
                separator: ",")
        }
        return String(reflecting: value)
    }

    struct Person: Decodable {
        var id: Int
        var name: String
        var firstName: String?
        var tags: [String]?
        var bornAt: Date?
        var photo: Data?
        var home: URL?
        var score: Decimal?
    }

    enum Event: Decodable {
        case opened(by: String)
        case moved(Int, Double)
        case closed
    }

    enum Scalar: Decodable {
        case number(Double)
        case text(String)
        case flag(Bool)
        case none

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            if container.decodeNil() {
                self = .none
            } else if let flag = try? container.decode(Bool.self) {
                self = .flag(flag)
            } else if let number = try? container.decode(Double.self) {
                self = .number(number)
            } else {
                self = .text(try container.decode(String.self))
            }
        }
    }

    indirect enum Tree: Decodable {
        case leaf(Int)
        case branch([Tree])

        init(from decoder: any Decoder) throws {
            if let number = try? decoder.singleValueContainer().decode(Int.self) {
                self = .leaf(number)
            } else {
                self = .branch(try decoder.singleValueContainer().decode([Tree].self))
            }
        }
    }
}
