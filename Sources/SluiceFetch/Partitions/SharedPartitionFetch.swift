package import SluiceDecode
internal import SluiceHTTP
internal import SluiceJSON
internal import SluiceModel
package import SluicePages
internal import SluiceReport
internal import SluiceStore
internal import SluiceSystem

/// Reads the partitions of a stream together with other programs: each claims what nobody has, and keeps what it found in the
/// store. The run that shared them takes all of it once nothing is left, and gives the same as if it had read them alone: what
/// a helper cannot read the run reads before it counts as failed, since one machine may reach what another one does not.
package struct SharedPartitionFetch {
    /// How many seconds pass until a run looks again whether others have read what they claimed.
    private static let pollSeconds = 0.25

    /// How the partitions are read: as by a program that reads them alone.
    let fetch: PartitionFetch
    let desk: PartitionDesk
    /// The most bytes that a page may have once it is unpacked.
    let maximumPageBytes: Int

    /// Makes a value of its parts.
    package init(fetch: PartitionFetch, desk: PartitionDesk, maximumPageBytes: Int) {
        (self.fetch, self.desk, self.maximumPageBytes) = (fetch, desk, maximumPageBytes)
    }

    // MARK: Reading

    /// Reads partitions that nobody has until there are none.
    ///
    /// - Parameters:
    ///   - partition: Makes a partition of its text; nil for a text that is none.
    ///   - onPages: Is given what was read and kept here.
    ///   - onFailure: Is told what could not be read here.
    /// - Returns: Whether it stopped since one partition after the other failed.
    /// - Throws: What is no failure of one partition, and what the store throws.
    @discardableResult
    func readFree(
        _ partition: (String) -> Partition?, onPages: (PartitionClaim, FetchedPages) -> Void = { _, _ in },
        onFailure: (PartitionResult.Failure) -> Void = { _ in }
    ) throws -> Bool {
        let read = fetch.read
        let window = OrderedWindow(width: fetch.width, cancellation: fetch.cancellation) { PartitionWorker(read: read) }
        defer { window.clear() }
        var claims: [(claim: PartitionClaim, partition: Partition)] = []
        var inRow = 0
        while true {
            try fetch.cancellation.check()
            if claims.count < window.width && inRow < PartitionFetch.patience {
                for claim in try desk.claim(window.width - claims.count) {
                    guard let next = partition(claim.partition) else { throw edited }
                    claims.append((claim, next))
                    window.submit(next)
                }
            }
            guard let (claim, asked) = claims.first else { return inRow >= PartitionFetch.patience }
            let output = try window.next { fetch.onProgress($0.ofPartitions) }
            claims.removeFirst()
            switch output {
            case .pages(let pages)?:
                inRow = 0
                if try desk.keep(SharedPages(pages), by: claim) { onPages(claim, pages) }
            case .failure(let error, let mayPass)?:
                inRow = mayPass || desk.role == .helper ? inRow + 1 : 0
                let failure = SharedFailure(error, hiding: fetch.secrets).after(claim.givenBack)
                _ = try desk.keep(failure, by: claim)
                onFailure(.init(partition: asked, message: failure.message, isNotThere: failure.isNotThere))
            case nil: throw CancelledError()
            }
        }
    }

    private var edited: StoreError {
        StoreError(
            .damaged,
            "What the store keeps of the partitions of `\(desk.share.stream)` was edited. Delete the row of `\(desk.share.pipeline)` from `_sluice_shares`, and run the pipeline again."
        )
    }

    // MARK: The run

    /// Reads what nobody else reads, waits for the others, and takes all of it.
    ///
    /// - Parameter plan: What the stream asks for.
    /// - Returns: The pages of all partitions, as ``PartitionFetch/fetch(_:)`` gives them.
    /// - Throws: What is no failure of one partition, and what the store throws.
    package func fetch(_ plan: PartitionPlan) throws -> FetchedPages {
        let byText = Dictionary(plan.asked.map { ($0.sharedText, $0) }) { first, _ in first }
        var own: [Int: FetchedPages] = [:]
        var givenBack: [Int: PartitionClaim.GivenBack] = [:]
        var hasGivenUp = false
        while true {
            if !hasGivenUp {
                hasGivenUp = try readFree {
                    byText[$0]
                } onPages: { claim, pages in
                    own[claim.position] = pages
                    givenBack[claim.position] = claim.givenBack
                }
            }
            let open = try desk.openCounts()
            // What others are reading is waited for in any case.
            if open.held == 0 && (open.free == 0 || hasGivenUp) { break }
            try fetch.cancellation.check()
            if open.free == 0 || hasGivenUp { Pause.seconds(Self.pollSeconds) }
        }
        return try accept(plan, own, givenBack)
    }

    /// Puts what was read in the order of the plan.
    private func accept(
        _ plan: PartitionPlan, _ own: [Int: FetchedPages], _ givenBack: [Int: PartitionClaim.GivenBack]
    ) throws -> FetchedPages {
        var gathered = GatheredPartitions(plan, isShared: true)
        let answers = try desk.answers()
        guard answers.map(\.position) == Array(plan.asked.indices) else {
            throw StoreError(
                .superseded,
                "Another run of `\(desk.share.pipeline)` or an undo was committed, or took this one over, while the partitions of `\(desk.share.stream)` were read: what was read before is out of date. The next attempt reads them anew; nothing has to be done."
            )
        }
        for (partition, answer) in zip(plan.asked, answers) {
            try fetch.cancellation.check()
            switch answer.state {
            case .open: gathered.leaveOut(partition, after: PartitionFetch.patience)
            case .failed:
                guard let failure = SharedFailure(answer.text) else { throw edited }
                gathered.fail(partition, failure)
            case .read:
                gathered.record(reader: answer.place)
                if let before = givenBack[answer.position], let failure = SharedFailure(before.text) {
                    gathered.record(failure, at: before.place, of: partition)
                }
                if let pages = own[answer.position] {
                    gathered.add(pages, of: partition)
                    continue
                }
                let pages = try SharedPages.read(
                    answer.text, try desk.pages(at: answer.position), of: partition, maximumBytes: maximumPageBytes)
                guard let pages else { throw edited }
                gathered.add(pages, of: partition)
            }
        }
        return gathered.pages
    }
}

/// Why a partition could not be read, as it waits in a store.
struct SharedFailure {
    /// Why, as sentences that hold no secrets.
    let message: String
    /// Whether the source says that there is nothing.
    let isNotThere: Bool

    init(_ error: any Error, hiding secrets: [String]) {
        isNotThere = (error as? HTTPError)?.status.map(ExistenceRules.absent.contains) ?? false
        message = RunFailure(error, isCancelled: false, hiding: secrets).message
    }

    init?(_ text: String) {
        guard let members = TextMembers(text.utf8), let message = members["message"] else { return nil }
        (self.message, isNotThere) = (message, members["not_there"] != nil)
    }

    private init(message: String, isNotThere: Bool) { (self.message, self.isNotThere) = (message, isNotThere) }

    /// It with what a helper says that could not read the partition either.
    func after(_ givenBack: PartitionClaim.GivenBack?) -> SharedFailure {
        guard let givenBack, let before = SharedFailure(givenBack.text) else { return self }
        let reason = before.message == message ? "" : " There: \(before.message)"
        return SharedFailure(
            message: "\(message) It could not be read at \(givenBack.place) either.\(reason)", isNotThere: isNotThere)
    }

    /// It as text.
    var text: String { TextMembers([("message", message), ("not_there", isNotThere ? "yes" : nil)]).json }
}

extension Partition {
    /// It as text, of which ``init(shape:sharedText:)`` makes it again.
    package var sharedText: String { "[" + values.map { FieldJSON.quoted($0) }.joined(separator: ",") + "]" }

    /// Makes it of its text; nil where that is none of a shape.
    package init?(shape: PartitionShape, sharedText: String) {
        guard let root = try? JSONDocument(Array(sharedText.utf8)).root, root.kind == .array else { return nil }
        let values = root.elements.compactMap(\.string)
        guard values.count == root.elements.count, values.count == shape.parentFields.count + shape.lists.count else {
            return nil
        }
        self.init(shape: shape, values: values)
    }
}
