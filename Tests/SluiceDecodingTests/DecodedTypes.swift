import Foundation

struct Person: Decodable {
    var id: Int
    var name: String
    var nickname: String?
    var tags: [String]
    var address: Address?
}

struct Address: Decodable {
    var street: String
    var zipCode: String?
}

struct Box<Value: Decodable>: Decodable {
    var value: Value
}

struct MaybeBox<Value: Decodable>: Decodable {
    var value: Value?
}

enum Shape: String, Decodable { case circle, square }

enum Event: Decodable {
    case opened(by: String)
    case moved(Int, Int)
    case closed
}

class Animal: Decodable {
    var name: String
    private enum CodingKeys: String, CodingKey { case name }

    required init(from decoder: any Decoder) throws {
        name = try decoder.container(keyedBy: CodingKeys.self).decode(String.self, forKey: .name)
    }
}

final class Dog: Animal {
    var legs: Int
    private enum CodingKeys: String, CodingKey { case legs, base }

    required init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        legs = try container.decode(Int.self, forKey: .legs)
        try super.init(
            from: container.contains(.base) ? container.superDecoder(forKey: .base) : container.superDecoder())
    }
}

/// Its superclass decodes itself from an element of the same array.
struct Pair: Decodable {
    var first: Int
    var second: Person

    init(from decoder: any Decoder) throws {
        var container = try decoder.unkeyedContainer()
        first = try container.decode(Int.self)
        second = try Person(from: container.superDecoder())
    }
}

/// Goes down by nested containers.
struct Deep: Decodable {
    var number: Int
    var path: String
    var sum: Int

    enum Outer: String, CodingKey { case a, list }
    enum Inner: String, CodingKey { case b }

    init(from decoder: any Decoder) throws {
        let outer = try decoder.container(keyedBy: Outer.self)
        let inner = try outer.nestedContainer(keyedBy: Inner.self, forKey: .a)
        var list = try outer.nestedUnkeyedContainer(forKey: .list)
        sum = 0
        while !list.isAtEnd {
            if try list.decodeNil() { continue }
            var row = try list.nestedUnkeyedContainer()
            while !row.isAtEnd { sum += try row.decode(Int.self) }
        }
        // Both containers, one after the other and back again.
        number = try inner.decode(Int.self, forKey: .b)
        path = inner.codingPath.map(\.stringValue).joined(separator: ".")
        _ = try list.decodeIfPresent(Int.self)
    }
}

/// Takes what it can of a list.
struct Lossy: Decodable {
    var numbers: [Int] = []
    var errors: [String] = []

    struct Skipped: Decodable {}

    init(from decoder: any Decoder) throws {
        var container = try decoder.unkeyedContainer()
        while !container.isAtEnd {
            let index = container.currentIndex
            do {
                numbers.append(try container.decode(Int.self))
            } catch {
                errors.append(DecoderCase.outcome { () -> Int in throw error })
                guard container.currentIndex == index else { throw error }
                _ = try? container.decode(Skipped.self)
                if container.currentIndex == index { _ = try container.superDecoder() }
            }
        }
        numbers.append(container.count ?? -1)
    }
}

/// Looks at all there is, in another order than the text.
struct Names: Decodable {
    var names: [String]
    var note: String
    var missing: Bool
    var isNull: String

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: AnyKey.self)
        names = try container.allKeys.map(\.stringValue).sorted().reversed().map { name in
            "\(name)=\(try container.decodeIfPresent(Int.self, forKey: AnyKey(name)) ?? -1)"
        }
        note = CodingUserInfoKey(rawValue: "note").flatMap { decoder.userInfo[$0] as? String } ?? "none"
        missing = container.contains(AnyKey("missing"))
        isNull = DecoderCase.outcome { try container.decodeNil(forKey: AnyKey("missing")) }
    }
}

/// One of several types.
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

/// A tree of any depth.
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
