internal import SluiceDecode
internal import SluicePipeline
internal import SluiceReport

/// Runs that keep every page as soon as it is merged.
extension SyncEngine {
    /// Whether this run does.
    package var keepsPages: Bool {
        // What a plan asks for once it knows the parents is asked for while no transaction is open.
        let waits = options.command == .plan && streams.contains(where: \.isPartitioned)
        // What is compared with a plan is one transaction, as the plan was. Whether several streams together delete more than
        // `--allow-deletes` lets them is known once all were merged.
        let isOne = options.gate != nil || streams.count > 1 && options.allowedDeletes.map { $0 < .max } ?? false
        return pipeline.commitsByPage && !isOne && options.retry == nil && fetched == nil && !waits
    }
}
