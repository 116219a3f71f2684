/// Compiles a regular expression by the grammar of RFC 9485.
struct IRegexpParser {
    // Counted repetitions are written out: `((a{999}){999}){999}` must end here, not in memory. What is written out and
    // dropped again, as for `((a{999}){0})`, counts too.
    private static let maximumInstructions = 20_000
    private var emitted = 0
    private static let maximumNesting = 64

    private let scalars: [Unicode.Scalar]
    private var position = 0
    private var nesting = 0
    private var program: [IRegexp.Instruction] = []

    init(text: String) { scalars = Array(text.unicodeScalars) }

    mutating func parse() throws(IRegexp.ParseError) -> [IRegexp.Instruction] {
        try alternatives()
        if position < scalars.count { throw fail("a `)` that nothing opens") }
        return program
    }

    private var current: Unicode.Scalar? { position < scalars.count ? scalars[position] : nil }

    private func fail(_ what: String) -> IRegexp.ParseError {
        IRegexp.ParseError(
            message:
                "The regular expression has \(what) behind \(position) characters, see RFC 9485; it matches nothing.")
    }

    private mutating func emit(_ instruction: IRegexp.Instruction) throws(IRegexp.ParseError) {
        program.append(instruction)
        emitted += 1
        if emitted > Self.maximumInstructions { throw fail("too many repetitions") }
    }

    private mutating func skip(_ scalar: Unicode.Scalar) -> Bool {
        guard current == scalar else { return false }
        position += 1
        return true
    }

    private mutating func alternatives() throws(IRegexp.ParseError) {
        nesting += 1
        if nesting > Self.maximumNesting { throw fail("too many parentheses in each other") }
        var exits: [Int] = []
        while true {
            let start = program.count
            while let scalar = current, scalar != "|", scalar != ")" { try piece() }
            guard skip("|") else { break }
            // Before each alternative but the last: a choice between it and the next one; behind it a way out.
            try insert(.split(start + 1, program.count + 2), at: start)
            exits.append(program.count)
            try emit(.jump(0))
        }
        for exit in exits { program[exit] = .jump(program.count) }
        nesting -= 1
    }

    private mutating func insert(_ instruction: IRegexp.Instruction, at index: Int) throws(IRegexp.ParseError) {
        let moved = program[index...].map { Self.moved($0, by: 1) }
        program.removeSubrange(index...)
        try emit(instruction)
        program.append(contentsOf: moved)
    }

    private static func moved(_ instruction: IRegexp.Instruction, by distance: Int) -> IRegexp.Instruction {
        switch instruction {
        case .split(let first, let second): .split(first + distance, second + distance)
        case .jump(let target): .jump(target + distance)
        case .scalar, .set, .atStart, .atEnd: instruction
        }
    }

    private mutating func piece() throws(IRegexp.ParseError) {
        let start = program.count
        try atom()
        guard let bounds = try quantifier() else { return }
        // The atom refers to places within itself alone, so it can be copied.
        let atom = Array(program[start...])
        program.removeSubrange(start...)
        func copy() throws(IRegexp.ParseError) {
            let distance = program.count - start
            for instruction in atom { try emit(Self.moved(instruction, by: distance)) }
        }
        for _ in 0..<bounds.minimum { try copy() }
        if let maximum = bounds.maximum {
            for _ in bounds.minimum..<maximum {
                try emit(.split(program.count + 1, program.count + 1 + atom.count))
                try copy()
            }
        } else {
            let loop = program.count
            try emit(.split(loop + 1, loop + 2 + atom.count))
            try copy()
            try emit(.jump(loop))
        }
    }

    private mutating func quantifier() throws(IRegexp.ParseError) -> (minimum: Int, maximum: Int?)? {
        if skip("*") { return (0, nil) }
        if skip("+") { return (1, nil) }
        if skip("?") { return (0, 1) }
        guard skip("{") else { return nil }
        guard let minimum = try number() else { throw fail("no number in `{…}`") }
        var maximum: Int? = minimum
        if skip(",") { maximum = try number() }
        guard skip("}") else { throw fail("no `}` where one is expected") }
        if let maximum, maximum < minimum { throw fail("a range in `{…}` that ends before it begins") }
        return (minimum, maximum)
    }

    private mutating func number() throws(IRegexp.ParseError) -> Int? {
        let start = position
        var value = 0
        while let scalar = current, ("0"..."9").contains(scalar) {
            value = value * 10 + Int(scalar.value - 0x30)
            if value > Self.maximumInstructions { throw fail("too many repetitions") }
            position += 1
        }
        return position > start ? value : nil
    }

    private mutating func atom() throws(IRegexp.ParseError) {
        guard let scalar = current else { return }
        switch scalar {
        case "(":
            position += 1
            try alternatives()
            guard skip(")") else { throw fail("no `)` where one is expected") }
        case "[":
            position += 1
            try emit(.set(try characterClass()))
        case "\\":
            switch try escape() {
            case .range(let range): try emit(.scalar(range.lowerBound))
            case let item: try emit(.set(ScalarSet(items: [item])))
            }
        case "*", "+", "?", "{", "}", "]": throw fail("an unexpected `\(scalar)`")
        case ".":
            position += 1
            try emit(.set(.anyInLine))
        case "^":
            position += 1
            try emit(.atStart)
        case "$":
            position += 1
            try emit(.atEnd)
        default:
            position += 1
            try emit(.scalar(scalar))
        }
    }

    private mutating func characterClass() throws(IRegexp.ParseError) -> ScalarSet {
        var set = ScalarSet(isNegated: skip("^"))
        if skip("-") { set.items.append(.range("-"..."-")) }
        while !skip("]") {
            if current == "-", position + 1 < scalars.count, scalars[position + 1] == "]" {
                position += 1
                set.items.append(.range("-"..."-"))
                continue
            }
            let item = try classItem()
            guard case .range(let first) = item, current == "-", position + 1 < scalars.count,
                scalars[position + 1] != "]"
            else {
                set.items.append(item)
                continue
            }
            position += 1
            guard case .range(let last) = try classItem(), first.lowerBound <= last.lowerBound else {
                throw fail("a range in `[…]` that ends before it begins")
            }
            set.items.append(.range(first.lowerBound...last.lowerBound))
        }
        if set.items.isEmpty { throw fail("empty brackets") }
        return set
    }

    private mutating func classItem() throws(IRegexp.ParseError) -> ScalarSet.Item {
        guard let scalar = current else { throw fail("no `]` where one is expected") }
        if scalar == "\\" { return try escape() }
        if scalar == "[" || scalar == "]" || scalar == "-" { throw fail("an unexpected `\(scalar)`") }
        position += 1
        return .range(scalar...scalar)
    }

    private mutating func escape() throws(IRegexp.ParseError) -> ScalarSet.Item {
        position += 1
        guard let scalar = current else { throw fail("nothing behind the backslash") }
        position += 1
        switch scalar {
        case "n": return .range("\n"..."\n")
        case "r": return .range("\r"..."\r")
        case "t": return .range("\t"..."\t")
        case "(", ")", "*", "+", "-", ".", "?", "[", "\\", "]", "^", "{", "|", "}", "$": return .range(scalar...scalar)
        case "p", "P":
            guard skip("{") else { throw fail("no `{` where one is expected") }
            var name = ""
            while let scalar = current, scalar != "}", name.utf8.count < 3 {
                name.unicodeScalars.append(scalar)
                position += 1
            }
            guard skip("}"), let category = UnicodeCategory(name: name) else { throw fail("an unknown category") }
            return .category(category, isNegated: scalar == "P")
        default: throw fail("an unknown escape")
        }
    }
}
