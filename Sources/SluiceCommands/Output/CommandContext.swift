package import SluiceSchedule
package import SluiceServe
package import SluiceServeModel
package import SluiceSystem

/// What a command takes from the process, so that a test can give it something else.
package struct CommandContext {
    /// Where results go.
    package var output: any TextSink
    /// Where progress and problems go.
    package var errors: any TextSink
    /// Whether what is written to ``output`` is seen where ``errors`` is seen.
    package var errorsShareOutput: Bool
    /// The environment's variables.
    package var environment: [String: String]
    /// The names of the variables that stand in files alone, so that what the process itself reads does not have them.
    package var fileVariables: Set<String> = []
    /// What stops the work.
    package var cancellation: Cancellation
    /// The number of the signal that raised the cancellation, or 0.
    package var signal: @Sendable () -> Int32

    /// The file with the texts of the pipelines, where a service gives them; nil to read the files themselves.
    package var pipelineTexts: String?
    /// Whether a service watches how far a run has come.
    package var isServed = false
    /// How many seconds pass before a terminal shows how far the work has come.
    package var progressDelay = 1.0
    /// The token of the claim by which the run of a service's pool is kept; nil where it needs none.
    package var claimToken: Int64?
    /// The last run of the pipeline of which a service told that it failed; nil where none is known.
    package var toldFailure: ToldFailure?
    /// The share whose partitions are to be read for the run of another service; nil for a run of its own.
    package var shareTicket: ShareTicket?
    /// Makes what people and programs talk to a service by; nil where there is nothing of the kind.
    package var makeListener: (@Sendable (any ServeControl, ServeListening) throws -> any ServeListener)?

    /// Asks whoever sits at the terminal and gives the answer, nil where there is none; nil where nobody can be asked.
    package var ask: ((String) -> String?)?

    /// Makes a context.
    package init(
        output: any TextSink, errors: any TextSink, errorsShareOutput: Bool = false,
        environment: [String: String] = [:],
        cancellation: Cancellation = Cancellation(), signal: @escaping @Sendable () -> Int32 = { 0 },
        ask: ((String) -> String?)? = nil
    ) {
        self.output = output
        self.errors = errors
        self.errorsShareOutput = errorsShareOutput
        self.environment = environment
        self.cancellation = cancellation
        self.signal = signal
        self.ask = ask
    }
}
