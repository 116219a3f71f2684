package import SluiceDecode
package import SluiceHTTP
package import SluiceJSON
package import SluicePages
package import SluicePipeline
package import SluiceReport
package import SluiceSystem

/// Fetches the pages of a stream over HTTP into a spool.
package struct HTTPPages {
    let settings: PageRequestSettings
    let source: SourceDefinition
    let cancellation: Cancellation
    let onProgress: (RunProgress) -> Void
    /// Whether messages may quote pages.
    let showsValues: Bool
    /// How many pages may be asked for at a time.
    let width: Int
    /// The paths to what identifies a record; none where its whole text does.
    let keys: [JSONPath]
    var stream: StreamDefinition { settings.stream }

    /// - Parameters:
    ///   - settings: How pages are asked for.
    ///   - source: Where they come from.
    ///   - keys: The paths to what identifies a record; none where its whole text does.
    ///   - showsValues: Whether messages may quote pages.
    ///   - width: How many pages may be asked for at a time; nil for as many as the source permits.
    ///   - cancellation: Ends the reading.
    ///   - onProgress: Is told of each page.
    package init(
        _ settings: PageRequestSettings, source: SourceDefinition, keys: [JSONPath] = [], showsValues: Bool = true,
        width: Int? = nil,
        cancellation: Cancellation, onProgress: @escaping (RunProgress) -> Void
    ) {
        self.width = width ?? source.rateLimit.concurrency
        self.settings = settings
        self.source = source
        self.keys = keys
        self.showsValues = showsValues
        self.cancellation = cancellation
        self.onProgress = onProgress
    }

    /// Fetches all pages.
    ///
    /// - Parameters:
    ///   - age: Tells where the rest was read before; nil where nothing does.
    ///   - kept: What the pages of the last run said of their version; none to fetch all.
    ///   - since: What asks for changes alone; nil to ask for everything.
    ///   - start: Where the reading begins.
    ///   - reader: Gets the pages one by one, so that none of them is returned; nil where nobody does.
    /// - Returns: The pages; where one of several changed all of them, where none did none.
    /// - Throws: ``HTTPError``, ``SyncError`` or `CancelledError`.
    package func fetch(
        age: CursorAge? = nil, kept: [PageValidators.Page] = [], since: PageToken? = nil,
        start: PageStart = .first, reader: FetchStep.Reader? = nil
    ) throws -> FetchedPages {
        var walk = try PageWalk(self, age: age, kept: kept, since: since, start: start, reader: reader)
        guard case .anew(let warning) = try walk.perform() else { return walk.fetched }
        // Everything is read, whatever earlier runs know of it, and what was spent before counts.
        let spent = walk.fetched
        func add(to fetched: inout FetchedPages) {
            fetched.requests += spent.requests
            fetched.retries += spent.retries
            fetched.warning = fetched.warning ?? warning
        }
        let onward = reader.map { reader in
            FetchStep.Reader { step in
                var step = step
                add(to: &step.fetched)
                try reader.onStep(step)
            }
        }
        var all = try fetch(age: age, reader: onward)
        add(to: &all)
        return all
    }

    /// Tells that a request waits or how much of a large answer has come.
    ///
    /// - Parameters:
    ///   - note: What happens.
    ///   - pages: How many pages were read so far.
    ///   - bytes: How many bytes they have.
    func report(_ note: PageNote, pages: Int, bytes: Int) {
        switch note {
        case .sent: break
        case .receiving(let received):
            onProgress(RunProgress(stage: .fetching, stream: stream.name, pages: pages, bytes: bytes + received))
        case .waiting(let delay, let reason, let cause):
            onProgress(
                RunProgress(
                    stage: .pause(delay, reason, cause), stream: stream.name, pages: pages, bytes: bytes))
        }
    }
}

extension RunProgress.Stage {
    fileprivate static func pause(_ delay: Duration, _ reason: String, _ cause: RunProgress.WaitCause) -> Self {
        let seconds = Double(delay.components.seconds) + Double(delay.components.attoseconds) / 1e18
        return .waiting(seconds: seconds, until: WallClock.now(plus: delay), reason: reason, cause: cause)
    }

    /// The wait that an event of a request tells of; nil for another event.
    package init?(waiting event: HTTPEvent) {
        guard case .waiting(let delay, let reason, let cause)? = PageNote(event) else { return nil }
        self = .pause(delay, reason, cause)
    }
}
