import TestSupport

/// What people do to the table between runs.
extension RandomHistory {
    /// The statements, done to the model as well.
    mutating func edit(_ model: inout MergeModel) -> String {
        var statements: [String] = []
        for id in people where random.chance(30) {
            if model.rows[id] != nil {
                statements.append(editRow(id, &model))
            } else if model.marked[id] != nil {
                statements.append(editMarkedRow(id, &model))
            } else if random.chance(50) {
                let row = values(absent: 0)
                model.rows[id] = row
                let values = rules.fields.map { sql(row[$0]) }
                statements.append(
                    "INSERT INTO items (id, \(rules.fields.joined(separator: ", "))) "
                        + "VALUES (\(id), \(values.joined(separator: ", ")))")
            }
        }
        return statements.joined(separator: ";\n")
    }

    private mutating func editRow(_ id: Int, _ model: inout MergeModel) -> String {
        if rules.deletes == "soft" && random.chance(15) {
            model.marked[id] = model.rows.removeValue(forKey: id)
            return "UPDATE items SET _deleted_at = '2026-01-01T00:00:00Z' WHERE id = \(id)"
        }
        if random.chance(25) {
            model.rows[id] = nil
            return "DELETE FROM items WHERE id = \(id)"
        }
        let field = random.pick(rules.fields)
        let said = said(field: field, absent: 0)
        model.rows[id]?[field] = said
        return "UPDATE items SET \(field) = \(sql(said)) WHERE id = \(id)"
    }

    private mutating func editMarkedRow(_ id: Int, _ model: inout MergeModel) -> String {
        if random.chance(30) {
            model.marked[id] = nil
            return "DELETE FROM items WHERE id = \(id)"
        }
        if random.chance(50) {
            model.rows[id] = model.marked.removeValue(forKey: id)
            return "UPDATE items SET _deleted_at = NULL, _deleted_by_run = NULL WHERE id = \(id)"
        }
        let field = random.pick(rules.fields)
        let said = said(field: field, absent: 0)
        model.marked[id]?[field] = said
        return "UPDATE items SET \(field) = \(sql(said)) WHERE id = \(id)"
    }

    private func sql(_ said: Said?) -> String {
        guard case .text(let text)? = said else { return "NULL" }
        return "'" + text.replacing("'", with: "''") + "'"
    }
}
