/// A value that a store keeps as a text. Its form is part of the store's format: later versions read what earlier ones wrote.
package protocol StateValue: Equatable, Sendable {
    /// Reads a text; nil where it is damaged or of another version, which is as if nothing were kept.
    init?(stateText: String)

    /// The text; nil where the value cannot be kept, so that nothing is.
    var stateText: String? { get }

    /// What is left of it where it is void; nil for nothing.
    var voided: Self? { get }
}

extension StateValue {
    package var voided: Self? { nil }
}

extension String: StateValue {
    package init?(stateText: String) { self = stateText }
    package var stateText: String? { self }
}

extension Int: StateValue {
    package init?(stateText: String) { self.init(stateText) }
    package var stateText: String? { String(self) }
}

/// One thing that a store remembers of a stream between runs.
package struct StateKey<Value: StateValue>: Hashable, Sendable {
    package let kind: StateKind
    /// What follows in the name of a kind of which a stream may have several.
    package let detail: String

    /// Makes a key of its parts.
    package init(_ kind: StateKind, detail: String = "") { (self.kind, self.detail) = (kind, detail) }

    /// The name in the store.
    package var name: String { kind.rawValue + detail }
}

extension StateLedger {
    /// What is kept of a stream under a key; nil where nothing is, or nothing that can be read.
    package func value<Value>(_ key: StateKey<Value>, pipeline: String, stream: String) throws -> Value? {
        try value(pipeline: pipeline, stream: stream, name: key.name).flatMap { Value(stateText: $0) }
    }

    /// Keeps a value in the place of what was kept under the key; nil to forget it.
    package func set<Value>(_ key: StateKey<Value>, to value: Value?, pipeline: String, stream: String) throws {
        let text = value?.stateText
        if let text, !key.kind.isRecorded {
            try remember(text, pipeline: pipeline, stream: stream, name: key.name)
        } else {
            try set(text, pipeline: pipeline, stream: stream, name: key.name)
        }
    }

    /// Makes what is kept under a key void.
    package func void<Value>(_ key: StateKey<Value>, pipeline: String, stream: String) throws {
        guard let kept = try value(pipeline: pipeline, stream: stream, name: key.name) else { return }
        try set(key, to: Value(stateText: kept)?.voided, pipeline: pipeline, stream: stream)
    }

    /// What follows in the names of the keys of a kind that a stream has.
    package func details(of kind: StateKind, pipeline: String, stream: String) throws -> [String] {
        try names(kind.rawValue, pipeline: pipeline, stream: stream).filter { StateKind(name: $0) == kind }
            .map { String($0.dropFirst(kind.rawValue.count)) }
    }

    /// Whether something is kept of a stream that undo deals with in a way.
    package func has(_ afterUndo: StateKind.AfterUndo, pipeline: String, stream: String) throws -> Bool {
        try names("", pipeline: pipeline, stream: stream).contains { StateKind(name: $0)?.afterUndo == afterUndo }
    }

    /// Forgets all of a stream that undo treats in one way.
    ///
    /// - Returns: Whether there was any.
    package func forget(_ afterUndo: StateKind.AfterUndo, pipeline: String, stream: String) throws -> Bool {
        let names = try names("", pipeline: pipeline, stream: stream)
            .filter { StateKind(name: $0)?.afterUndo == afterUndo }
        for name in names { try set(nil, pipeline: pipeline, stream: stream, name: name) }
        return !names.isEmpty
    }
}
