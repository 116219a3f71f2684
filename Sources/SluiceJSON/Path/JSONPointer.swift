/// Builds JSON pointers, the texts of RFC 6901 that name one value of a document.
package enum JSONPointer {
    /// Appends the step to a member.
    ///
    /// - Parameters:
    ///   - name: The name of the member, not escaped.
    ///   - pointer: The pointer of the object.
    package static func append(name: String, to pointer: inout String) {
        pointer.append("/")
        for scalar in name.unicodeScalars {
            switch scalar {
            case "~": pointer.append("~0")
            case "/": pointer.append("~1")
            default: pointer.unicodeScalars.append(scalar)
            }
        }
    }

    /// Appends the step to an element.
    ///
    /// - Parameters:
    ///   - index: The position of the element, from 0.
    ///   - pointer: The pointer of the array.
    package static func append(index: Int, to pointer: inout String) {
        pointer.append("/\(index)")
    }

    /// The steps of a pointer, unescaped; nil if the text is no pointer.
    static func steps(of pointer: String) -> [String]? {
        if pointer.isEmpty { return [] }
        guard pointer.utf8.first == UInt8(ascii: "/") else { return nil }
        var steps: [String] = []
        for part in pointer.utf8.dropFirst().split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false) {
            var step: [UInt8] = []
            var isEscaped = false
            for byte in part {
                if isEscaped {
                    guard byte == UInt8(ascii: "0") || byte == UInt8(ascii: "1") else { return nil }
                    step.append(byte == UInt8(ascii: "0") ? UInt8(ascii: "~") : UInt8(ascii: "/"))
                    isEscaped = false
                } else if byte == UInt8(ascii: "~") {
                    isEscaped = true
                } else {
                    step.append(byte)
                }
            }
            if isEscaped { return nil }
            steps.append(String(decoding: step, as: UTF8.self))
        }
        return steps
    }
}

extension JSONElement {
    /// The value that a JSON pointer names, an empty one the value itself; nil if there is none, or if the text is no
    /// pointer.
    package func value(at pointer: String) -> JSONElement? {
        guard let steps = JSONPointer.steps(of: pointer) else { return nil }
        var value = self
        for step in steps {
            let child: JSONElement?
            if value.kind == .object {
                child = value.member(named: step)
            } else {
                // Neither signs nor zeros in front, see RFC 6901 section 4.
                child = Int(step).flatMap { String($0) == step && $0 >= 0 ? value.element(at: $0) : nil }
            }
            guard let child else { return nil }
            value = child
        }
        return value
    }
}
