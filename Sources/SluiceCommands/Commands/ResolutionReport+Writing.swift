extension ResolutionReport {
    /// Writes the result, which the decisions outlive.
    ///
    /// - Parameters:
    ///   - batch: The decisions.
    ///   - output: Where it is written.
    ///   - invocation: The command that carried them out.
    /// - Returns: Whether all conflicts are resolved.
    /// - Throws: What the output throws.
    func write(_ batch: ResolutionBatch, to output: ResultOutput, of invocation: Invocation) throws -> ExitCode {
        output.outlive()
        if invocation.arguments.isJSON {
            try output.write(json(batch))
        } else {
            try output.write(text(batch, style: invocation.style(for: output)))
        }
        return try invocation.finish(
            output, batch.resolved + batch.standing + batch.answered == batch.items.count ? .done : .failed,
            orTell: "See `sluice conflicts list --all\(storeOption)`.")
    }
}
