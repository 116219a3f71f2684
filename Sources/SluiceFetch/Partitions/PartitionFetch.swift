package import SluiceDecode
internal import SluiceHTTP
package import SluicePages
package import SluiceReport
package import SluiceSystem

/// Reads the partitions of a stream, several at a time, and gives their pages in the order of the partitions.
package struct PartitionFetch {
    /// Reads one partition: all of its pages.
    package typealias Read =
        @Sendable (
            Partition, Cancellation, @escaping (RunProgress) -> Void
        ) throws -> FetchedPages

    /// After how many partitions in a row that failed in a way that may pass the others are not asked for.
    static let patience = 5

    /// How many partitions are read at a time.
    package let width: Int
    package let cancellation: Cancellation
    package let onProgress: (RunProgress) -> Void
    /// Texts that messages must not hold.
    package let secrets: [String]
    package let read: Read

    /// Makes a value of its parts.
    package init(
        width: Int, cancellation: Cancellation, onProgress: @escaping (RunProgress) -> Void, secrets: [String],
        read: @escaping Read
    ) {
        self.width = width
        self.cancellation = cancellation
        self.onProgress = onProgress
        self.secrets = secrets
        self.read = read
    }

    /// Reads all that a plan asks for.
    ///
    /// - Returns: The pages of all partitions, each with its own.
    /// - Throws: What is no failure of one partition: `CancelledError`, a login that is refused, a full disk.
    package func fetch(_ plan: PartitionPlan) throws -> FetchedPages {
        var gathered = GatheredPartitions(plan)
        let read = read
        let window = OrderedWindow(width: width, cancellation: cancellation) {
            PartitionWorker(read: read)
        }
        defer { window.clear() }
        var waiting = plan.asked[...]
        var inRow = 0
        for (index, partition) in plan.asked.enumerated() {
            if inRow >= Self.patience {
                gathered.leaveOut(partition, after: inRow)
                continue
            }
            while let next = waiting.first, window.submit(next) { waiting.removeFirst() }
            let place = RunProgress.Partition(number: index + 1, count: plan.asked.count)
            let output = try window.next { progress in
                var progress = progress.ofPartitions
                (progress.partition, progress.pages) = (place, gathered.pageCount + progress.pages)
                progress.bytes += gathered.bytes
                onProgress(progress)
            }
            switch output {
            case .pages(let pages)?:
                inRow = 0
                gathered.add(pages, of: partition)
            case .failure(let error, _)? where error.isUnplanned:
                gathered.leaveForNextRun(partition)
            case .failure(let error, let mayPass)?:
                inRow = mayPass ? inRow + 1 : 0
                gathered.fail(partition, SharedFailure(error, hiding: secrets))
            case nil: throw CancelledError()
            }
        }
        return gathered.pages
    }
}

/// Reads one partition after the other.
struct PartitionWorker: WindowWorker {
    let read: PartitionFetch.Read

    enum Output: Sendable {
        case pages(FetchedPages)
        case failure(any Error, mayPass: Bool)
    }

    func work(
        on partition: Partition, cancellation: Cancellation, note: @Sendable (RunProgress) -> Void
    ) throws -> Output {
        do {
            var pages = try withoutActuallyEscaping(note) { note in try read(partition, cancellation, note) }
            for index in pages.pages.indices { pages.pages[index].partition = partition }
            return .pages(pages)
        } catch {
            if cancellation.isCancelled || error.isOfWholeSource { throw error }
            return .failure(error, mayPass: (error as? HTTPError)?.isTransient ?? false)
        }
    }
}

extension Error {
    /// Whether a plan that is applied did not ask for this.
    fileprivate var isUnplanned: Bool {
        (self as? HTTPError)?.code == .notPlanned || (self as? SyncError)?.code == .notPlanned
    }

    /// Whether what failed would fail for every partition.
    fileprivate var isOfWholeSource: Bool {
        switch self {
        case let error as HTTPError:
            [.notRecorded, .notKept, .shutDown, .tlsConfiguration].contains(error.code) || error.status == 401
        case let error as SyncError:
            [.loginFailed, .refusedAgain, .invalidPipeline, .fileFailed].contains(error.code)
        default: true
        }
    }
}
