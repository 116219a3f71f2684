internal import SluiceModel
internal import SluiceStore

/// Indexes and views that the store made for the tables that pipelines fill.
extension StoreChecker {
    /// The tables that are there, each once with the pipeline of a mapping that fills it.
    private func filled(_ known: [Known]) throws -> [(table: String, pipeline: String)] {
        var names: Set<String> = []
        return try known.compactMap { known in
            guard names.insert(known.table.lowercased()).inserted, try database.object(known.table) == .table else {
                return nil
            }
            return (known.table, known.mapping.pipeline)
        }
    }

    /// Views of conflicts that are missing, or of which is not known whose they are.
    func viewFindings(_ known: [Known]) throws -> [StoreFinding] {
        try filled(known).compactMap { table, pipeline in
            let view = ConflictView(database: database, table: table)
            let isThere = try database.object(view.name) == .view
            switch (try view.isMade(), isThere) {
            case (true?, false):
                return StoreFinding(
                    .indexes, table: table, count: 1, message: "The view `\(view.name)` of `\(table)` is missing.",
                    remedy: "The next run of `\(pipeline)` makes it anew.")
            case (nil, true):
                return StoreFinding(
                    .indexes, table: table, count: 1,
                    message: "It is not noted whether the view `\(view.name)` of `\(table)` is the store's own.",
                    remedy: "Drop it, unless it is yours; the next run of `\(pipeline)` makes it anew.")
            default: return nil
            }
        }
    }

    /// Indexes of these tables that are missing: unique ones that runs made, and those by which rows are found that refer
    /// to others.
    func indexFindings(_ known: [Known]) throws -> [StoreFinding] {
        try filled(known).flatMap { table, pipeline in
            try uniqueFindings(table, pipeline) + referenceIndexFindings(known, table, pipeline)
        }
    }

    private func uniqueFindings(_ table: String, _ pipeline: String) throws -> [StoreFinding] {
        let indexes = try database.indexes(of: table)
        let columns = try Set(database.columnNames(of: table))
        let prefix = table + "/"
        return try registry.entries("index", prefix: prefix).compactMap { entry in
            let wanted = Set((EntityRegistry.lists(entry.value).first ?? []).map { $0.lowercased() })
            // Of a column that is gone no index can be.
            if wanted.isEmpty || !wanted.isSubset(of: columns) { return nil }
            if indexes.contains(where: { $0.isUnique && Set($0.columns) == wanted }) { return nil }
            let name = String(decoding: entry.name.utf8.dropFirst(prefix.utf8.count), as: UTF8.self)
            return StoreFinding(
                .indexes, table: table, count: 1,
                message: "The unique index `\(name)` of `\(table)` is missing, so that values may be double.",
                remedy: "The next run of `\(pipeline)` makes it anew, and names the rows that stand against it.")
        }
    }

    /// People may drop these: runs are slower until the next one makes them anew.
    private func referenceIndexFindings(_ known: [Known], _ table: String, _ pipeline: String) throws -> [StoreFinding]
    {
        var found: [StoreFinding] = []
        for reference in try registry.references() where ColumnName.areSame(reference.table, table) {
            let place = reference.link?.table ?? table
            let columns = reference.link?.targetColumns ?? reference.columns
            let wanted = Set(columns.map { $0.lowercased() })
            // The key of a table is an index of it, whether the database lists it or not.
            let key = try database.columns(of: place).filter { $0.keyPosition > 0 }
                .sorted { $0.keyPosition < $1.keyPosition }.map { $0.name.lowercased() }
            let heads = try [key] + database.indexes(of: place).filter(\.isWhole).map(\.columns)
            if heads.contains(where: { Set($0.prefix(wanted.count)) == wanted }) { continue }
            found.append(
                StoreFinding(
                    .indexes, .note, table: place, count: 1,
                    message:
                        "No index of `\(place)` begins with \(columns.joined(separator: ", ")), by which `\(reference.name)` refers.",
                    remedy: "The next run of `\(pipeline)` makes one."))
        }
        return found
    }
}
