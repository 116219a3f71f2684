internal import SluiceDecode
internal import SluiceJSON
internal import SluiceModel
internal import SluicePages
package import SluicePipeline
internal import SluiceSystem

/// What identifies the records of an import.
package enum ImportIdentity: Sendable, Equatable {
    /// Fields, by their names.
    case fields([String])
    /// A hash of all values.
    case content
}

/// The pipeline of an import: what a person would have written for it.
package enum ImportPipeline {
    /// Puts a pipeline together.
    ///
    /// - Parameters:
    ///   - source: The source.
    ///   - inspection: What was found in it.
    ///   - table: The table to fill.
    ///   - identity: What identifies the records.
    /// - Returns: The pipeline, whose `file` is the source's name.
    package static func make(
        source: ImportSource, inspection: ImportInspection, table: String,
        identity: ImportIdentity
    ) -> PipelineDefinition {
        var key: [String] = []
        if case .fields(let names) = identity { key = names }
        var entity = EntityDefinition(
            name: entityName(table), table: table, primaryKey: key,
            fields: inspection.fields.map { field in
                FieldDefinition(
                    name: field.name, column: field.name, origin: .path(field.path),
                    // A binary fraction has no one form that could identify a record.
                    type: key.contains(field.name) && field.type == .double ? .decimal : field.type,
                    isRequired: key.contains(field.name), format: field.format)
            })
        if identity == .content { entity.useContentKey() }
        var stream = StreamDefinition(name: streamName(table), entity: entity.name, path: source.path)
        stream.headers = source.request?.headers ?? []
        if let request = source.request { (stream.path, stream.parameters) = request.place() }
        // What the whole source was looked at for has its fields; only a sample may have missed keys.
        stream.schemaContract.fields = inspection.isPartial ? .report : .ignore
        (stream.format, stream.delimiter) = (inspection.place.format, inspection.place.delimiter)
        stream.records = inspection.place.path
        stream.entries = inspection.place.entries
        if case .http = source.definition.base { stream.paginator = source.paginator }
        source.request?.ask(&stream)
        return PipelineDefinition(
            name: name(of: table), file: source.fetched.pages.first?.name ?? "", source: source.definition,
            entities: [entity], streams: [stream])
    }

    /// The pipeline before anything is known of its records.
    ///
    /// - Parameter table: The table to fill.
    /// - Returns: The pipeline, which has no stream yet.
    package static func empty(table: String) -> PipelineDefinition {
        PipelineDefinition(
            name: name(of: table), file: "", source: SourceDefinition(base: .file("/")), entities: [], streams: [])
    }

    /// The table of a file or URL: the last part of its path in snake_case; nil where it has none.
    package static func table(for place: ImportSource.Place) -> String? {
        let path: Substring
        switch place {
        case .stream: return nil
        case .file(let file): path = file[...]
        case .url(let url):
            let rest = url.prefix { $0 != "?" && $0 != "#" }
            guard let slashes = rest.firstRange(of: "//") else { return nil }
            path = rest[slashes.upperBound...].drop { $0 != "/" }
        }
        var parts = path.split(separator: "/")
        // The number at the end of a URL says which record it is, not what.
        if case .url = place, parts.count > 1, parts.last?.allSatisfy(\.isNumber) == true { parts.removeLast() }
        guard var name = parts.last else { return nil }
        for ending in [".gz", ".json", ".jsonl", ".ndjson", ".csv", ".tsv"] where name.lowercased().hasSuffix(ending) {
            name = name.dropLast(ending.count)
        }
        let table = ColumnNames.snakeCase(String(name))
        return table == "field" || isReserved(table) ? nil : table
    }

    /// Whether a table is kept for the store or the database.
    package static func isReserved(_ table: String) -> Bool {
        let folded = table.lowercased()
        return folded.hasPrefix("_sluice_") || folded.hasPrefix("sqlite_")
    }

    // MARK: Names that pipeline files allow

    private static func ascii(_ text: String, _ other: Character) -> String {
        String(text.lowercased().map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : other })
    }

    /// The words of a table's name, and where they do not say all of it, so that another table has the same, a mark of
    /// the whole name.
    private static func words(of table: String) -> [String] {
        let words = ascii(table, " ").split(separator: " ").map(String.init)
        if words.joined(separator: "_") == table.lowercased() { return words }
        let mark = String(FieldDigest.text(Array(table.lowercased().utf8)) & 0xFFFF_FFFF, radix: 16)
        return (words.isEmpty ? ["import"] : words) + [mark]
    }

    /// The name of the pipeline that fills a table.
    package static func name(of table: String) -> String { words(of: table).joined(separator: "-") }

    package static func streamName(_ table: String) -> String { words(of: table).joined(separator: "_") }

    package static func entityName(_ table: String) -> String {
        let words = ascii(table, " ").split(separator: " ")
        let name = words.map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
        return name.first.map(\.isLetter) == true ? name : "Record" + name
    }
}
