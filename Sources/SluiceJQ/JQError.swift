/// A jq program that is refused, does not compile, fails or exceeds a limit.
package struct JQError: Error, Sendable, Hashable {
    /// What kind of fault it is; open for growth.
    package struct Code: RawRepresentable, Sendable, Hashable {
        /// The name of the code.
        package let rawValue: String

        /// Makes a code of its name.
        package init(rawValue: String) { self.rawValue = rawValue }

        /// The program uses what pipelines may not use, see ``JQProgram``.
        package static let notAllowed = Code(rawValue: "not_allowed")
        /// The program is not valid jq.
        package static let syntax = Code(rawValue: "syntax")
        /// The program raised an error.
        package static let evaluation = Code(rawValue: "evaluation")
        /// A filter gave more than one output.
        package static let severalOutputs = Code(rawValue: "several_outputs")
        /// The program took too much time.
        package static let timeLimit = Code(rawValue: "time_limit")
        /// The program took too much memory.
        package static let memoryLimit = Code(rawValue: "memory_limit")
        /// The program gave too many outputs, or too large or too deeply nested ones.
        package static let outputLimit = Code(rawValue: "output_limit")
        /// The input is not JSON.
        package static let invalidInput = Code(rawValue: "invalid_input")
        /// A fault of libjq, or of this library.
        package static let `internal` = Code(rawValue: "internal")
    }

    /// What kind of fault it is.
    package var code: Code
    /// What is wrong, as a sentence; where jq gives several messages, each in a line.
    package var message: String
    /// The text of the program.
    package var program: String
    /// The line of the fault in the program, from 1; nil where the fault has no place in it.
    package var line: Int?
    /// The column of the fault in bytes, from 1.
    package var column: Int?

    /// Makes an error.
    package init(code: Code, message: String, program: String, line: Int? = nil, column: Int? = nil) {
        self.code = code
        self.message = message
        self.program = program
        self.line = line
        self.column = column
    }

    /// The offset of the fault in bytes from the start of the program; nil where the fault has no place in it.
    package var byteOffset: Int? {
        guard let line, let column else { return nil }
        var left = line - 1
        var start = 0
        for (offset, byte) in program.utf8.enumerated() where left > 0 && byte == UInt8(ascii: "\n") {
            left -= 1
            start = offset + 1
        }
        return left == 0 ? start + column - 1 : nil
    }
}

extension JQError: CustomStringConvertible {
    /// The message with the program's text, and the place where there is one.
    package var description: String {
        let place = if let line, let column { " (line \(line), column \(column))" } else { "" }
        return "\(message)\(place), in the jq program `\(program)`"
    }
}
