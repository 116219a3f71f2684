internal import SluicePipeline
internal import SluicePipelineFiles
internal import SluiceSchedule
internal import SluiceServe
internal import SluiceSystem

extension CommandContext {
    /// The context of this process, which from here on turns signals into a cancellation.
    static func process() -> CommandContext {
        let cancellation = Cancellation()
        Signals.install(cancellation)
        var variables = Environment.variables
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
            errorsShareOutput: Environment.areSame(1, 2), environment: variables, cancellation: cancellation,
            signal: { Signals.first }, ask: isAnswered ? { TerminalQuestion.ask($0, cancellation) } : nil)
        (context.isServed, context.pipelineTexts, context.claimToken) = (isServed, texts, claim)
        (context.shareTicket, context.toldFailure) = (share, told)
        return context
    }
}
