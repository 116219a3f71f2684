internal import SluiceHTTP
public import SluicePipeline
internal import SluiceSystem

/// What an import reads: fetched once, then looked at, then taken.
public struct ImportSource: Sendable {
    /// Where it comes from.
    public enum Place: Sendable {
        /// An `http:` or `https:` URL.
        case url(String)
        /// A path.
        case file(String)
        /// A stream that is read to its end, such as `/dev/stdin`.
        case stream(path: String)
    }

    /// The largest response that is taken: the body goes to a temporary file, not to memory.
    public static let maximumResponseBytes = 1 << 30

    /// Where it comes from.
    public let place: Place
    /// The source as a pipeline names it.
    public let definition: SourceDefinition
    /// The request's path, or the file's within its folder.
    public let path: ConfigurationText?
    /// The headers of requests.
    public let headers: [NamedText]
    let fetched: FetchedPages

    /// Fetches a source.
    ///
    /// - Parameters:
    ///   - place: Where it is.
    ///   - headers: Headers of requests.
    ///   - options: Version, clock and cancellation.
    ///   - onProgress: Is told of each page.
    /// - Throws: ``ImportError``.
    public init(
        _ place: Place, headers: [NamedText] = [], options: SyncOptions, onProgress: @escaping (RunProgress) -> Void
    ) throws(ImportError) {
        self.place = place
        self.headers = headers
        do {
            switch place {
            case .url(let url):
                let (base, path) = try Self.split(url)
                var source = SourceDefinition(base: .http(ConfigurationText(base)))
                source.maximumResponseBytes = Self.maximumResponseBytes
                definition = source
                self.path = path.map { ConfigurationText($0) }
                let stream = StreamDefinition(
                    name: "import", entity: "", path: self.path, headers: headers,
                    paginator: .headerLink(relation: "next"))
                let client = HTTPClient(
                    configuration: HTTPConfiguration(source, version: options.version),
                    environment: options.httpEnvironment)
                defer { client.shutDown() }
                let asking = PageAsking(
                    client: client, login: SourceLogin(.none), stream: stream, base: ConfigurationText(base), rules: [],
                    spools: SpoolPool())
                fetched = try HTTPPages(
                    asking, source: source, cancellation: options.cancellation, onProgress: onProgress
                ).fetch()
            case .file(let path):
                let absolute = FileSystem.absolute(path)
                let slash = absolute.lastIndex(of: "/") ?? absolute.startIndex
                definition = SourceDefinition(
                    base: .file(slash == absolute.startIndex ? "/" : String(absolute[..<slash])))
                self.path = ConfigurationText(String(absolute[absolute.index(after: slash)...]))
                fetched = try Self.openFile(path, cancellation: options.cancellation)
            case .stream(let path):
                definition = SourceDefinition(base: .file("/"))
                self.path = nil
                fetched = try Self.spool(path, cancellation: options.cancellation)
            }
        } catch {
            throw ImportError(error, isCancelled: options.cancellation.isCancelled)
        }
    }

    /// Makes a source of what was fetched in another way.
    init(place: Place, definition: SourceDefinition, fetched: FetchedPages) {
        self.place = place
        self.definition = definition
        path = nil
        headers = []
        self.fetched = fetched
    }

    private static func openFile(_ path: String, cancellation: Cancellation) throws -> FetchedPages {
        switch FileSystem.kind(of: path) {
        case nil: throw ImportError(.failed, "The file `\(path)` does not exist. Check how the path is written.")
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
            fetched.isComplete = true
            return fetched
        }
    }

    /// Copies what can be read only once to a temporary file.
    private static func spool(_ path: String, cancellation: Cancellation) throws -> FetchedPages {
        let source = try ByteFile(reading: path)
        let spool = try ByteFile(temporaryIn: nil)
        var buffer = [UInt8](repeating: 0, count: 256 << 10)
        var size = 0
        while true {
            // A pipe may stay silent for long, and a signal does not end a read.
            repeat { try cancellation.check() } while !source.isReadable(within: 100)
            let count = try unsafe buffer.withUnsafeMutableBytes { bytes in
                let count = try unsafe source.read(into: bytes, at: size)
                try unsafe spool.write(UnsafeRawBufferPointer(rebasing: bytes[..<count]), at: size)
                return count
            }
            if count == 0 { break }
            size += count
        }
        var fetched = FetchedPages()
        let name = path == "/dev/stdin" ? "standard input" : path
        fetched.pages = [Page(content: .part(of: spool, offset: 0, count: size), name: name, fileStem: "")]
        fetched.isComplete = true
        return fetched
    }

    /// A URL as a pipeline has it: scheme and host, then path and query.
    static func split(_ url: String) throws -> (base: String, path: String?) {
        _ = try HTTPURL(url)
        let whole = url.prefix { $0 != "#" }
        guard let slashes = whole.firstRange(of: "//") else { return (String(whole), nil) }
        let authority = whole[slashes.upperBound...].prefix { $0 != "/" && $0 != "?" }
        let rest = whole[authority.endIndex...]
        let base = String(whole[..<authority.endIndex])
        if rest.isEmpty { return (base, nil) }
        return (base, rest.hasPrefix("?") ? "/" + rest : String(rest))
    }
}
