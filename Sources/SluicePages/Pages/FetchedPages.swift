package import SluiceDecode
package import SluiceHTTP
package import SluiceReport

/// What the fetch stage gives: all pages of one stream, and what it took to get them.
package struct FetchedPages: Sendable {
    package var pages: [Page] = []
    /// What came with the first answer; nil where nothing was asked for.
    package var head: HTTPResponseHead?
    package var requests = 0
    package var retries = 0
    package var bytes = 0
    /// What they prove of the records that are not among them.
    package var coverage = Coverage.unended
    /// What the next run asks for changes with, its secrets hidden.
    package var token: PageToken?
    /// Why what the last page gives for that may not be asked, as sentences; nil where it may.
    package var tokenRefusal: String?
    /// How many pages their source says are the same as before; they are not among ``pages``.
    package var notModified = 0
    /// What each page said of its version; nil where one said nothing.
    package var validators: [PageValidators.Page]? = []
    /// Whether no page changed since the last run, so that there is nothing to read.
    package var isNotModified: Bool { notModified > 0 && pages.isEmpty }
    /// What people should look at.
    package var warning: FetchWarning?
    /// Whether the pages came from requests, so that two alike would mean a loop.
    package var isPaginated = false
    /// What became of the partitions; nil where the stream asks once.
    package var partitions: PartitionResult?
    /// What became of the continued lists within the records.
    package var continuedLists: [ContinuedListResult] = []

    /// Makes a value of its parts.
    package init(
        pages: [Page] = [], head: HTTPResponseHead? = nil, requests: Int = 0, retries: Int = 0, bytes: Int = 0,
        coverage: Coverage = .unended, token: PageToken? = nil, notModified: Int = 0,
        validators: [PageValidators.Page]? = [], warning: FetchWarning? = nil, isPaginated: Bool = false,
        partitions: PartitionResult? = nil, continuedLists: [ContinuedListResult] = []
    ) {
        self.pages = pages
        self.head = head
        self.requests = requests
        self.retries = retries
        self.bytes = bytes
        self.coverage = coverage
        self.token = token
        self.notModified = notModified
        self.validators = validators
        self.warning = warning
        self.isPaginated = isPaginated
        self.partitions = partitions
        self.continuedLists = continuedLists
    }

    /// Adds what another series of requests gave.
    package mutating func append(_ other: FetchedPages) {
        pages += other.pages
        requests += other.requests
        retries += other.retries
        bytes += other.bytes
        coverage = coverage.and(other.coverage)
        (token, tokenRefusal) = (other.token, other.tokenRefusal)
        notModified += other.notModified
        validators = nil
        warning = warning ?? other.warning
        isPaginated = isPaginated || other.isPaginated
        continuedLists += other.continuedLists
    }
}
