package import SluiceJSON

/// A list within the records of a stream that says that there is more of it, of which nothing asks for the rest.
package struct CutList: Sendable, Hashable {
    /// Where the list stands.
    package enum Place: Sendable, Hashable {
        /// Children stand in it, of the stream's own records or of others within them.
        case children(entity: String, isOfStream: Bool, isOrdered: Bool)
        /// A field leads to what is in it. A set that only grows takes what is there.
        case field(String, entity: String, isGrowing: Bool)
    }

    package let place: Place
    /// The path to its elements.
    package let path: JSONPath
    /// What it says.
    package let sign: ListSigns.Sign
    /// Whether its `more` is there, and its `when` does not see what the list says.
    package var hasMore = false
    /// Whether it belongs to an element of a list that is one value, which is not known as a whole then.
    package var isOfElement = false
}

/// Collects such lists, one of each path. Whoever decodes within records shares it.
package final class CutLists {
    private let signs = ListSigns()
    package private(set) var found: [CutList] = []
    /// Whether the present record has one.
    private(set) var isInRecord = false
    /// How many sets of keys were left out since their lists say that there is more of them.
    private(set) var leftOut = 0

    /// Makes a collection of none.
    package init() {}

    /// Goes on to the next record.
    func beginRecord() { isInRecord = false }

    /// Whether a list says that there is more of it.
    ///
    /// - Parameters:
    ///   - path: The path to its elements.
    ///   - names: What ``JSONPath/namesOfList`` says of it.
    ///   - record: The value that the path begins in.
    ///   - hasMore: Whether something could ask for the rest.
    ///   - isOfElement: Whether the list belongs to an element of a list that is one value.
    ///   - place: What the list is.
    /// - Returns: Whether it does.
    func notes(
        _ path: JSONPath, named names: [String]?, in record: JSONElement, hasMore: Bool = false, isOfElement: Bool,
        _ place: @autoclosure () -> CutList.Place
    ) -> Bool {
        guard let names, let sign = signs.sign(of: names, in: record) else { return false }
        isInRecord = true
        if !found.contains(where: { $0.path.steps == path.steps }) {
            found.append(
                CutList(place: place(), path: path, sign: sign, hasMore: hasMore, isOfElement: isOfElement))
        }
        return true
    }

    /// Counts a set of keys that is left out.
    func leaveOut() { leftOut += 1 }
}

extension JSONPath {
    /// The names that lead to the one list whose elements it selects from; nil for another path.
    var namesOfList: [String]? {
        guard isPlain, let wildcard = steps.firstIndex(of: .wildcard) else { return nil }
        var names: [String] = []
        for step in steps[..<wildcard] {
            guard case .name(let name) = step else { return nil }
            names.append(name)
        }
        return names.isEmpty ? nil : names
    }
}
