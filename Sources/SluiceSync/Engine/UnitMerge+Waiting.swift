internal import SluicePipeline

/// Attempts that only find out what other streams ask for.
extension UnitMerge {
    /// The streams that an attempt merges while others wait to be fetched: those whose records the others are asked for by,
    /// and those that fill the same tables. The rest is merged by the attempt that is kept alone.
    ///
    /// - Parameter unit: The unit.
    /// - Returns: Their names; nil where the attempt merges all streams.
    func streamsToMerge(_ unit: CommitUnit) -> Set<String>? {
        let waiting = unit.streams.filter { unit.pages[$0.name] == nil }
        // How many deletes are left to a stream depends on those of all streams before it.
        if waiting.isEmpty || engine.options.allowedDeletes != nil { return nil }
        let sharing = TableSharing(of: engine.pipeline)
        var needed: Set<String> = []
        var open = waiting.compactMap(\.parent?.stream)
        while let name = open.popLast() {
            guard let stream = engine.pipeline.streams.first(where: { $0.name == name }), needed.insert(name).inserted
            else { continue }
            let tables = TableSharing.entities(filledBy: stream, in: engine.pipeline).map(\.table)
            open += sharing.streams(filling: Set(tables))
            if let parent = stream.parent { open.append(parent.stream) }
        }
        return needed
    }
}
