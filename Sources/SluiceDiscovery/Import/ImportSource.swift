internal import SluiceDecode
internal import SluiceFetch
internal import SluiceHTTP
package import SluiceJSON
package import SluicePages
package import SluicePipeline
package import SluiceReport
package import SluiceSync
package import SluiceSystem

/// What an import reads: fetched once, then looked at, then taken.
package struct ImportSource: Sendable {
    /// Where it comes from.
    package enum Place: Sendable {
        /// An `http:` or `https:` URL.
        case url(String)
        /// A path.
        case file(String)
        /// A stream that is read to its end, such as `/dev/stdin`.
        case stream(path: String)
    }

    /// What a person says of the form of its text.
    package struct Form: Sendable {
        /// The format; nil to find it.
        package var format: StreamDefinition.Format?
        /// What stands between the cells of CSV; nil to find it.
        package var delimiter: StreamDefinition.Delimiter?

        /// Makes a form.
        package init(format: StreamDefinition.Format? = nil, delimiter: StreamDefinition.Delimiter? = nil) {
            (self.format, self.delimiter) = (format, delimiter)
        }
    }

    /// Where it comes from.
    package let place: Place
    /// What is said of its form.
    package let form: Form
    /// The source as a pipeline names it.
    package let definition: SourceDefinition
    /// The request's path, or the file's within its folder.
    package let path: ConfigurationText?
    /// What is asked for, nil for a file.
    package let request: ProbeSource?
    /// How one page leads to the next.
    package private(set) var paginator = StreamDefinition.Paginator.headerLink(relation: "next")
    /// What was found of that; nil where there is one page and nothing speaks of others.
    package private(set) var pagination: ProbeFinding?
    /// What speaks for a cut of the only page by its length, where nothing says that its records are all.
    package private(set) var usualLength: String?
    package private(set) var fetched: FetchedPages
    /// Where its records come from, once it is known which of its values they are.
    package private(set) var origin: ImportOrigin?

    /// Fetches a source.
    ///
    /// - Parameters:
    ///   - place: Where it is.
    ///   - form: What is said of its form.
    ///   - headers: Headers of requests.
    ///   - method: The method of requests.
    ///   - body: What requests send, nil for nothing.
    ///   - options: Version, clock and cancellation.
    ///   - onProgress: Is told of each page.
    /// - Throws: ``ImportError``.
    package init(
        _ place: Place, form: Form = Form(), headers: [NamedText] = [], method: StreamDefinition.Method = .get,
        body: StreamDefinition.Body? = nil, options: SyncOptions, onProgress: @escaping (RunProgress) -> Void
    ) throws(ImportError) {
        (self.place, self.form) = (place, form)
        do {
            switch place {
            case .url(let url):
                let request = try ProbeSource(url, headers: headers, method: method, body: body)
                self.request = request
                var source = request.definition
                source.maximumResponseBytes = ProbeSource.maximumResponseBytes
                definition = source
                path = request.path
                fetched = try Self.fetch(
                    request, request.stream(paginator), source, options: options, onProgress: onProgress)
                if fetched.pages.count > 1 {
                    pagination = ProbeFinding(
                        paginator.rule.summary, .certain,
                        ["the Link header names rel=next", "\(fetched.pages.count) pages, which are all"])
                }
            case .file(let path):
                request = nil
                let absolute = FileSystem.absolute(path)
                let slash = absolute.lastIndex(of: "/") ?? absolute.startIndex
                definition = SourceDefinition(
                    base: .file(slash == absolute.startIndex ? "/" : String(absolute[..<slash])))
                self.path = ConfigurationText(String(absolute[absolute.index(after: slash)...]))
                fetched = try Self.openFile(path, cancellation: options.cancellation)
            case .stream(let path):
                request = nil
                definition = SourceDefinition(base: .file("/"))
                self.path = nil
                fetched = try Self.spool(path, cancellation: options.cancellation)
            }
        } catch {
            throw ImportError(error, isCancelled: options.cancellation.isCancelled)
        }
    }

    /// Makes a source of what was fetched in another way.
    package init(place: Place, form: Form = Form(), definition: SourceDefinition, fetched: FetchedPages) {
        (self.place, self.form) = (place, form)
        self.definition = definition
        path = nil
        request = nil
        self.fetched = fetched
    }

    private static func fetch(
        _ request: ProbeSource, _ stream: StreamDefinition, _ source: SourceDefinition, options: SyncOptions,
        onProgress: @escaping (RunProgress) -> Void
    ) throws -> FetchedPages {
        let client = HTTPClient(
            configuration: HTTPConfiguration(source, version: options.version), environment: options.httpEnvironment)
        defer { client.shutDown() }
        let settings = PageRequestSettings(
            client: client, login: SourceLogin(.none), stream: stream, base: request.base, rules: [],
            spools: SpoolPool())
        return try HTTPPages(
            settings, source: source, cancellation: options.cancellation, onProgress: onProgress
        ).fetch()
    }

    // MARK: Further pages

    /// The same source with all of its pages, where one page leads to the next in a way that shows when it is tried.
    ///
    /// What the `Link` header leads to is there already. What is not certain is not followed.
    ///
    /// - Parameters:
    ///   - records: Where the records are, nil to find them.
    ///   - options: Version, clock and cancellation.
    ///   - onProgress: Is told of each page.
    /// - Returns: The source.
    /// - Throws: ``ImportError``.
    package func withFurtherPages(
        records: JSONPath?, options: SyncOptions, onProgress: @escaping (RunProgress) -> Void
    ) throws(ImportError) -> ImportSource {
        do {
            return try following(records, options, onProgress)
        } catch {
            throw ImportError(error, isCancelled: options.cancellation.isCancelled)
        }
    }

    private func following(
        _ records: JSONPath?, _ options: SyncOptions, _ onProgress: @escaping (RunProgress) -> Void
    ) throws -> ImportSource {
        guard let request, let head = fetched.head, fetched.pages.count == 1, let page = fetched.pages.first else {
            return self
        }
        let place = try ImportInspection.findRecords(self, path: records, cancellation: options.cancellation)
        var stream = request.stream()
        stream.read(place)
        let answer = ProbeAnswer(head: head, page: page, byteCount: fetched.bytes)
        // Why a page cannot be read is said where it is looked at.
        guard let start = try? ProbedPage(answer, stream: stream, key: nil), start.recordCount > 0,
            PaginatorCandidates(page: start, query: request.query, key: nil, isList: place.isList).all
                .contains(where: \.hasNext),
            let inspection = try? ImportInspection(
                self, path: records, limit: nil, cancellation: options.cancellation),
            let first = try? ProbedPage(answer, stream: stream, key: inspection.certainKey)
        else { return self }
        let (outcome, trials) = try Self.search(
            from: first, isList: place.isList, request, stream, key: inspection.certainKey, options, onProgress)
        // A run would fail at this page too. What is there of the others would look as if it were all.
        if let breakdown = outcome.breakdown {
            let reason = breakdown.hiding(request.secrets)
            throw ImportError(
                .failed,
                "\(page.name) leads to a further page that cannot be read. \(reason)\(reason.hasSuffix(".") ? "" : ".")",
                remedy: "Nothing was written. Try again later.")
        }
        var whole = self
        whole.fetched.requests += trials
        whole.usualLength = outcome.usualLength
        if outcome.usualLength != nil { return whole }
        // What the page itself says to be the last one is whole.
        guard outcome.pages.count > 1 || !outcome.isWhole else { return whole }
        whole.pagination = outcome.finding.hiding(request.secrets)
        guard outcome.finding.certainty == .certain else {
            // A paginator that nothing speaks for would look as if somebody had chosen it.
            whole.paginator = .none
            return whole
        }
        stream.paginator = outcome.paginator
        request.ask(&stream)
        let requests = whole.fetched.requests
        whole.paginator = outcome.paginator
        whole.fetched = try Self.fetch(request, stream, definition, options: options, onProgress: onProgress)
        whole.fetched.requests += requests
        return whole
    }

    /// Tries how one page leads to the next. Its connections are closed when it returns: some servers serve one at a time, and
    /// would not get to those that read on.
    private static func search(
        from first: ProbedPage, isList: Bool, _ request: ProbeSource, _ stream: StreamDefinition, key: JSONPath?,
        _ options: SyncOptions, _ onProgress: @escaping (RunProgress) -> Void
    ) throws -> (outcome: PaginatorSearch.Outcome, requests: Int) {
        let client = try ProbeClient(
            request, most: PaginatorSearch.standardPages + PaginatorSearch.trials, options: options,
            onProgress: onProgress)
        let search = PaginatorSearch(
            client: client, source: request, stream: stream, key: key, mostPages: PaginatorSearch.standardPages)
        return (try search.find(from: first, isList: isList), client.requests)
    }

    /// What the stream of a pipeline says of the pages that were not read.
    package var notes: [String] {
        if let usualLength { return Self.notes(usual: usualLength).map(\.onOneLine) }
        guard let doubt else { return [] }
        return [
            "No paginator: \(doubt.withoutStop). `sluice probe URL` tries how one page leads to the next.".onOneLine
        ]
    }

    /// Why it is not certain how one page leads to the next, as the end of a sentence; nil where it is, or nothing leads on.
    var doubt: String? {
        guard let pagination, pagination.certainty != .certain else { return nil }
        return [pagination.evidence.first, pagination.trouble].compactMap { $0 }.joined(separator: ", but ")
    }

    /// What a pipeline says of a page of a usual length.
    static func notes(usual length: String) -> [String] {
        [
            "\(PaginatorSearch.usual(length)).",
            "If the source has a second page, say with `paginator` how it is asked for.",
        ]
    }

    /// Notes which of its values are the records.
    package mutating func accept(_ records: RecordsPlace) {
        origin = ImportOrigin(place, request: request, records: records.path)
    }

    /// Records what the source says of pages that were not read, where nothing leads to them, or it is not certain what does.
    ///
    /// - Parameters:
    ///   - stream: What reads it.
    ///   - cancellation: Ends it.
    /// - Throws: ``ImportError``.
    package mutating func recordEnd(of stream: StreamDefinition, _ cancellation: Cancellation) throws(ImportError) {
        if let doubt {
            let stop = doubt.hasSuffix(".") ? "" : "."
            fetched.recordFurtherPages(
                "The source may have further pages that were not read: \(doubt)\(stop) `sluice probe URL` tries how one page leads to the next; a pipeline says it with `paginator`."
            )
        }
        if pagination != nil { return }
        do {
            try fetched.recordEnd(
                of: stream, parameters: (request?.query ?? []).map { HTTPField($0.name, $0.value) },
                maximumRecordBytes: definition.maximumRecordBytes, cancellation)
        } catch {
            throw ImportError(error, isCancelled: cancellation.isCancelled)
        }
    }

    private static func openFile(_ path: String, cancellation: Cancellation) throws -> FetchedPages {
        switch FileSystem.kind(of: path) {
        case nil:
            // What follows the scheme of a URL may hold a password.
            if let scheme = path.firstRange(of: "://").map({ path[..<$0.lowerBound] }) {
                throw ImportError(
                    .failed, "URLs with `\(scheme):` are not imported. Name an `https:` or `http:` URL, a file, or `-`."
                )
            }
            throw ImportError(.failed, "The file `\(path)` does not exist. Check how the path is written.")
        case .folder:
            throw ImportError(
                .failed,
                "`\(path)` is a folder, and an import takes one file. A pipeline takes the files of a folder: `base_url: \"file:FOLDER\"`."
            )
        // A pipe can be read only once.
        case .other: return try spool(path, cancellation: cancellation)
        case .file:
            var fetched = FetchedPages()
            fetched.pages = [Page(content: .file(path: path), name: path, fileStem: FileSystem.stem(of: path))]
            fetched.coverage = .whole
            return fetched
        }
    }

    /// Copies what can be read only once to a temporary file.
    private static func spool(_ path: String, cancellation: Cancellation) throws -> FetchedPages {
        let source = try ByteFile(reading: path)
        let spool = try ByteFile(temporaryIn: nil)
        var size = 0
        while true {
            // A pipe may stay silent for long, and a signal does not end a read.
            repeat { try cancellation.check() } while !source.isReadable(within: 100)
            let part = try source.read(at: size, upTo: 256 << 10)
            if part.isEmpty { break }
            try spool.write(part, at: size)
            size += part.count
        }
        var fetched = FetchedPages()
        let name = path == "/dev/stdin" ? "standard input" : path
        fetched.pages = [Page(content: .part(of: spool, offset: 0, count: size), name: name, fileStem: "")]
        fetched.coverage = .whole
        return fetched
    }
}

extension StreamDefinition {
    /// Has the stream read what stands at a place.
    package mutating func read(_ place: RecordsPlace) {
        (format, delimiter, records, entries) = (place.format, place.delimiter, place.path, place.entries)
    }
}
