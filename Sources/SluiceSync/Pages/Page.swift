internal import SluiceHTTP
internal import SluiceSystem

/// One page of a source: bytes in a file, whether the source's own or the spool's.
struct Page: Sendable {
    /// Where the bytes stand.
    enum Content: Sendable {
        /// A file of its own, opened when its turn comes.
        case file(path: String)
        /// A part of a file that several pages share.
        case part(of: ByteFile, offset: Int, count: Int)
    }

    let content: Content
    /// The page's place for messages: a path or a URL without secrets.
    let name: String
    /// The name of the page's file without folder and extension, empty where it has none.
    let fileStem: String
    /// The most bytes that the page may have once it is unpacked, nil for no limit.
    var maximumBytes: Int?
    /// What it was asked for; nil where its stream asks once.
    var partition: Partition?
    /// How far lists within its records were read; nil where all that there is stands in them.
    var lists: ListReadings?
}

/// What the fetch stage gives: all pages of one stream, and what it took to get them.
struct FetchedPages: Sendable {
    var pages: [Page] = []
    /// What came with the first answer; nil where nothing was asked for.
    var head: HTTPResponseHead?
    var requests = 0
    var retries = 0
    var bytes = 0
    /// Whether the first page was there and the last one said that it is the last.
    var isComplete = false
    /// Whether a record that went while they were read may have shifted another one past the reader.
    var canShift = false
    /// Why it is not complete, where it is not.
    var incompleteReason: String?
    /// Whether pages were left unread.
    var isTruncated = false
    /// Whether only changes were asked for, so that nothing is known of what is not among them.
    var onlyChanges = false
    /// What the next run asks for changes with, its secrets hidden.
    var token: PageToken?
    /// How many pages their source says are the same as before; they are not among ``pages``.
    var notModified = 0
    /// What each page said of its version; nil where one said nothing.
    var validators: [PageValidators.Page]? = []
    /// Whether no page changed since the last run, so that there is nothing to read.
    var isNotModified: Bool { notModified > 0 && pages.isEmpty }
    /// What people should look at.
    var warning: FetchWarning?
    /// Whether the pages came from requests, so that two alike would mean a loop.
    var isPaginated = false
    /// What became of the partitions; nil where the stream asks once.
    var partitions: PartitionResult?
    /// What became of the rests of lists within the records.
    var rests: [RestResult] = []

    /// Adds what another series of requests gave.
    mutating func append(_ other: FetchedPages) {
        pages += other.pages
        requests += other.requests
        retries += other.retries
        bytes += other.bytes
        isComplete = isComplete && other.isComplete
        incompleteReason = incompleteReason ?? other.incompleteReason
        isTruncated = isTruncated || other.isTruncated
        onlyChanges = onlyChanges || other.onlyChanges
        token = other.token
        canShift = canShift || other.canShift
        notModified += other.notModified
        validators = nil
        warning = warning ?? other.warning
        isPaginated = isPaginated || other.isPaginated
        rests += other.rests
    }
}
