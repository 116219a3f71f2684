extension JSONPath {
    /// The first value that the path selects; nil if there is none.
    ///
    /// For a path that is not plain this is nil too where ``matches(in:maximumSteps:)`` fails. The element is what `$` stands for.
    package func first(in element: JSONElement) -> JSONElement? {
        if isPlain { return first(in: element, at: 0) }
        var first: JSONElement?
        do throws(PathEvaluator.Stop) {
            try evaluate(in: element, segments, maximumSteps: nil) { found throws(PathEvaluator.Stop) in
                first = found
                throw .enough
            }
        } catch {
            return first
        }
        return first
    }

    /// The value at the end of a path of names and indexes, or the null that ends the way there.
    ///
    /// - Parameter element: What `$` stands for.
    /// - Returns: Nil where neither is there. Of another path ``first(in:)``.
    package func firstOrNull(in element: JSONElement) -> JSONElement? {
        guard isSingular else { return first(in: element) }
        var element = element
        for step in steps {
            if element.isNull { return element }
            let next: JSONElement? =
                switch step {
                case .name(let name): element.member(named: name)
                case .index(let index): element.element(at: index)
                case .wildcard: nil
                }
            guard let next else { return nil }
            element = next
        }
        return element
    }

    /// All values that the path selects, in the order of RFC 9535.
    ///
    /// - Parameters:
    ///   - element: The value that `$` stands for.
    ///   - maximumSteps: How much work it may take; nil for a limit that grows with the document, so that only
    ///     paths are refused that go through the document again and again.
    /// - Returns: The values, one as often as it is selected.
    /// - Throws: ``JSONError`` with ``JSONError/Code/pathTooCostly``.
    package func matches(in element: JSONElement, maximumSteps: Int? = nil) throws(JSONError) -> [JSONElement] {
        var found: [JSONElement] = []
        if isPlain {
            forEach(in: element) { found.append($0) }
            return found
        }
        do throws(PathEvaluator.Stop) {
            try evaluate(in: element, segments, maximumSteps: maximumSteps) { found.append($0) }
        } catch {
            throw JSONError(
                code: .pathTooCostly,
                message: "The path `\(text)` takes too many steps to follow through this document.", byteOffset: 0)
        }
        return found
    }

    /// Calls a closure with each value that the path selects, in the order of RFC 9535.
    ///
    /// - Parameters:
    ///   - element: The value that `$` stands for.
    ///   - body: What to do with a value.
    /// - Returns: False if the path is too costly to follow, see ``matches(in:maximumSteps:)``; the closure was not
    ///   called then. Never for a plain path.
    /// - Throws: What the closure throws.
    @discardableResult
    package func forEach<Failure: Error>(
        in element: JSONElement, _ body: (JSONElement) throws(Failure) -> Void
    ) throws(Failure) -> Bool {
        if isPlain {
            try visit(element, at: 0, body)
            return true
        }
        guard let found = try? matches(in: element) else { return false }
        for match in found { try body(match) }
        return true
    }

    /// Calls a closure with each value that the path selects and its JSON pointer, in the order of RFC 9535.
    ///
    /// - Parameters:
    ///   - element: The value that `$` stands for, whose pointer is empty.
    ///   - body: What to do with a value and its pointer.
    /// - Returns: False if the path is too costly to follow, see ``forEach(in:_:)``.
    /// - Throws: What the closure throws.
    @discardableResult
    package func forEachMatch<Failure: Error>(
        in element: JSONElement, _ body: (JSONElement, _ pointer: String) throws(Failure) -> Void
    ) throws(Failure) -> Bool {
        if isPlain {
            try visit(element, at: 0, pointer: "", body)
            return true
        }
        guard let found = try? matches(in: element) else { return false }
        var locator = JSONLocator(root: element)
        for match in found { try body(match, locator.pointer(to: match) ?? "") }
        return true
    }

    /// Calls a closure with each value that some segments select.
    func evaluate(
        in element: JSONElement, _ segments: [PathSegment], maximumSteps: Int?, _ body: PathEvaluator.Body
    ) throws(PathEvaluator.Stop) {
        let limit = maximumSteps ?? PathEvaluator.defaultSteps(for: element, segments: segments)
        var evaluator = PathEvaluator(root: element, maximumSteps: limit)
        try evaluator.visit(element, segments, from: 0, body)
    }

    /// The JSON pointer of the value that the path selects; nil if it can select several, or counts from the end.
    package var pointer: String? {
        if !isPlain { return nil }
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
