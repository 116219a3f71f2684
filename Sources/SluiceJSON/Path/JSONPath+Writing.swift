extension JSONPath {
    /// A path of names and what follows them, in a form that every reader of RFC 9535 takes.
    package init(names: [String], then steps: [Step] = []) {
        self.init(steps: names.map(Step.name) + steps)
    }

    /// A path of steps with the text that stands for them.
    package init(steps: [Step]) {
        var text = "$"
        for step in steps {
            switch step {
            case .name(let name): text += Self.isPlain(name) ? ".\(name)" : "['\(Self.escaped(name))']"
            case .index(let index): text += "[\(index)]"
            case .wildcard: text += "[*]"
            }
        }
        self.init(steps: steps, text: text)
    }

    private static func isPlain(_ name: String) -> Bool {
        guard let first = name.utf8.first, !(0x30...0x39).contains(first) else { return false }
        return name.utf8.allSatisfy {
            (0x61...0x7A).contains($0 | 0x20) || (0x30...0x39).contains($0) || $0 == UInt8(ascii: "_")
        }
    }

    private static func escaped(_ name: String) -> String {
        name.unicodeScalars.reduce(into: "") { text, scalar in
            switch scalar {
            case "'": text += "\\'"
            case "\\": text += "\\\\"
            case _ where scalar.value < 0x20:
                let digits = String(scalar.value, radix: 16)
                text += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default: text.unicodeScalars.append(scalar)
            }
        }
    }
}
