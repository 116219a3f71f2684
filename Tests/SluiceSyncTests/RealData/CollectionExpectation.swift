import SluiceModel
import SluicePipeline
import SluiceReport

/// What the table of a collection must hold and what a run must count, computed from the trees alone.
struct CollectionExpectation {
    /// A row, and the trees that its values came from.
    private struct Row {
        var values: [FieldValue]
        var trees: [Tree?]
    }

    private enum Mapped {
        case absent, mismatch
        case value(FieldValue, Tree?)
    }

    let collection: Publication.Collection
    private var rows: [[FieldValue]: Row] = [:]
    private(set) var summary = RunSummary()
    private(set) var read = 0
    private(set) var filtered = 0
    private(set) var duplicates = 0
    private(set) var keyless = 0
    /// Whether records with one key say different things.
    private(set) var hasDiffering = false

    init(_ collection: Publication.Collection) { self.collection = collection }

    var table: [[FieldValue]: [FieldValue]] { rows.mapValues(\.values) }

    /// Takes a version: of several records with a key the last one counts, and what is gone is deleted where none has
    /// lost its key.
    mutating func take(_ records: [Tree]) {
        (summary, duplicates, keyless, hasDiffering) = (RunSummary(), 0, 0, false)
        read = records.count
        let kept = records.filter(collection.keeps)
        filtered = read - kept.count
        var last: [[FieldValue]: [Mapped]] = [:]
        var order: [[FieldValue]] = []
        for record in kept {
            let mapped = collection.columns.map { map($0, record) }
            guard let key = key(of: mapped) else {
                keyless += 1
                continue
            }
            guard let other = last.updateValue(mapped, forKey: key) else {
                order.append(key)
                continue
            }
            duplicates += 1
            hasDiffering = hasDiffering || "\(other)" != "\(mapped)"
        }
        for key in order { merge(last[key] ?? [], key: key) }
        summary.quarantined += keyless
        guard keyless == 0, collection.deletes else { return }
        for key in rows.keys where last[key] == nil {
            rows[key] = nil
            summary.delete += 1
        }
    }

    private func key(of mapped: [Mapped]) -> [FieldValue]? {
        let names = collection.columns.map(\.name)
        let values = collection.key.compactMap { name -> FieldValue? in
            guard let index = names.firstIndex(of: name), case .value(let value, _) = mapped[index], value != .null
            else { return nil }
            return value
        }
        return values.count == collection.key.count ? values : nil
    }

    private mutating func merge(_ mapped: [Mapped], key: [FieldValue]) {
        if mapped.contains(where: { if case .mismatch = $0 { true } else { false } }) {
            summary.quarantined += 1
            return
        }
        let isNew = rows[key] == nil
        var row = rows[key] ?? Row(values: mapped.map { _ in .null }, trees: mapped.map { _ in nil })
        var isChanged = false
        for (index, value) in mapped.enumerated() {
            guard case .value(let value, let tree) = value else { continue }
            if !isNew && isSame(value, tree, row, index) { continue }
            row.values[index] = value
            row.trees[index] = tree
            isChanged = true
        }
        rows[key] = row
        if isNew { summary.insert += 1 } else if isChanged { summary.update += 1 } else { summary.unchanged += 1 }
    }

    private func isSame(_ value: FieldValue, _ tree: Tree?, _ row: Row, _ index: Int) -> Bool {
        if value == row.values[index] { return true }
        guard value != .null, row.values[index] != .null, let tree, let old = row.trees[index] else { return false }
        switch collection.columns[index].type {
        case .json: return tree == old || tree.canonical == old.canonical
        case .decimal:
            guard let text = tree.text, let other = old.text else { return false }
            return SlowNumber(text)?.canonical == SlowNumber(other)?.canonical
        default: return false
        }
    }

    private func map(_ column: Publication.Column, _ record: Tree) -> Mapped {
        guard let tree = column.read(record) else { return column.clears ? .value(.null, nil) : .absent }
        if tree == .null { return .value(.null, nil) }
        if let value = slowValue(tree, type: column.type, values: column.values, format: column.format) {
            return .value(value, tree)
        }
        return column.forgives ? .value(.null, nil) : .mismatch
    }
}
