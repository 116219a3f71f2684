/// A regular expression of RFC 9485, compiled to a machine that takes time linear in the text.
///
/// All ways through the expression are followed at once, so no text makes it slow. As in other readers of JSONPath, `^`
/// and `$` stand for the ends of the text.
struct IRegexp: Sendable {
    struct ParseError: Error {
        let message: String
    }

    /// One instruction of the machine.
    enum Instruction: Sendable {
        case scalar(Unicode.Scalar)
        case set(ScalarSet)
        case split(Int, Int)
        case jump(Int)
        case atStart
        case atEnd
    }

    /// The end of the program is the match.
    let program: [Instruction]

    /// Compiles an expression.
    ///
    /// - Throws: ``ParseError`` if it is not one of RFC 9485, or too large.
    init(parsing text: String) throws(ParseError) {
        var parser = IRegexpParser(text: text)
        program = try parser.parse()
    }

    /// Whether the expression matches the whole text, or something in it; `steps` grows by the work that was done.
    func matches(_ text: String, isWhole: Bool, steps: inout Int) -> Bool {
        var present = StateSet(capacity: program.count + 1)
        var following = StateSet(capacity: program.count + 1)
        var pending: [Int] = []
        let scalars = text.unicodeScalars
        var position = scalars.startIndex
        // Making the two sets takes time in proportion to the program.
        steps += program.count + 1
        while true {
            let isAtStart = position == scalars.startIndex
            let isAtEnd = position == scalars.endIndex
            if isAtStart || !isWhole { pending.append(0) }
            // States that were reached by a scalar stand in the set; those reached without one are added here.
            close(&present, pending: &pending, isAtStart: isAtStart, isAtEnd: isAtEnd)
            steps += present.count + 1
            if present.contains(program.count), isAtEnd || !isWhole { return true }
            if isAtEnd || isWhole && present.count == 0 { return false }
            let scalar = scalars[position]
            for index in 0..<present.count {
                let state = present[index]
                guard state < program.count else { continue }
                let isMatch =
                    switch program[state] {
                    case .scalar(let wanted): wanted == scalar
                    case .set(let set): set.contains(scalar)
                    case .split, .jump, .atStart, .atEnd: false
                    }
                if isMatch { pending.append(state + 1) }
            }
            following.removeAll()
            swap(&present, &following)
            position = scalars.index(after: position)
        }
    }

    private func close(_ states: inout StateSet, pending: inout [Int], isAtStart: Bool, isAtEnd: Bool) {
        while let state = pending.popLast() {
            guard states.insert(state), state < program.count else { continue }
            switch program[state] {
            case .split(let first, let second):
                pending.append(second)
                pending.append(first)
            case .jump(let target): pending.append(target)
            case .atStart where isAtStart: pending.append(state + 1)
            case .atEnd where isAtEnd: pending.append(state + 1)
            case .scalar, .set, .atStart, .atEnd: break
            }
        }
    }
}

/// A set of small numbers that is emptied at once.
private struct StateSet {
    private var members: [Int]
    private var places: [Int]
    private(set) var count = 0

    init(capacity: Int) {
        members = Array(repeating: 0, count: capacity)
        places = Array(repeating: 0, count: capacity)
    }

    subscript(index: Int) -> Int { members[index] }

    func contains(_ state: Int) -> Bool {
        let place = places[state]
        return place < count && members[place] == state
    }

    mutating func insert(_ state: Int) -> Bool {
        if contains(state) { return false }
        members[count] = state
        places[state] = count
        count += 1
        return true
    }

    mutating func removeAll() { count = 0 }
}
