internal import SluiceDiagnostics
internal import SluiceModel
internal import SluicePipeline

/// Checks that no two fields have one column, and no two things one table, once entities have all their fields.
struct TableChecker {
    /// The entities as the file has them.
    let members: [ConfigMember]
    let entities: [EntityDefinition]
    let roles: [String: ChildRole]
    let reporter: Reporter

    func check() {
        for entity in entities {
            checkColumns(of: entity)
            checkLinks(of: entity)
        }
        checkTables()
    }

    // MARK: Columns

    private func checkColumns(of entity: EntityDefinition) {
        var known: [String: String] = [:]
        var names: Set<String> = []
        let role = roles[entity.name]
        for field in entity.fields where !field.isContentKey {
            let written = field.reference ?? field.name
            let member = members.first { $0.name == entity.name }?.value.member("fields")?.members?
                .first { $0.name == written }
            // What the parent gives has no place of its own.
            let isOwn = !field.isOfParent
            let mark = (isOwn ? member?.value.member("column")?.start ?? member?.mark : nil) ?? role?.mark
            guard let mark else { continue }
            checkReserved(field, of: entity, at: mark)
            if !names.insert(field.name).inserted, field.reference != nil || isOwn && role != nil {
                reporter.report(
                    .duplicateName, "`\(entity.name)` has two fields of the name `\(field.name)`.", at: mark,
                    help: help(entity, field.name))
                continue
            }
            if let other = known.updateValue(field.name, forKey: field.column.lowercased()) {
                reporter.report(
                    .duplicateName,
                    "The fields `\(other)` and `\(field.name)` have the same column, `\(field.column)`.", at: mark,
                    help: help(entity, other))
            }
        }
    }

    private func help(_ entity: EntityDefinition, _ other: String) -> String {
        if entity.fields.first(where: { $0.name == other })?.isOfParent == true {
            return "`\(other)` is there because `\(entity.name)` is a child; give the field another name or `column`."
        }
        return "Give one of them a `column` of its own; case makes no difference."
    }

    private func checkReserved(_ field: FieldDefinition, of entity: EntityDefinition, at mark: SourcePlace) {
        let folded = field.column.lowercased()
        if ["_deleted_at", "_deleted_by_run"].contains(folded) {
            reporter.report(
                .reservedName, "The column `\(field.column)` is kept for soft deletes.", at: mark,
                help: "Give the field `\(field.name)` another `column`.")
        }
        if field.name == RecordSchema.withinName {
            reporter.report(
                .reservedName, "The name `\(field.name)` is kept for what people edited below a record.", at: mark,
                help: "Give the field another name.")
        }
        guard entity.hasContentKey else { return }
        if folded == EntityDefinition.contentKeyName {
            reporter.report(
                .reservedName, "The column `\(field.column)` is kept for the hash of the values.", at: mark,
                help: "Give the field `\(field.name)` another `column`.")
        } else if field.name == EntityDefinition.contentKeyName {
            reporter.report(
                .reservedName, "The name `\(field.name)` is kept for the hash of the values.", at: mark,
                help: "Give the field another name.")
        }
    }

    private func checkLinks(of entity: EntityDefinition) {
        for reference in entity.references {
            guard let link = reference.link, let place = place(of: reference, in: entity) else { continue }
            var known: Set<String> = []
            for column in link.ownerColumns + link.targetColumns where !known.insert(column.lowercased()).inserted {
                reporter.report(
                    .duplicateName, "The table `\(link.table)` would have two columns `\(column)`.",
                    at: place, help: "Give one of the keys that they refer to another `column`.")
            }
        }
    }

    // MARK: Tables

    private func checkTables() {
        var known: [String: String] = [:]
        for entity in entities { known[entity.table.lowercased()] = "the entity `\(entity.name)`" }
        for entity in entities {
            for reference in entity.references {
                guard let link = reference.link, let place = place(of: reference, in: entity) else { continue }
                let folded = link.table.lowercased()
                if let prefix = ["_sluice_", "sqlite_"].first(where: { folded.hasPrefix($0) }) {
                    reporter.report(
                        .reservedName, "Tables that begin with `\(prefix)` are reserved.", at: place,
                        help: "Choose another name with `via`.")
                }
                let name = "`\(entity.name).\(reference.name)`"
                if let other = known.updateValue(name, forKey: folded) {
                    reporter.report(
                        .duplicateName, "\(name) and \(other) have the same table, `\(link.table)`.", at: place,
                        help: "Give `\(reference.name)` a table of its own with `via`; case makes no difference.")
                }
            }
        }
    }

    private func place(of reference: ReferenceDefinition, in entity: EntityDefinition) -> SourcePlace? {
        let entityMember = members.first { $0.name == entity.name }
        let member = entityMember?.value.member("fields")?.members?.first { $0.name == reference.name }
        return member?.value.member("via")?.start ?? member?.mark ?? entityMember?.mark
    }
}

extension FieldDefinition {
    /// Whether it is there because the record has a parent.
    var isOfParent: Bool {
        switch origin {
        case .parentKey, .position: true
        default: false
        }
    }
}
