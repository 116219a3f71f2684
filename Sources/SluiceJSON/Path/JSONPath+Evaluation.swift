extension JSONPath {
    /// The first value that the path selects within a value, which `$` stands for; nil if there is none.
    public func first(in element: JSONElement) -> JSONElement? {
        first(in: element, at: 0)
    }

    /// Calls a closure with each value that the path selects, in the order of the text.
    ///
    /// - Parameters:
    ///   - element: The value that `$` stands for.
    ///   - body: What to do with a value.
    /// - Throws: What the closure throws.
    public func forEach<Failure: Error>(
        in element: JSONElement, _ body: (JSONElement) throws(Failure) -> Void
    ) throws(Failure) {
        try visit(element, at: 0, body)
    }

    /// Calls a closure with each value that the path selects and its JSON pointer, in the order of the text.
    ///
    /// - Parameters:
    ///   - element: The value that `$` stands for, whose pointer is empty.
    ///   - body: What to do with a value and its pointer.
    /// - Throws: What the closure throws.
    public func forEachMatch<Failure: Error>(
        in element: JSONElement, _ body: (JSONElement, _ pointer: String) throws(Failure) -> Void
    ) throws(Failure) {
        try visit(element, at: 0, pointer: "", body)
    }

    /// The JSON pointer of the value that the path selects; nil if it can select several, or counts from the end.
    public var pointer: String? {
        var text = ""
        for step in steps {
            switch step {
            case .name(let name): JSONPointer.append(name: name, to: &text)
            case .index(let index) where index >= 0: JSONPointer.append(index: index, to: &text)
            case .index, .wildcard: return nil
            }
        }
        return text
    }

    private func first(in element: JSONElement, at position: Int) -> JSONElement? {
        var element = element
        for (offset, step) in steps[position...].enumerated() {
            switch step {
            case .name(let name):
                guard let member = element.member(named: name) else { return nil }
                element = member
            case .index(let index):
                guard let child = element.element(at: index) else { return nil }
                element = child
            case .wildcard:
                var members = element.members()
                while members.next() {
                    if let found = first(in: members.value, at: position + offset + 1) { return found }
                }
                var elements = element.elements()
                while elements.next() {
                    if let found = first(in: elements.value, at: position + offset + 1) { return found }
                }
                return nil
            }
        }
        return element
    }

    private func visit<Failure: Error>(
        _ element: JSONElement, at position: Int, _ body: (JSONElement) throws(Failure) -> Void
    ) throws(Failure) {
        guard position < steps.count else { return try body(element) }
        switch steps[position] {
        case .name(let name):
            if let member = element.member(named: name) { try visit(member, at: position + 1, body) }
        case .index(let index):
            if let child = element.element(at: index) { try visit(child, at: position + 1, body) }
        case .wildcard:
            var members = element.members()
            while members.next() { try visit(members.value, at: position + 1, body) }
            var elements = element.elements()
            while elements.next() { try visit(elements.value, at: position + 1, body) }
        }
    }

    private func visit<Failure: Error>(
        _ element: JSONElement, at position: Int, pointer: String,
        _ body: (JSONElement, String) throws(Failure) -> Void
    ) throws(Failure) {
        guard position < steps.count else { return try body(element, pointer) }
        var child = pointer
        switch steps[position] {
        case .name(let name):
            guard let member = element.member(named: name) else { return }
            JSONPointer.append(name: name, to: &child)
            try visit(member, at: position + 1, pointer: child, body)
        case .index(let index):
            guard let found = element.element(at: index) else { return }
            JSONPointer.append(index: index < 0 ? index + element.count : index, to: &child)
            try visit(found, at: position + 1, pointer: child, body)
        case .wildcard:
            var members = element.members()
            while members.next() {
                JSONPointer.append(name: members.name, to: &child)
                try visit(members.value, at: position + 1, pointer: child, body)
                child = pointer
            }
            var elements = element.elements()
            var index = 0
            while elements.next() {
                JSONPointer.append(index: index, to: &child)
                try visit(elements.value, at: position + 1, pointer: child, body)
                child = pointer
                index += 1
            }
        }
    }
}
