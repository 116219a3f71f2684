package import SluiceDecode
internal import SluiceFetch
package import SluicePipeline
internal import SluiceReconcile
package import SluiceStore

/// Tokens by which sources are asked for what changed since they gave them.
extension SyncEngine {
    /// What streams ask for changes with, by their names.
    ///
    /// - Parameter store: The store as it is, nil where there is none.
    /// - Returns: The tokens; none for a run that reads everything.
    /// - Throws: `StoreError`.
    package func tokens(in store: (any RecordStore)?) throws -> [String: PageToken] {
        if options.retry != nil { return [:] }
        var tokens: [String: PageToken] = [:]
        for stream in streams { tokens[stream.name] = token(try keptToken(of: stream, in: store), of: stream) }
        return tokens
    }

    /// What is kept of a stream's token, nil where it is not asked by one.
    func keptToken(of stream: StreamDefinition, in store: (any RecordStore)?) throws -> KeptToken? {
        if stream.syncToken == nil || options.isFull { return nil }
        guard try isDefined(stream, as: store) else { return nil }
        return try keptState(.token, of: stream, in: store)
    }

    /// The token as it is asked with; nil for one that was given to other requests.
    package func token(_ kept: KeptToken?, of stream: StreamDefinition) -> PageToken? {
        guard let rule = stream.syncToken, let kept, stream.asks(by: kept.fingerprint) else { return nil }
        if case .link = kept.lead { return rule.parameter == nil ? PageToken(lead: kept.lead) : nil }
        return rule.parameter == nil ? nil : PageToken(lead: kept.lead)
    }
}
