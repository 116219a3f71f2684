package import SluiceModel

/// References, so that what dangles and what waits can be settled without the pipelines' files.
///
///     kind        name                        value
///     reference   shop/books/Book/author      defer ⇥ people ⇥ id ⇥ author_id ⇥ ⇥ ⇥
///     reference   shop/books/Book/labels      stub ⇥ labels ⇥ id ⇥ labels ⇥ book_labels ⇥ book_id ⇥ label_id
///
/// Several columns of one kind have a line feed between them.
extension EntityRegistry {
    /// A reference with the tables that it joins.
    package struct Reference: Equatable {
        /// What fills the owner's table.
        package var mapping: String
        /// The owner's table.
        package var table: String
        /// The columns of the owner's key.
        package var keyColumns: [String]
        /// The fields of the owner's key.
        package var keyFields: [String]
        package var name: String
        package var rule: RecordReference.DanglingRule
        package var target: String
        package var targetColumns: [String]
        /// The columns that hold it; the name of the field where it has a table.
        package var columns: [String]
        package var link: RecordLink?
        /// Whether a program's model needs what it leads to, so that it is never taken away.
        package var isRequired = false

        /// Whether programs' models alone say it, and no source fills it.
        package var isOfModelAlone: Bool { mapping.isEmpty }

        /// Whether it is part of the owner's key, so that it cannot be null.
        package var isInKey: Bool {
            let keys = Set(keyColumns.map { $0.lowercased() })
            return link == nil && columns.contains { keys.contains($0.lowercased()) }
        }

        /// Whether a foreign key of a table stands for it, or for what its table of links begins with.
        func holds(_ key: SQLForeignKey, of name: String) -> Bool {
            func isSame(_ columns: [String]) -> Bool {
                Set(columns.map { $0.lowercased() }) == Set(key.columns.map { $0.lowercased() })
            }
            guard let link else { return ColumnName.areSame(table, name) && isSame(columns) }
            return ColumnName.areSame(link.table, name) && (isSame(link.ownerColumns) || isSame(link.targetColumns))
        }

        /// Whether it is one of a mapping.
        func isOf(_ schema: RecordSchema) -> Bool { mapping == EntityRegistry.name(schema.source) }

        /// What tells two references apart: where their values stand.
        var place: [String] { ([link?.table ?? table] + (link == nil ? columns : [])).map { $0.lowercased() } }
    }

    /// All references of the store, those of one place once, by mapping and name, and behind them those that programs' models
    /// alone say.
    package func references() throws -> [Reference] {
        let models = try modelReferences()
        var known: Set<[String]> = []
        let sourced = try allReferences().filter { known.insert($0.place).inserted }.map { reference in
            var reference = reference
            if [.defer, .setNull].contains(reference.rule) && !reference.isInKey {
                reference.isRequired = models.contains { $0.isRequired && $0.place == reference.place }
            }
            return reference
        }
        return sourced + models.filter { known.insert($0.place).inserted }
    }

    /// All references of the store: of a table that several mappings fill those of each.
    func allReferences() throws -> [Reference] {
        var found: [Reference] = []
        for entry in try entries("reference") {
            guard let reference = try reference(entry) else { continue }
            // The table may be gone, and the reference with it.
            let columns = try database.columnNames(of: reference.link?.table ?? reference.table)
            let wanted = reference.link.map { $0.ownerColumns + $0.targetColumns } ?? reference.columns
            guard wanted.allSatisfy({ columns.contains($0.lowercased()) }) else { continue }
            found.append(reference)
        }
        return found
    }

    /// The mappings of the same stream whose records belong to those of another one.
    package func children(of mapping: RecordMapping) throws -> [RecordMapping] {
        guard let owner = try tables(of: Self.name(mapping)) else { return [] }
        return try allReferences().filter {
            $0.rule == .owner && $0.target.lowercased() == owner.table.lowercased()
        }.compactMap { Self.mapping($0.mapping) }.filter {
            $0.pipeline == mapping.pipeline && $0.stream == mapping.stream
        }
    }

    /// The references of a mapping, with the positions of their fields in its slots.
    package func references(of mapping: String, fields: [RecordSchema.Field]) throws -> [RecordReference] {
        var found: [RecordReference] = []
        for reference in try references(of: mapping) + leftLinks(of: mapping) {
            let positions = reference.columns.compactMap { name in
                fields.firstIndex { $0.column.lowercased() == name.lowercased() }
            }
            if positions.count != reference.columns.count { continue }
            found.append(
                RecordReference(
                    name: reference.name, fields: positions, target: reference.target,
                    targetColumns: reference.targetColumns, link: reference.link, onDangling: reference.rule))
        }
        return found
    }

    private func references(of mapping: String) throws -> [Reference] {
        try entries("reference", prefix: mapping + "/").compactMap { try reference($0) }
    }

    /// The names of the fields of a mapping that have a table of their own.
    package func links(of mapping: String) throws -> Set<String> {
        Set(try references(of: mapping).filter { $0.link != nil }.map(\.name))
    }

    /// The references by links of fields that the pipeline no longer has.
    func leftLinks(of mapping: String) throws -> [Reference] {
        let known = try entries(Self.leftKind, prefix: mapping + "/")
        if known.isEmpty { return [] }
        let given = try leftFields(of: mapping)
        return try known.filter { given.contains($0.name) }.compactMap { try reference($0) }.filter { reference in
            // What people did to a table that they renamed or changed is out of sight.
            guard let link = reference.link else { return false }
            let columns = try database.columnNames(of: link.table)
            return (link.ownerColumns + link.targetColumns).allSatisfy { columns.contains($0.lowercased()) }
        }
    }

    /// The names of the entries of link fields that the pipeline no longer has.
    private func leftFields(of mapping: String) throws -> Set<String> {
        Set(
            try slots(of: mapping).filter { $0.isGivenUp && !$0.isRetired && $0.isLink }
                .map { "\(mapping)/\($0.field)" })
    }

    /// Writes the references of a mapping, where they are not known as they are.
    func record(_ references: [RecordReference], schema: RecordSchema, of mapping: String) throws {
        let names = Set(references.map { "\(mapping)/\($0.name)" })
        let left = try leftFields(of: mapping)
        let links = Set(references.filter { $0.link != nil }.map { "\(mapping)/\($0.name)" })
        for entry in try entries(Self.leftKind, prefix: mapping + "/") where !left.contains(entry.name) {
            // The field is back, maybe as another one.
            try removeLeft(entry.name, isBack: links.contains(entry.name))
        }
        for entry in try entries("reference", prefix: mapping + "/") where !names.contains(entry.name) {
            try remove("reference", entry.name)
            // What people do to links that stay is to be seen.
            if left.contains(entry.name) { try put(Self.leftKind, entry.name, entry.value) }
        }
        for reference in references {
            let columns = reference.fields.map { schema.fields[$0].column }
            let parts = [
                [reference.onDangling.rawValue], [reference.target], reference.targetColumns, columns,
                [reference.link?.table ?? ""], reference.link?.ownerColumns ?? [], reference.link?.targetColumns ?? [],
            ]
            try put("reference", "\(mapping)/\(reference.name)", Self.value(parts))
        }
    }

    /// Forgets where the links of a field were left.
    ///
    /// - Parameters:
    ///   - field: The field, as `mapping/field`.
    ///   - isBack: Whether it has links again, and so those that wait.
    /// - Throws: `StoreError`.
    func removeLeft(_ field: String, isBack: Bool = false) throws {
        guard let value = try entry(Self.leftKind, field) else { return }
        let former = try reference((field, value))
        try remove(Self.leftKind, field)
        if let former, !isBack { try forgetWaitingLinks(former.name, of: former.table) }
    }

    /// Forgets links that wait, unless another source has them too.
    func forgetWaitingLinks(_ field: String, of table: String) throws {
        let isOthers = try allReferences().contains { reference in
            try reference.name == field && ColumnName.areSame(reference.table, table)
                && slots(of: reference.mapping).contains { $0.field == field && !$0.isRetired }
        }
        if try isOthers || database.object("_sluice_pending") != .table { return }
        try database.run(
            "DELETE FROM \(database.ledger("pending")) WHERE \"table\" = ?1 AND field = ?2",
            [FieldValue(table), FieldValue(field)])
    }

    /// The words of a reference as an entry says them.
    static func value(_ parts: [[String]]) -> String {
        parts.map { $0.joined(separator: "\n") }.joined(separator: "\t")
    }

    static func lists(_ value: String) -> [[String]] {
        parts(value).map { $0.split(separator: "\n").map(String.init) }
    }

    /// Whether a reference, as it is kept, has a table of links.
    static func isOfLinks(_ value: String) -> Bool {
        let parts = lists(value)
        return parts.count == 7 && !parts[4].isEmpty
    }

    /// The table of links of a field, also of one that the pipeline no longer has; nil where the store knows none.
    func link(_ field: String, of mapping: String) throws -> RecordLink? {
        let name = "\(mapping)/\(field)"
        guard let value = try entry("reference", name) ?? entry(Self.leftKind, name) else { return nil }
        return try reference((name, value))?.link
    }

    /// A reference of a mapping; nil where the store knows none of that name.
    func reference(_ name: String, of mapping: String) throws -> Reference? {
        let name = "\(mapping)/\(name)"
        return try entry("reference", name).flatMap { try reference((name, $0)) }
    }

    /// Changes the words of references, each part of them a list; of all mappings, or of one.
    func rewriteReferences(of mapping: String? = nil, _ change: (inout [[String]]) -> Void) throws {
        for kind in ["reference", Self.leftKind] {
            for entry in try entries(kind, prefix: mapping.map { $0 + "/" } ?? "") {
                var parts = Self.lists(entry.value)
                if parts.count != 7 { continue }
                change(&parts)
                try put(kind, entry.name, Self.value(parts))
            }
        }
    }

    /// Whether a table of links belongs to any reference.
    func knows(link table: String) throws -> Bool {
        let folded = table.lowercased()
        return try references().contains { $0.link?.table.lowercased() == folded }
    }

    func reference(_ entry: (name: String, value: String)) throws -> Reference? {
        // A mapping has two slashes; the field's name may hold more.
        let path = entry.name.split(separator: "/", maxSplits: 3, omittingEmptySubsequences: false)
        let parts = Self.lists(entry.value)
        guard path.count == 4, parts.count == 7, let rule = parts[0].first, let target = parts[1].first,
            let rule = RecordReference.DanglingRule(rawValue: rule)
        else { return nil }
        let mapping = path[0..<3].joined(separator: "/")
        guard let tables = try tables(of: mapping) else { return nil }
        let keys = try keySlots(of: mapping)
        let link = parts[4].first.map { RecordLink(table: $0, ownerColumns: parts[5], targetColumns: parts[6]) }
        return Reference(
            mapping: mapping, table: tables.table, keyColumns: keys.map(\.column), keyFields: keys.map(\.field),
            name: String(path[3]), rule: rule,
            target: target, targetColumns: parts[2], columns: parts[3], link: link)
    }
}
