internal import SluiceJSON
internal import SluiceModel

/// Writes a pipeline as the YAML text that ``PipelineLoader`` reads it from.
///
/// It writes what an import or a probe makes of a source: files or URLs, methods, parameters, headers, bodies of JSON,
/// streams with format, records, entries and paginator, and entities with paths and types; and of a pipeline for tables
/// that are there unique groups, defaults, references of one column and those to several records too. A secret is not written: a reference to an
/// environment variable takes its place.
package struct PipelineWriter {
    private let pipeline: PipelineDefinition
    private let notes: PipelineNotes
    /// The folder that the text will be in, from the root.
    private let folder: String
    private let taken: Set<String>
    /// The environment variables that the text refers to, with what they are for.
    package private(set) var variables: [(name: String, header: String)] = []
    /// The text.
    package private(set) var text = ""

    /// Writes a pipeline.
    ///
    /// - Parameters:
    ///   - pipeline: The pipeline.
    ///   - file: The path that the text will have.
    ///   - notes: Comments for people.
    ///   - taken: The environment variables that hold secrets of other sources.
    package init(
        _ pipeline: PipelineDefinition, file: String, notes: PipelineNotes = PipelineNotes(),
        avoiding taken: Set<String> = []
    ) {
        self.pipeline = pipeline
        self.notes = notes
        self.taken = taken
        folder = FilePath.folder(of: FilePath.absolute(file))
        write(notes.comment, indent: "")
        writeHead()
        writeEntities()
        writeStreams()
    }

    private mutating func writeHead() {
        text += "version: 1\nname: \(pipeline.name)\n"
        if let description = pipeline.description { text += "description: \(Self.scalar(description))\n" }
        if let store = pipeline.store { text += "store: \(Self.scalar(storeText(store)))\n" }
        text += "source:\n"
        write(notes.source, indent: "  ")
        switch pipeline.source.base {
        case .http(let url): text += "  base_url: \(Self.scalar(url.revealed))\n"
        case .file(let base):
            let isBeside = pipeline.streams.allSatisfy { isBelowFolder(FilePath.join(base, $0.path?.revealed ?? "")) }
            text += "  base_url: \(Self.scalar(isBeside ? "file:." : "file:/"))\n"
        }
        if let bearer = bearerHeader {
            text += "  auth: {type: bearer, token: \(value(of: bearer, withScheme: false))}\n"
        }
        let standard = SourceDefinition(base: pipeline.source.base)
        if pipeline.source.maximumResponseBytes != standard.maximumResponseBytes {
            text += "  max_response: \(Self.size(pipeline.source.maximumResponseBytes))\n"
        }
    }

    private mutating func writeEntities() {
        text += "entities:\n"
        for entity in pipeline.entities {
            text += "  \(entity.name):\n"
            write(notes.entities[entity.name] ?? [], indent: "    ")
            text += "    table: \(Self.scalar(entity.table))\n"
            let key = "[\(entity.primaryKey.map { Self.scalar($0) }.joined(separator: ", "))]"
            text += "    primary_key: \(entity.hasContentKey ? "content" : key)\n"
            if !entity.unique.isEmpty { text += "    unique: \(Self.groups(entity.unique))\n" }
            text += "    fields:\n"
            for field in entity.fields where !field.isContentKey {
                let note = notes.fields[entity.name]?[field.name].map { "  # \($0)" } ?? ""
                text += "      \(Self.key(field.name)): \(Self.field(field, of: entity))\(note)\n"
            }
        }
    }

    private mutating func writeStreams() {
        text += "streams:\n"
        for (index, stream) in pipeline.streams.enumerated() {
            text += "  - name: \(stream.name)\n    entity: \(stream.entity)\n"
            if stream.method != .get { text += "    method: \(stream.method.rawValue)\n" }
            if let path = path(of: stream) { text += "    path: \(Self.scalar(path))\n" }
            let headers = bearerHeader == nil ? stream.headers : stream.headers.filter { !$0.isBearer }
            for (key, texts) in [("params", stream.parameters), ("headers", headers)] where !texts.isEmpty {
                text += "    \(key):\n"
                for one in texts { text += "      \(Self.key(one.name)): \(value(of: one))\n" }
            }
            if let body = stream.body.flatMap(Self.body) { text += "    body: \(body)\n" }
            if stream.format != .json { text += "    format: \(stream.format.rawValue)\n" }
            if let delimiter = stream.delimiter {
                text += "    delimiter: \(Self.quoted(delimiter.rawValue))\n"
            }
            if let records = stream.records { text += "    records: \(Self.scalar(records.text))\n" }
            if let entries = stream.entries { text += "    entries: \(Self.scalar(entries))\n" }
            if let paginator = Self.paginator(of: stream) { text += "    paginator: \(paginator)\n" }
            if let rule = stream.incremental { text += "    incremental: \(Self.incremental(rule))\n" }
            if index == 0 { write(notes.stream, indent: "    ") }
        }
    }

    private mutating func write(_ comment: [String], indent: String) {
        for line in comment { text += "\(indent)# \(line)\n" }
    }

    // MARK: Places

    private func isBelowFolder(_ path: String) -> Bool {
        path.hasPrefix(folder == "/" ? "/" : folder + "/")
    }

    private func path(of stream: StreamDefinition) -> String? {
        guard case .file(let base) = pipeline.source.base else { return stream.path?.revealed }
        let whole = FilePath.join(base, stream.path?.revealed ?? "")
        let isBeside = pipeline.streams.allSatisfy { isBelowFolder(FilePath.join(base, $0.path?.revealed ?? "")) }
        return String(whole.dropFirst(isBeside && folder != "/" ? folder.count + 1 : 1))
    }

    private func storeText(_ store: String) -> String {
        let scheme = "sqlite:"
        guard store.hasPrefix(scheme) else { return store }
        let path = FilePath.absolute(String(store.dropFirst(scheme.count)))
        // A store that stands above or below the file goes along with it where their folder is moved.
        let isAbove = isWithin(folder, FilePath.folder(of: path))
        let isNear = folder != "/" && (isBelowFolder(path) || isAbove)
        return StorePathText.url(of: isNear ? FilePath.relative(path, to: folder) : path)
    }

    private func isWithin(_ path: String, _ folder: String) -> Bool {
        folder != "/" && (path == folder || path.hasPrefix(folder + "/"))
    }

    // MARK: Values

    /// The header by which all streams say who asks, with a token that is secret: files have it as `auth` of the source.
    private var bearerHeader: NamedText? {
        guard case .none = pipeline.source.authentication, let first = pipeline.streams.first else { return nil }
        let headers = first.headers.filter(\.isBearer)
        guard headers.count == 1, let header = headers.first else { return nil }
        let isOfAll = pipeline.streams.allSatisfy { stream in
            stream.headers.filter(\.isBearer).map(\.value.revealed) == [header.value.revealed]
        }
        return isOfAll ? header : nil
    }

    private mutating func value(of header: NamedText, withScheme: Bool = true) -> String {
        if header.value.parts.contains(where: { $0.variable != nil }) {
            return Self.quoted(header.value.parts.reduce(into: "") { $0 += Self.text(of: $1) })
        }
        guard header.value.isSecret else { return Self.scalar(header.value.revealed) }
        let name = header.value.environmentVariable ?? variableName(header.name)
        if !variables.contains(where: { $0.name == name }) { variables.append((name, header.name)) }
        let open = withScheme ? header.value.parts.prefix { !$0.isSecret }.map(\.text).joined() : ""
        return Self.quoted(Self.escapingReferences(open) + "${env:\(name)}")
    }

    /// A name of its own for the variable that holds a secret.
    private func variableName(_ text: String) -> String {
        let taken = taken.union(variables.map(\.name))
        let name = Self.variableName(text)
        if !taken.contains(name) { return name }
        let own = Self.variableName("\(pipeline.name)_\(text)")
        if self.taken.contains(name), !taken.contains(own) { return own }
        return (2...).lazy.map { "\(name)_\($0)" }.first { !taken.contains($0) } ?? name
    }

    private static func variableName(_ text: String) -> String {
        let name = text.uppercased().map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : Character("_") }
        return (name.first?.isNumber == true ? "_" : "") + String(name)
    }

    /// Groups of names as a list of lists.
    private static func groups(_ groups: [[String]]) -> String {
        let lists = groups.map { "[" + $0.map { scalar($0) }.joined(separator: ", ") + "]" }
        return "[" + lists.joined(separator: ", ") + "]"
    }
}

extension NamedText {
    /// Whether it is the header of a bearer token that is secret.
    fileprivate var isBearer: Bool {
        guard name.lowercased() == "authorization", value.parts.count == 2,
            value.parts.allSatisfy({ $0.variable == nil })
        else { return false }
        return value.parts[0].text.lowercased() == "bearer " && !value.parts[0].isSecret && value.parts[1].isSecret
    }
}
