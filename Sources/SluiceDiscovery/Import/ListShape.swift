internal import SluiceJSON

/// What the elements of the lists at one place of many records look like, as far as the first ones tell.
final class ListShape {
    /// The elements of all lists, one after the other.
    let element = ValueShape()
    /// How many elements were looked at.
    private(set) var count = 0
    /// Where each list begins among the elements.
    private var starts: [Int] = []

    /// Whether all elements are objects whose members are known.
    var holdsRecords: Bool { count > 0 && element.objects == count && !element.membersAreForgotten }

    /// Takes the list of a record.
    ///
    /// - Parameters:
    ///   - array: The list.
    ///   - depth: How many names lead to it.
    func add(_ array: JSONElement, depth: Int) {
        guard count < ValueShape.evidenceLimit else { return }
        starts.append(count)
        var elements = array.elements()
        while count < ValueShape.evidenceLimit, elements.next() {
            element.add(elements.value, record: count, depth: depth)
            count += 1
        }
    }

    /// Whether a value tells each element from the others of its list.
    ///
    /// - Parameter hashes: A hash of the value of each element.
    /// - Returns: False where some element has none.
    func isUnique(_ hashes: [UInt64]) -> Bool {
        guard hashes.count == count else { return false }
        return starts.indices.allSatisfy { index in
            let list = hashes[starts[index]..<(index + 1 < starts.count ? starts[index + 1] : count)]
            return Set(list).count == list.count
        }
    }

    /// Whether elements of different lists are the same ones: some of them have one key, and those that have it are alike.
    ///
    /// - Parameters:
    ///   - key: The field that tells the elements of a list apart.
    ///   - fields: The fields of the elements.
    /// - Returns: Whether they are.
    func isShared(by key: String, _ fields: [ImportedField]) -> Bool {
        guard let key = fields.first(where: { $0.name == key }), key.hashes.count == count else { return false }
        let compared = fields.map(\.hashes).filter { $0.count == count }
        var first: [UInt64: Int] = [:]
        var repeats = false
        for index in 0..<count {
            guard let known = first.updateValue(index, forKey: key.hashes[index]) else { continue }
            repeats = true
            if compared.contains(where: { $0[known] != $0[index] }) { return false }
        }
        return repeats
    }
}
