internal import CSluiceJQ
internal import SluiceJSON

/// Builds a program's input from a value on the tape, and finds the numbers that doubles cannot hold.
@safe
struct InputWriter {
    let program: OpaquePointer
    /// Of the numbers that doubles cannot hold, counted in the order of the text, those that are to be moved …
    var moved: Range<Int> = 0..<0
    /// … to the neighbour above or below the nearest double.
    var movesUp = false
    /// How many numbers there were that doubles cannot hold.
    private(set) var lossyCount = 0

    init(_ program: OpaquePointer) {
        unsafe self.program = program
    }

    mutating func write(_ root: JSONElement) {
        unsafe sluice_jq_input_begin(program)
        lossyCount = 0
        append(root)
    }

    private mutating func append(_ element: JSONElement) {
        switch element.kind {
        case .null: unsafe sluice_jq_input_null(program)
        case .bool: unsafe sluice_jq_input_boolean(program, element.boolean ? 1 : 0)
        case .integer, .number: unsafe sluice_jq_input_number(program, number(element))
        case .string:
            let utf8 = unsafe element.utf8
            unsafe sluice_jq_input_string(program, utf8.baseAddress, utf8.count)
        case .array:
            unsafe sluice_jq_input_begin_array(program, element.count)
            var elements = element.elements()
            while elements.next() { append(elements.value) }
            unsafe sluice_jq_input_end(program)
        case .object:
            unsafe sluice_jq_input_begin_object(program)
            var members = element.members()
            while members.next() {
                let name = unsafe members.key
                unsafe sluice_jq_input_name(program, name.baseAddress, name.count)
                append(members.value)
            }
            unsafe sluice_jq_input_end(program)
        }
    }

    private mutating func number(_ element: JSONElement) -> Double {
        let (value, isExact) = NumberText.double(element)
        if isExact { return value }
        defer { lossyCount += 1 }
        guard moved.contains(lossyCount) else { return value }
        return movesUp ? value.nextUp : value.nextDown
    }

    /// The numbers that doubles cannot hold, in the order of the text.
    static func lossyNumbers(in root: JSONElement) -> [JQLossyNumber] {
        var found: [JQLossyNumber] = []
        collect(root, "", &found)
        return found
    }

    private static func collect(_ element: JSONElement, _ pointer: String, _ found: inout [JQLossyNumber]) {
        switch element.kind {
        case .null, .bool, .string: break
        case .integer, .number:
            if !NumberText.double(element).isExact {
                found.append(JQLossyNumber(pointer: pointer, token: element.numberText ?? ""))
            }
        case .array:
            var elements = element.elements()
            var index = 0
            while elements.next() {
                var inner = pointer
                JSONPointer.append(index: index, to: &inner)
                collect(elements.value, inner, &found)
                index += 1
            }
        case .object:
            var members = element.members()
            while members.next() {
                var inner = pointer
                JSONPointer.append(name: members.name, to: &inner)
                collect(members.value, inner, &found)
            }
        }
    }
}
