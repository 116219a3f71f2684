internal import CSluiceJQ
package import SluiceJSON

/// A jq program that is compiled once and evaluated over many records, under limits.
///
/// ```swift
/// let program = try JQProgram(".labels | length")
/// try program.first(of: Array(#"{"labels": ["a", "b"]}"#.utf8)).output  // "2"
/// ```
///
/// A program is a function of its input alone. What would make it more is refused when it is compiled: the environment,
/// files and modules, further inputs, printing, halting, the clock and the machine's time zone, and whole numbers in
/// its text that doubles cannot hold.
///
/// jq's numbers are doubles. A number of the input that no double holds lies between two of them; the program is
/// evaluated with the nearest, then again with its neighbours, and where that changes the output or makes an error, the
/// number is one of the result's ``JQResult/lossyNumbers``. So a number that is passed on, calculated with, made a
/// string of or compared for equality is reported, and one that the output does not depend on is not. With more than
/// ``maximumGroups`` such numbers they are tried, and reported, in groups.
///
/// A program belongs to one thread at a time; make one for each.
@safe
package final class JQProgram {
    /// Up to so many numbers of one input are tried one by one.
    package static let maximumGroups = 32

    /// The text of the program.
    package let text: String
    /// What one evaluation may use.
    package let limits: JQLimits
    private let compiled: CompiledProgram
    var handle: OpaquePointer { unsafe compiled.handle }
    private let parser = JSONParser()

    /// Checks and compiles a program. This takes some 20 milliseconds, most of it for jq's own library, unless an equal
    /// program was used before: it is kept for a while.
    ///
    /// - Parameters:
    ///   - text: The program.
    ///   - limits: What one evaluation may use.
    /// - Throws: ``JQError`` with the place of the first fault.
    package init(_ text: String, limits: JQLimits = .standard) throws(JQError) {
        self.text = text
        self.limits = limits
        let source = Self.withLineFeeds(text)
        if let fault = ProgramCheck.firstFault(in: source) {
            let before = source.utf8.prefix(fault.offset)
            let line = before.count { $0 == UInt8(ascii: "\n") } + 1
            let column = before.reversed().prefix { $0 != UInt8(ascii: "\n") }.count + 1
            throw JQError(code: .notAllowed, message: fault.message, program: text, line: line, column: column)
        }
        let key = CompiledProgram.Key(source: source, memory: max(0, limits.memory), nanoseconds: limits.nanoseconds)
        if let idle = IdlePrograms.take(key) {
            compiled = idle
            return
        }
        guard let new = CompiledProgram(key) else {
            throw JQError(code: .memoryLimit, message: "There is no memory left for the program.", program: text)
        }
        compiled = new
        try compile()
    }

    deinit { IdlePrograms.put(compiled) }

    /// All outputs of the program, each as JSON without white space.
    ///
    /// - Parameter input: The input.
    /// - Returns: The outputs.
    /// - Throws: ``JQError`` if the program raises an error or exceeds a limit.
    package func evaluate(_ input: JSONElement) throws(JQError) -> JQResult<[[UInt8]]> {
        try result(input) { () throws(JQError) in try outputs(upTo: .max) }
    }

    /// The first output of the program as JSON without white space; nil if there is none.
    ///
    /// - Parameter input: The input.
    /// - Returns: The output.
    /// - Throws: ``JQError`` if the program raises an error or exceeds a limit.
    package func first(of input: JSONElement) throws(JQError) -> JQResult<[UInt8]?> {
        try result(input) { () throws(JQError) in try outputs(upTo: 1).first }
    }

    /// Whether the program's output is neither `false` nor `null`; not so if there is no output.
    ///
    /// More than one output is an error: whether the first, any or all of them decide is for the program to say.
    ///
    /// - Parameter input: The input.
    /// - Returns: The answer.
    /// - Throws: ``JQError`` if the program raises an error, exceeds a limit or gives more than one output.
    package func isTrue(_ input: JSONElement) throws(JQError) -> JQResult<Bool> {
        try result(input) { () throws(JQError) in try verdict() }
    }

    /// See ``isTrue(_:)-(JSONElement)``.
    ///
    /// - Parameter input: The input.
    /// - Returns: The answer.
    /// - Throws: ``JQError``.
    package func isTrue(_ input: JSONValue) throws(JQError) -> JQResult<Bool> {
        try unsafe input.withElement { (element) throws(JQError) in try isTrue(element) }
    }

    /// See ``evaluate(_:)-(JSONElement)``.
    ///
    /// - Parameter json: The input as JSON.
    /// - Returns: The outputs.
    /// - Throws: ``JQError``, also if the input is not JSON.
    package func evaluate(_ json: [UInt8]) throws(JQError) -> JQResult<[[UInt8]]> { try evaluate(parsed(json)) }

    /// See ``first(of:)-(JSONElement)``.
    ///
    /// - Parameter json: The input as JSON.
    /// - Returns: The output.
    /// - Throws: ``JQError``, also if the input is not JSON.
    package func first(of json: [UInt8]) throws(JQError) -> JQResult<[UInt8]?> { try first(of: parsed(json)) }

    /// See ``isTrue(_:)-(JSONElement)``.
    ///
    /// - Parameter json: The input as JSON.
    /// - Returns: The answer.
    /// - Throws: ``JQError``, also if the input is not JSON.
    package func isTrue(_ json: [UInt8]) throws(JQError) -> JQResult<Bool> { try isTrue(parsed(json)) }

    private func parsed(_ json: [UInt8]) throws(JQError) -> JSONElement {
        do {
            return try unsafe parser.parse(json)
        } catch {
            throw JQError(code: .invalidInput, message: "The input is not JSON: \(error)", program: text)
        }
    }

    // jq takes a carriage return for a fault, also at the end of a line.
    private static func withLineFeeds(_ text: String) -> String {
        guard text.utf8.contains(UInt8(ascii: "\r")) else { return text }
        var scalars = String.UnicodeScalarView()
        var isPending = false
        for scalar in text.unicodeScalars {
            if isPending && scalar != "\n" { scalars.append("\r") }
            isPending = scalar == "\r"
            if !isPending { scalars.append(scalar) }
        }
        if isPending { scalars.append("\r") }
        return String(scalars)
    }
}

@available(*, unavailable)
extension JQProgram: Sendable {}
