internal import SluiceSystem

/// A question to whoever sits at the terminal.
enum TerminalQuestion {
    /// How long a request to stop may go unnoticed, in milliseconds.
    private static let patience: Int32 = 200

    /// Asks on standard error and reads a line from standard input.
    ///
    /// - Parameters:
    ///   - question: The question, with what separates it from the answer.
    ///   - cancellation: Ends the waiting.
    /// - Returns: The line; nil where there is none.
    static func ask(_ question: String, _ cancellation: Cancellation) -> String? {
        guard let input = try? ByteFile(reading: "/dev/stdin") else { return nil }
        try? OutputStream.standardError.write(question)
        while !cancellation.isCancelled {
            if !input.isReadable(within: patience) { continue }
            let line = readLine()
            // Ctrl-D ends no line.
            if line == nil { try? OutputStream.standardError.write("\n") }
            return line
        }
        return nil
    }
}
