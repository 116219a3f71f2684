internal import SluiceDecode
internal import SluiceDiagnostics
internal import SluiceFetch
internal import SluiceModel
internal import SluicePages
package import SluicePipeline

extension SourceProbe {
    /// The pipeline that reads the source as it was found.
    ///
    /// - Parameters:
    ///   - table: The table to fill.
    ///   - identity: What identifies the records; nil for what was found.
    /// - Returns: A pipeline that ``PipelineWriter`` can write.
    package func pipeline(table: String, identity: ImportIdentity? = nil) -> PipelineDefinition {
        var definition = source.definition
        // As much again as was seen is within the limit that holds without the key.
        if largestPage > definition.maximumResponseBytes / 2 {
            definition.maximumResponseBytes = ProbeSource.maximumResponseBytes
        }
        var pipeline = ImportPipeline.make(
            source: ImportSource(place: .url(""), definition: definition, fetched: FetchedPages()),
            inspection: inspection, table: table, identity: identity ?? self.identity)
        (pipeline.streams[0].path, pipeline.streams[0].parameters) = place
        if let since {
            let start = ConfigurationText.Part("cursor.start", variable: TemplateVariable(.cursorStart))
            pipeline.streams[0].parameters.append(
                NamedText(name: since.name, value: ConfigurationText(parts: [start])))
            pipeline.streams[0].incremental = since.rule
        }
        pipeline.streams[0].headers = source.headers
        pipeline.streams[0].paginator = paginator
        source.ask(&pipeline.streams[0])
        pipeline.streams[0].schemaContract = SchemaContract()
        return pipeline
    }

    /// What the pipeline's file says of itself, line by line.
    ///
    /// - Parameter asked: What identifies the records where a person said so.
    /// - Returns: Lines without their marks.
    package func comment(key asked: ImportIdentity? = nil) -> [String] {
        var lines = [
            "Written by Sluice from \(Plural.of(pages, "page")) of the source. Review it before the first run."
        ]
        for (name, finding) in findings(key: asked) {
            lines.append("\(name) (\(finding.certainty.rawValue)): \(finding.text)")
            lines += finding.evidence.map { "  \($0)" }
        }
        return lines.map(\.onOneLine)
    }

    /// What the stream says of keys that a person may want to add.
    package var notes: [String] {
        var notes: [String] = []
        if let paginatorNote { notes.append("No paginator: \(paginatorNote.withoutStop).") }
        if let usualLength { notes += ImportSource.notes(usual: usualLength) }
        if let syncToken, since == nil {
            notes.append("The source gives a token at the end, by which the next run can ask for changes alone:")
            notes.append(syncToken.yaml)
            notes.append("Sources list deleted records among the changes: `deleted_when` finds them.")
        } else if let cursor, since == nil {
            let initial =
                cursor.field.type == .int ? "0" : cursor.field.type == .date ? "2020-01-01" : "2020-01-01T00:00:00Z"
            notes.append("Where the source takes a parameter for \"changed since\", this asks for changes alone:")
            let isAlone = place.parameters.isEmpty
            notes.append((isAlone ? "params: {" : "in params, {") + "since: \"{{ cursor.start }}\"}")
            notes.append("incremental: {cursor_field: \(cursor.field.name), initial_value: \(initial)}")
        }
        if let path = source.place().path?.revealed, let parent = ParentPath(path) {
            notes += parent.notes.map { $0.hiding(source.secrets) }
        }
        return notes.map(\.onOneLine)
    }

    /// The path and the parameters of the stream, without the parameter that a cursor takes the place of.
    private var place: (path: ConfigurationText?, parameters: [NamedText]) {
        source.place(without: since.map { [$0.name] } ?? [])
    }

    /// The parameter of the URL that asks for what changed since a time, and the rule that goes with it.
    private var since: (name: String, rule: IncrementalRule)? {
        guard let cursor, cursor.finding.certainty != .unsure else { return nil }
        for (name, value) in source.query {
            let words = NameWords.of(name)
            let isBound = words.contains { ["after", "from", "gt", "gte", "min", "start"].contains($0) }
            guard words.contains("since") || isBound && !CursorFieldSearch.changed.isDisjoint(with: words),
                CursorRange.point(value, cursor.field.type) != nil,
                // A day alone is a time of no zone.
                cursor.field.type != .datetime || value.contains("T")
            else { continue }
            var rule = IncrementalRule(field: cursor.field.name)
            rule.initialJSON = cursor.field.type == .int ? value : FieldJSON.quoted(value)
            return (name, rule)
        }
        return nil
    }

    private var incremental: ProbeFinding {
        if let syncToken, since == nil { return syncToken.finding.hiding(source.secrets) }
        guard var finding = cursor?.finding else {
            let search = CursorFieldSearch(fields: inspection.fields, records: inspection.records)
            let spelled = search.spelledTimes.map { "`\($0)` is named so, and is a text as long as it has no `format`" }
            return ProbeFinding(
                "no field", .likely, ["no date or number is named as one that grows"] + spelled)
        }
        if let since { finding.evidence.append("the URL asks with `\(since.name)`, which becomes {{ cursor.start }}") }
        return finding
    }

    /// The findings with their names, in the order in which people want them.
    ///
    /// - Parameter asked: What identifies the records where a person said so.
    /// - Returns: The names, which are keys of a pipeline, and the findings.
    package func findings(key asked: ImportIdentity? = nil) -> [(name: String, finding: ProbeFinding)] {
        let key = asked.map(finding) ?? self.key
        var findings = [("records", records), ("key", key), ("paginator", pagination)]
        findings.append(("incremental", incremental))
        findings.append(("fields", types))
        return findings.map { (name: $0.0, finding: $0.1) }
    }

    /// What is to be said of a key that was asked for: it is certain unless records speak against it.
    private func finding(of asked: ImportIdentity) -> ProbeFinding {
        guard case .fields(let names) = asked else {
            return ProbeFinding("content", .certain, ["a hash of all values, as asked for"])
        }
        let doubts = keyed.doubts(about: names)
        return ProbeFinding(
            names.joined(separator: ", "), doubts.isEmpty ? .certain : .unsure, ["as asked for"] + doubts)
    }
}

extension String {
    /// The text on one line: a source's own words must not end a comment.
    var onOneLine: String {
        String(
            String.UnicodeScalarView(
                unicodeScalars.map { scalar in
                    switch scalar.properties.generalCategory {
                    case .control, .lineSeparator, .paragraphSeparator, .format: " "
                    default: scalar
                    }
                }))
    }

    /// The text without the stop at its end.
    var withoutStop: String { hasSuffix(".") ? String(dropLast()) : self }
}
