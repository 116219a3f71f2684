internal import SluiceDecode
internal import SluicePipeline
internal import SluiceReport

/// Runs that keep every page as soon as it is merged.
extension SyncEngine {
    /// Whether this run does.
    package var keepsPages: Bool {
        // What a plan asks for once it knows the parents is asked for while no transaction is open.
        let waits = options.command == .plan && streams.contains(where: \.isPartitioned)
        // What is compared with a plan is one transaction, as the plan was.
        return pipeline.commitsByPage && options.gate == nil && options.retry == nil && fetched == nil && !waits
    }
}
