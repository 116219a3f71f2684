internal import SluiceDecode
internal import SluiceModel
internal import SluicePages
package import SluicePipeline
internal import SluiceReport
internal import SluiceSystem

/// The pages of a stream that came and are not in the store yet, in files beside it: a run that is killed leaves them
/// to the next one, which does not have to ask for them again.
///
/// ```
/// shop.db-pages/PIPELINE-STREAM-7    a JSON object on a line of its own, then the page
/// ```
/// Nothing waits for the disk. What a power cut spoils shows in the page's length and digest, and is fetched again.
package struct PageJournal: Sendable {
    /// How old a page may be: a source that was left for longer is asked again.
    private static let longest = Duration.seconds(3600)

    private let folder: String?
    private let name: String
    private let maximumBytes: Int
    /// The number that the next run with a store that is still as it is would get.
    private let run: Int64

    /// - Parameters:
    ///   - stream: Whose pages they are.
    ///   - pipeline: Its pipeline.
    ///   - path: The path that they stand beside, as that of the store's file; nil for none: then no page is kept.
    ///   - run: The number of the run that is next.
    package init(_ stream: StreamDefinition, of pipeline: PipelineDefinition, beside path: String?, run: Int64) {
        folder = path.map(Self.folder)
        name = Self.mark(pipeline.name) + Self.mark(stream.name)
        maximumBytes = pipeline.source.maximumResponseBytes
        self.run = run
    }

    private static func folder(_ path: String) -> String { path + "-pages" }
    private static func mark(_ name: String) -> String { String(FieldDigest.text(Array(name.utf8)), radix: 16) + "-" }

    private func path(_ number: Int) -> String? { folder.map { "\($0)/\(name)\(number)" } }

    // MARK: Keeping

    /// Keeps a page until it is merged. Where that fails, as on a full disk, it would be fetched again, and that is all.
    ///
    /// - Parameters:
    ///   - step: The page.
    ///   - scan: The scan that it is of.
    ///   - number: Its number in the scan, from 1.
    package func put(_ step: FetchStep, of scan: ScanState, number: Int) {
        guard let folder, let path = path(number), let page = step.page,
            case .part(let file, let offset, let count) = page.content,
            step.isEnd || step.token != nil
        else { return }
        do {
            try FileSystem.makeFolders(folder)
            var next = scan
            (next.token, next.pages) = (step.token, number)
            let coverage = step.fetched.coverage
            next.gap = coverage.gap ?? Coverage.Gap()
            let body = try file.bytes(at: offset, count: count)
            let head = TextMembers([
                ("scan", next.text(nil)), ("run", String(run)), ("at", WallClock.now()), ("name", page.name),
                ("count", String(count)), ("digest", String(FieldDigest.text(body))),
                ("request", String(step.request)), ("end", step.isEnd ? "yes" : nil),
                ("complete", coverage.isComplete ? "yes" : nil),
                ("can_shift", coverage.isCounted ? "yes" : nil), ("warning", step.fetched.warning?.message),
                ("warning_code", step.fetched.warning?.code.rawValue),
                ("paginated", step.fetched.isPaginated ? "yes" : nil),
                ("only_changes", coverage.isFiltered ? "yes" : nil),
                ("token_lead", step.fetched.token?.lead.kind), ("token", step.fetched.token?.lead.text),
                ("token_refusal", step.fetched.tokenRefusal),
            ])
            let line = Array((head.json + "\n").utf8)
            let kept = try ByteFile(private: path)
            try kept.write(line, at: 0)
            try kept.write(body, at: line.count)
        } catch {
            drop(number)
        }
    }

    // MARK: Taking

    /// The pages that come next in a scan, as far as they are there.
    package func pages(of scan: ScanState) -> [FetchStep] {
        var steps: [FetchStep] = []
        while steps.last?.isEnd != true, let (kept, step, _) = page(scan.pages + steps.count + 1),
            kept.startedAt == scan.startedAt, kept.cursor == scan.cursor, scan.isContinued(by: kept)
        {
            steps.append(step)
        }
        return steps
    }

    /// When the scan began whose first page came, where nothing of it is in the store and no run ended since.
    package func beginning(of scan: ScanState) -> String? {
        guard let (kept, _, run) = page(1), run == self.run else { return nil }
        return kept.startedAt
    }

    private func page(_ number: Int) -> (scan: ScanState, step: FetchStep, run: Int64)? {
        guard let path = path(number), let file = try? ByteFile(reading: path),
            let bytes = try? file.bytes(at: 0, count: file.byteCount),
            let line = bytes.firstIndex(of: UInt8(ascii: "\n")), let head = TextMembers(bytes[..<line])
        else { return nil }
        let body = bytes[(line + 1)...]
        guard let scan = head["scan"].flatMap({ ScanState($0, nil) }), scan.pages == number,
            let run = head["run"].flatMap({ Int64($0) }), let request = head["request"].flatMap({ UInt64($0) }),
            let at = head["at"], at >= WallClock.now(minus: Self.longest), at <= WallClock.now(),
            let name = head["name"], head["count"] == String(body.count),
            head["digest"] == String(FieldDigest.text(Array(body)))
        else { return nil }
        var fetched = FetchedPages()
        fetched.coverage = Coverage(
            head["complete"] != nil ? .whole : .partial(scan.gap), isCounted: head["can_shift"] != nil,
            isFiltered: head["only_changes"] != nil)
        fetched.isPaginated = head["paginated"] != nil
        if let code = head["warning_code"].flatMap({ FetchWarning.Code(rawValue: $0) }), let message = head["warning"] {
            fetched.warning = FetchWarning(code: code, message: message)
        }
        fetched.token = PageToken.Lead(kind: head["token_lead"], text: head["token"]).map { PageToken(lead: $0) }
        fetched.tokenRefusal = head["token_refusal"]
        fetched.validators = nil
        let page = Page(
            content: .part(of: file, offset: line + 1, count: body.count), name: name, fileStem: "",
            maximumBytes: maximumBytes)
        let step = FetchStep(
            page: page, fetched: fetched, isEnd: head["end"] != nil, token: scan.token, request: request)
        return (scan, step, run)
    }

    // MARK: Clearing

    /// Lets a page go that is in the store.
    package func drop(_ number: Int) { path(number).map(FileSystem.remove) }

    /// Lets all pages of the stream go but the first ones behind a page.
    ///
    /// - Parameters:
    ///   - number: The page.
    ///   - count: How many behind it stay.
    package func clear(after number: Int = 0, except count: Int = 0) {
        let kept = Set((0..<count).compactMap { path(number + $0 + 1) })
        Self.remove(name, in: folder, except: kept)
    }

    /// Lets the pages of all streams of a pipeline go.
    package static func clear(_ pipeline: String, beside path: String?) {
        remove(mark(pipeline), in: path.map(folder))
    }

    private static func remove(_ name: String, in folder: String?, except kept: Set<String> = []) {
        guard let folder, FileSystem.kind(of: folder) == .folder else { return }
        for path in FileSystem.matches(of: "\(FileSystem.escaped(folder))/\(name)*") where !kept.contains(path) {
            FileSystem.remove(path)
        }
        FileSystem.removeFolder(folder)
    }
}
