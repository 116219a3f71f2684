internal import SluiceMerge
public import SluicePipeline

extension SourceProbe {
    /// The pipeline that reads the source as it was found.
    ///
    /// - Parameters:
    ///   - table: The table to fill.
    ///   - identity: What identifies the records; nil for what was found.
    /// - Returns: A pipeline that ``PipelineWriter`` can write.
    public func pipeline(table: String, identity: ImportIdentity? = nil) -> PipelineDefinition {
        var definition = source.definition
        // As much again as was seen is within the limit that holds without the key.
        if largestPage > definition.maximumResponseBytes / 2 {
            definition.maximumResponseBytes = ImportSource.maximumResponseBytes
        }
        var pipeline = ImportPipeline.make(
            source: ImportSource(place: .url(""), definition: definition, fetched: FetchedPages()),
            inspection: inspection, table: table, identity: identity ?? self.identity)
        pipeline.streams[0].path = source.path
        pipeline.streams[0].parameters = source.parameters
        pipeline.streams[0].headers = source.headers
        pipeline.streams[0].paginator = paginator
        pipeline.streams[0].schemaContract = SchemaContract()
        return pipeline
    }

    /// What the pipeline's file says of itself, line by line.
    ///
    /// - Parameter key: What identifies the records where a person said so.
    public func comment(key asked: ImportIdentity? = nil) -> [String] {
        var lines = [
            "Written by `sluice probe`, which read \(pages == 1 ? "1 page" : "\(pages) pages"), to be looked through."
        ]
        for (name, finding) in findings(key: asked) {
            lines.append("\(name) (\(finding.certainty.rawValue)): \(finding.text)")
            lines += finding.evidence.map { "  \($0)" }
        }
        return lines.map(Self.line)
    }

    /// What the stream says of keys that a person may want to add.
    public var notes: [String] {
        var notes: [String] = []
        if let paginatorNote { notes.append("No paginator: \(paginatorNote).") }
        if let cursor {
            let initial =
                cursor.field.type == .int ? "0" : cursor.field.type == .date ? "2020-01-01" : "2020-01-01T00:00:00Z"
            notes.append("Where the source takes a parameter for \"changed since\", this asks for changes alone:")
            notes.append("params: {since: \"{{ cursor.start }}\"}")
            notes.append("incremental: {cursor_field: \(cursor.field.name), initial_value: \(initial)}")
        }
        return notes.map(Self.line)
    }

    /// The findings with their names, in the order in which people want them.
    ///
    /// - Parameter key: What identifies the records where a person said so.
    public func findings(key asked: ImportIdentity? = nil) -> [(name: String, finding: ProbeFinding)] {
        let key =
            asked.map { identity in
                if case .fields(let names) = identity {
                    ProbeFinding(names.joined(separator: ", "), .certain, ["as asked for"])
                } else {
                    ProbeFinding("content", .certain, ["a hash of all values, as asked for"])
                }
            } ?? self.key
        var findings = [("records", records), ("key", key), ("paginator", pagination)]
        findings.append(
            (
                "incremental",
                cursor?.finding ?? ProbeFinding("no field", .unsure, ["no field grows by its name and type"])
            ))
        findings.append(("fields", types))
        return findings.map { (name: $0.0, finding: $0.1) }
    }

    /// A text on one line: a source's own words must not end a comment.
    private static func line(_ text: String) -> String {
        String(
            String.UnicodeScalarView(
                text.unicodeScalars.map { scalar in
                    switch scalar.properties.generalCategory {
                    case .control, .lineSeparator, .paragraphSeparator, .format: " "
                    default: scalar
                    }
                }))
    }
}
