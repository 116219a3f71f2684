extension JSONElement {
    /// The first name of a member that an earlier member of the same object has too, as a string element.
    ///
    /// Nil if there is none, or if the value is not an object. Takes time linear in the members; parsing does not look.
    public var firstDuplicateName: JSONElement? {
        guard count > 1 else { return nil }
        var cursor = members()
        if count <= 16 { return firstDuplicateOfFew() }
        var names: Set<String> = []
        names.reserveCapacity(count)
        while cursor.next() {
            if !names.insert(cursor.name).inserted { return cursor.keyElement }
        }
        return nil
    }

    /// The same for the value and all values within it, in the order of the text of the objects.
    public var firstNestedDuplicateName: JSONElement? {
        var cursors: [JSONChildCursor] = [JSONChildCursor(self)]
        if let found = firstDuplicateName { return found }
        while var cursor = cursors.popLast() {
            guard cursor.next() else { continue }
            let child = cursor.value
            cursors.append(cursor)
            guard child.isContainer else { continue }
            if let found = child.firstDuplicateName { return found }
            cursors.append(JSONChildCursor(child))
        }
        return nil
    }

    private func firstDuplicateOfFew() -> JSONElement? {
        var later = members()
        while later.next() {
            var earlier = members()
            while earlier.next(), unsafe earlier.keyElement.word < later.keyElement.word {
                if unsafe earlier.key.hasSameBytes(as: later.key) { return later.keyElement }
            }
        }
        return nil
    }
}
