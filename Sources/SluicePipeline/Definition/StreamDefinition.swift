package import SluiceDiagnostics
package import SluiceJSON
internal import SluiceModel

/// One remote collection.
package struct StreamDefinition: Sendable {
    /// How a page's body is read.
    package enum Format: String, Sendable, CaseIterable {
        /// One JSON value.
        case json
        /// One JSON value per line.
        case jsonl
        /// Rows of cells with commas between them, the first of which names the others' keys. See: RFC 4180.
        case csv
        /// The same with tabs.
        case tsv

        /// Whether it has rows of cells, each cell a text.
        package var hasRows: Bool { self == .csv || self == .tsv }
        /// Whether it has a record on each line rather than one value with an end of its own.
        package var hasLines: Bool { self != .json }
    }

    /// What stands between the cells of a row.
    package enum Delimiter: String, Sendable, CaseIterable {
        case comma = ","
        case semicolon = ";"
        case bar = "|"
        case tab

        /// The byte that it is.
        package var byte: UInt8 { self == .tab ? 0x09 : rawValue.utf8.first ?? 0x2C }
    }

    /// The name, unique within the pipeline.
    package var name: String
    /// Where it begins in the file; nil where no file has it.
    package var place: SourceLocation?
    /// The name that it had before, nil where it had none.
    package var renamedFrom: String?
    /// The name of the entity that its records are.
    package var entity: String
    /// The request's path, resolved against the base URL; for a `file:` source a path or glob within the folder, or nil
    /// for the base URL itself.
    package var path: ConfigurationText?
    /// Query parameters, in the order of the file, the source's own before the stream's.
    package var parameters: [NamedText]
    /// Request headers, the source's own before the stream's.
    package var headers: [NamedText]
    /// How a page's body is read.
    package var format: Format
    /// What stands between the cells of CSV; nil for what the format says.
    package var delimiter: Delimiter?
    /// The path to the records; nil is `$[*]` for an array and `$` for an object.
    package var records: JSONPath?
    /// The key that each member's name becomes, where the records are the members of an object.
    package var entries: String?
    /// How the next page is found.
    package var paginator: Paginator
    /// What happens to records that the source no longer has.
    package var deleteMissing: DeleteRule

    /// The method of the requests.
    package var method = Method.get
    /// What the requests send; nil for nothing.
    package var body: Body?
    /// How large pages are, and how many are read.
    package var pageLimits = PageLimits()
    /// The jq program over a page that yields its records, in the stead of ``records``.
    package var recordsProgram: String?
    /// The jq program over a record that must be true for it to be kept.
    package var filter: String?
    /// The jq program over a record that is true where the source deleted it.
    package var deletedWhen: String?
    /// Whether all that it lists are deletions.
    package var listsDeletionsAlone: Bool { deletedWhen?.split(whereSeparator: \.isWhitespace) == ["true"] }
    /// Whether rows stay whose deletion nobody told, since the stream is read without the token or the cursor of before.
    package var missesDeletions: Bool { deleteMissing.mode == .ignore && !listsDeletionsAlone }
    /// How records get into the table.
    package var writeMode = WriteMode.merge
    /// How it asks for what changed since the last run; nil where it asks for everything.
    package var incremental: IncrementalRule?
    /// How it asks for changes by a token; nil where it does not.
    package var syncToken: SyncToken?
    /// Which of several records with the same key counts.
    package var onDuplicate = DuplicateRule.last
    /// Whether somebody decided that, rather than nobody having thought of it.
    package var decidesDuplicates = false
    /// What happens where the source sends something else than the fields say.
    package var schemaContract = SchemaContract()
    /// The stream whose records it asks for, one after the other; nil for none.
    package var parent: Parent?
    /// The lists of texts that it asks for, one combination after the other; empty for none.
    package var items: [ItemList] = []
    /// Whether several workers of a store may read its partitions.
    package var isSpread = false
    /// The lists within its records that may have more than the records show.
    package var nested: [NestedList] = []

    /// A hash of what the file says of the stream's requests and of which records they bring, by which other requests
    /// are told; empty where there is no file.
    package var requestFingerprint = ""
    /// The texts of what it is a hash of that variables fill in, but for credentials: of those the hash holds the
    /// variables' places alone.
    package var requestValues: [ConfigurationText] = []
    /// The same as earlier versions made it, of the names as well.
    package var earlierRequestFingerprint = ""
    /// The same with how the pipeline proves who is asking, by which a stream is known under another name of its pipeline.
    package var sourceFingerprint = ""
    /// A hash of what the file says of which records there are and what is kept of them, by which how far the stream was
    /// read is known to hold still; empty where there is no file.
    package var contentFingerprint = ""
    /// The same in its parts, by which a change is told that concerns records of others alone.
    package var content = ContentDefinition()

    /// A hash of what the file says of how a record becomes rows, by which another mapping is told; empty where there is no
    /// file.
    package var mappingFingerprint = ""

    /// Whether requests are the stream's, by what was ``requestFingerprint`` then.
    package func asks(by fingerprint: String) -> Bool {
        fingerprint == requestFingerprint || fingerprint == earlierRequestFingerprint
    }

    /// Makes a stream with the defaults of the pipeline file.
    package init(
        name: String, entity: String, path: ConfigurationText? = nil, parameters: [NamedText] = [],
        headers: [NamedText] = [], format: Format = .json, records: JSONPath? = nil, entries: String? = nil,
        paginator: Paginator = .none, deleteMissing: DeleteRule = DeleteRule()
    ) {
        self.name = name
        self.entity = entity
        self.path = path
        self.parameters = parameters
        self.headers = headers
        self.format = format
        self.records = records
        self.entries = entries
        self.paginator = paginator
        self.deleteMissing = deleteMissing
    }
}
