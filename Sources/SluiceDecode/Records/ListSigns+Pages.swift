package import SluiceJSON

/// Lists within the elements of other lists, of all of which a page's records are: `items` of `groups[*].items[*]`. What says that
/// there is more of the outermost one stands around it, see ``Envelope``.
extension ListSigns {
    private static let deepest = 32

    /// What says that there is more of some list than the page shows.
    ///
    /// - Parameters:
    ///   - records: The path to the page's records.
    ///   - body: The page.
    /// - Returns: What says so of the first such list, as the rest of a sentence that begins with the page; nil where nothing does.
    package func words(ofListsOf records: JSONPath, in body: PageBody) -> String? {
        guard let root = body.element(at: JSONPath(steps: [])) else { return nil }
        defer { withExtendedLifetime(body) {} }
        if records.isPlain { return words(records.steps[...], from: root, isWithinList: false) }
        guard let name = records.parentName else { return nil }
        return words(ofLists: name, below: root, element: nil, [], depth: 0)
    }

    private func words(of names: [String], in element: JSONElement) -> String? {
        sign(of: names, in: element, isRecord: false).map {
            "has a list of records (`\(names.joined(separator: "."))`) that \($0.words)"
        }
    }

    /// Follows a plain path up to the last list on it.
    private func words(_ steps: ArraySlice<JSONPath.Step>, from element: JSONElement, isWithinList: Bool) -> String? {
        guard let list = steps.firstIndex(of: .wildcard) else { return nil }
        var (names, value) = ([String](), element)
        for step in steps[..<list] {
            guard case .name(let name) = step, let next = value.member(named: name) else { return nil }
            names.append(name)
            value = next
        }
        if isWithinList, !names.isEmpty, let words = words(of: names, in: element) { return words }
        let rest = steps[(list + 1)...]
        if !rest.contains(.wildcard) { return nil }
        var elements = value.elements()
        while elements.next() {
            if let words = words(rest, from: elements.value, isWithinList: true) { return words }
        }
        return nil
    }

    /// Looks for lists of a name, wherever they are.
    private func words(
        ofLists name: String, below value: JSONElement, element: JSONElement?, _ names: [String], depth: Int
    ) -> String? {
        if depth > Self.deepest { return nil }
        if value.kind == .array {
            var elements = value.elements()
            while elements.next() {
                let next = elements.value
                if let words = words(ofLists: name, below: next, element: next, [], depth: depth + 1) { return words }
            }
            return nil
        }
        guard value.kind == .object else { return nil }
        var members = value.members()
        while members.next() {
            let path = names + [members.name]
            // What the list holds are records.
            if members.name == name {
                if let element, members.value.kind == .array, let words = words(of: path, in: element) { return words }
            } else if let words = words(ofLists: name, below: members.value, element: element, path, depth: depth + 1) {
                return words
            }
        }
        return nil
    }
}
