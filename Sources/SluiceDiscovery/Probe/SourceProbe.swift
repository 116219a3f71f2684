internal import SluiceDecode
internal import SluiceHTTP
package import SluiceJSON
internal import SluicePages
package import SluicePipeline
package import SluiceReport
package import SluiceSync
internal import SluiceSystem

/// What looking at a few pages of a source over HTTP tells: enough for a first pipeline.
package struct SourceProbe: Sendable {
    /// How many pages are read where nothing else is said.
    package static let standardPages = PaginatorSearch.standardPages

    /// What to look at.
    package struct Request: Sendable {
        /// An `http:` or `https:` URL.
        package var url: String
        /// The headers of requests.
        package var headers: [NamedText]
        /// Where the records are, nil to find them.
        package var records: JSONPath?
        /// The most pages to read, at least one.
        package var pages: Int
        /// The table that the records shall go to, nil where it has the URL's name.
        package var table: String?
        /// The method of requests.
        package var method = StreamDefinition.Method.get
        /// What requests send, nil for nothing.
        package var body: StreamDefinition.Body?
        /// What is said of the form of the answers.
        package var form = ImportSource.Form()

        /// Makes a request.
        package init(
            url: String, headers: [NamedText] = [], records: JSONPath? = nil, pages: Int = SourceProbe.standardPages,
            table: String? = nil
        ) {
            self.table = table
            self.url = url
            self.headers = headers
            self.records = records
            self.pages = max(1, pages)
        }
    }

    /// The fields and what the records that were read say of them.
    package let inspection: ImportInspection
    /// The inspection that says what is unique: of the first page alone where records came more than once.
    package let keyed: ImportInspection
    /// Where the records are.
    package let records: ProbeFinding
    /// What identifies them.
    package let key: ProbeFinding
    /// The same as a pipeline has it.
    package let identity: ImportIdentity
    /// How one page leads to the next.
    package let pagination: ProbeFinding
    /// The same as a pipeline has it.
    package let paginator: StreamDefinition.Paginator
    /// The types of the fields.
    package let types: ProbeFinding
    /// The field by which changes could be asked for; nil where there is none.
    package let cursor: ProbeCursor?
    /// How many pages were read.
    package let pages: Int
    /// How many requests that took, those in vain among them.
    package let requests: Int
    /// Whether these are all pages that there are.
    package let isWhole: Bool
    /// What speaks for a cut of the only page by its length, where nothing says that its records are all.
    package let usualLength: String?
    /// The URL that was asked for first, as it may be shown.
    package let url: String
    /// The token by which changes could be asked for; nil where there is none.
    package let syncToken: SyncTokenFinding?
    package let source: ProbeSource
    let paginatorNote: String?
    let largestPage: Int

    /// A text without the secrets that were given, which a source may repeat.
    package func hiding(_ text: String) -> String { text.hiding(source.secrets) }

    /// Looks at a source.
    ///
    /// - Parameters:
    ///   - request: What to look at.
    ///   - options: Version, clock and cancellation.
    ///   - onProgress: Is told of each request.
    /// - Throws: ``ImportError``.
    package init(
        _ request: Request, options: SyncOptions, onProgress: @escaping (RunProgress) -> Void
    ) throws(ImportError) {
        var secrets: [String] = []
        do {
            let source = try ProbeSource(
                request.url, headers: request.headers, method: request.method, body: request.body)
            secrets = source.secrets
            try self.init(request, source, options, onProgress)
        } catch {
            throw ImportError(error, isCancelled: options.cancellation.isCancelled).hiding(secrets)
        }
    }

    private init(
        _ request: Request, _ source: ProbeSource, _ options: SyncOptions,
        _ onProgress: @escaping (RunProgress) -> Void
    ) throws {
        self.source = source
        let client = try ProbeClient(
            source, most: request.pages + PaginatorSearch.trials, options: options, onProgress: onProgress)
        var stream = source.stream()
        let answer = try Self.firstAnswer(client, source, stream)
        let whole = { (answers: [ProbeAnswer]) in
            ImportSource(
                probed: request.url, request.form, source.definition, answers.map(\.page), head: answer.head)
        }
        let place = try ImportInspection.findRecords(
            whole([answer]), path: request.records, cancellation: options.cancellation)
        stream.read(place)
        let start = try Self.firstPage(answer, stream, place)
        let inspection = try ImportInspection(
            whole([answer]), path: request.records, limit: nil, table: request.table,
            cancellation: options.cancellation)
        let path = inspection.certainKey
        let search = PaginatorSearch(
            client: client, source: source, stream: stream, key: path, mostPages: request.pages)
        let first = try path == nil ? start : ProbedPage(answer, stream: stream, key: path)
        let outcome = try search.find(from: first, isList: place.isList)
        let answers = outcome.pages.map(\.answer)
        self.inspection = try ImportInspection(
            whole(answers.filter { $0.byteCount > 0 }), path: request.records, limit: nil, table: request.table,
            cancellation: options.cancellation
        ).hiding(source.secrets)
        let judge = ProbeJudge(
            inspection: self.inspection, first: inspection, pages: outcome.pages, overlaps: outcome.overlaps)
        keyed = judge.keyed
        (identity, key) = (judge.identity, judge.key.hiding(source.secrets))
        records = judge.records.hiding(source.secrets)
        types = judge.types
        pagination = outcome.finding.hiding(source.secrets)
        paginator = outcome.paginator
        paginatorNote = outcome.note?.hiding(source.secrets)
        let candidate = CursorFieldSearch(fields: self.inspection.fields, records: self.inspection.records)
            .candidates.first
        cursor = try candidate.map { candidate in
            let values = try outcome.pages.flatMap { try $0.values(at: candidate.field.path, stream: stream) }
            var cursor = CursorFieldSearch.judge(candidate, values: values)
            cursor.finding = cursor.finding.hiding(source.secrets)
            return cursor
        }
        syncToken = SyncTokenFinding(outcome.pages, query: source.query)
        url = answer.page.name
        pages = answers.count
        requests = client.requests
        (isWhole, usualLength) = (outcome.isWhole, outcome.usualLength)
        largestPage = answers.map(\.byteCount).max() ?? 0
    }
}

extension ImportSource {
    /// Pages that were fetched for a probe.
    fileprivate init(
        probed url: String, _ form: Form, _ definition: SourceDefinition, _ pages: [Page], head: HTTPResponseHead
    ) {
        var fetched = FetchedPages()
        fetched.head = head
        fetched.pages = pages
        self.init(place: .url(url), form: form, definition: definition, fetched: fetched)
    }
}

extension ImportInspection {
    /// The path of the one field that is sure to identify a record.
    var certainKey: JSONPath? {
        guard let name = keyCandidates.certain?.fields.first else { return nil }
        return fields.first { $0.name == name && !$0.isEntryName }?.path
    }
}
