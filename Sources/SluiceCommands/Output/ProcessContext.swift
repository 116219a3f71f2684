internal import SluicePipeline
internal import SluicePipelineFiles
internal import SluiceSchedule
internal import SluiceServe
internal import SluiceSystem

#if canImport(Darwin)
    @unsafe @preconcurrency internal import Darwin
#else
    @unsafe @preconcurrency internal import Glibc
#endif

extension CommandContext {
    /// The context of this process, which from here on turns signals into a cancellation.
    static func process() -> CommandContext {
        let cancellation = Cancellation()
        Signals.install(cancellation)
        var variables = environmentVariables()
        // These are for this process, and not for programs that it starts.
        let isServed = variables.removeValue(forKey: Lifeline.variable) != nil
        let claim = variables.removeValue(forKey: PoolTicket.variable).flatMap { Int64($0) }
        let told = variables.removeValue(forKey: ToldFailure.variable).flatMap { ToldFailure(text: $0) }
        let share = variables.removeValue(forKey: ShareTicket.variable).flatMap { ShareTicket($0) }
        let texts = variables.removeValue(forKey: PipelineTexts.variable)
        if isServed { Lifeline.hold() }
        let isAnswered = Environment.isTerminal(0) && Environment.isTerminal(2)
        var context = CommandContext(
            output: StreamSink(
                .standardOutput, isTerminal: Environment.isTerminal(1), columns: Environment.terminalColumns(1)),
            errors: StreamSink(.standardError, isTerminal: Environment.isTerminal(2)),
            errorsShareOutput: leadToSamePlace(1, 2), environment: variables, cancellation: cancellation,
            signal: { Signals.first }, ask: isAnswered ? { TerminalQuestion.ask($0, cancellation) } : nil)
        (context.isServed, context.pipelineTexts, context.claimToken) = (isServed, texts, claim)
        (context.shareTicket, context.toldFailure) = (share, told)
        return context
    }

    /// Whether two descriptors are one file, terminal or pipe.
    private static func leadToSamePlace(_ left: Int32, _ right: Int32) -> Bool {
        var first = stat()
        var second = stat()
        guard unsafe fstat(left, &first) == 0, unsafe fstat(right, &second) == 0 else { return false }
        return first.st_dev == second.st_dev && first.st_ino == second.st_ino
    }

    private static func environmentVariables() -> [String: String] {
        var variables: [String: String] = [:]
        // Read before any thread could change it; the list ends with a null.
        var entry: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?> = unsafe environ
        while let text = unsafe entry.pointee {
            let assignment = unsafe String(cString: text)
            if let equals = assignment.firstIndex(of: "=") {
                variables[String(assignment[..<equals])] = String(assignment[assignment.index(after: equals)...])
            }
            unsafe entry += 1
        }
        return variables
    }
}
