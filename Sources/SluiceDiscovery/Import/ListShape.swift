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
}
