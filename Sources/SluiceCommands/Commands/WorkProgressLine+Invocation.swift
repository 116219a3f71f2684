extension WorkProgressLine {
    /// The line of a command.
    ///
    /// - Parameters:
    ///   - invocation: The command.
    ///   - output: Where it writes its result while it works, nil where it does so behind its work. On a terminal, nothing is shown
    ///     between the lines of a result.
    init(_ invocation: Invocation, writingTo output: ResultOutput? = nil) {
        let arguments = invocation.arguments
        let errors = invocation.context.errors
        // A line that moves and lines that stay do not go together.
        let isWatched =
            invocation.canRedraw && invocation.log.format == .text && invocation.log.level < .info && !arguments.isQuiet
            && !arguments.has(.noProgress) && output?.isTerminal != true
        self.init(on: isWatched ? errors : nil, after: invocation.context.progressDelay)
    }
}
