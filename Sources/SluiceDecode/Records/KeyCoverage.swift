internal import SluiceJSON
internal import SluicePipeline

/// Which keys of a record some field takes, for the streams that watch for those that none takes.
///
/// A key is taken where a path leads to it or through it. What a field takes as a whole is taken with all that it
/// holds, and so is what a path selects from. Nobody knows what a jq program takes; a name that it mentions is taken
/// wherever it stands.
struct KeyCoverage: Sendable {
    /// What is known of a place of the plan's tree.
    private struct Place {
        var steps: [JSONPath.Step] = []
        /// Whether its keys are looked at.
        var isWatched = true
        /// The names that are taken without a place of their own.
        var taken: Set<[UInt8]> = []
    }

    /// Whether a key that no field takes ends the run.
    let endsRun: Bool
    private var places: [Place]
    private var mentioned: Set<[UInt8]> = []

    /// - Parameters:
    ///   - nodes: The plan's tree.
    ///   - entity: The entity.
    ///   - stream: The stream; nil, as where its rule is `ignore`, for no watch at all.
    ///   - part: Where the records stand within those of the stream; nil for the stream's own. A key of the former is told, and
    ///     ends no run.
    init?(
        _ nodes: [DecodePlan.Node], entity: EntityDefinition, stream: StreamDefinition?, part: [JSONPath.Step]? = nil
    ) {
        guard let stream, stream.schemaContract.fields != .ignore else { return nil }
        endsRun = stream.schemaContract.fields == .freeze && part == nil
        places = nodes.map { _ in Place() }
        places[0].steps = part ?? []
        // A place stands behind the one above it.
        for (place, node) in nodes.enumerated() {
            places[place].isWatched = places[place].isWatched && node.fields.isEmpty
            let below =
                node.names.map { (JSONPath.Step.name(String(decoding: $0.name, as: UTF8.self)), $0.child) }
                + node.indexes.map { (JSONPath.Step.index($0.index), $0.child) }
            for (step, child) in below {
                places[child].steps = places[place].steps + [step]
                places[child].isWatched = places[place].isWatched
            }
        }
        for child in entity.children { accept(part == nil ? stream.place(of: child) : child.path, nodes) }
        for field in entity.fields {
            switch field.origin {
            case .path(let path), .reference(let path, _), .references(let path, _): accept(path, nodes)
            case .program(let text): mention(text)
            case .template, .content, .parentKey, .position: break
            }
        }
        if part == nil, let entries = stream.entries { places[0].taken.insert(Array(entries.utf8)) }
        let programs = [stream.filter, stream.deletedWhen] + stream.listsWithMore.map(\.more.condition)
        for program in programs { program.map { mention($0) } }
    }

    /// Takes what a path leads to that has no place of its own, from the first key that has none.
    private mutating func accept(_ path: JSONPath, _ nodes: [DecodePlan.Node]) {
        var place = 0
        for step in path.steps {
            guard case .name(let name) = step else { break }
            let bytes = Array(name.utf8)
            guard let next = nodes[place].names.first(where: { $0.name == bytes }) else {
                places[place].taken.insert(bytes)
                return
            }
            place = next.child
        }
        if !(path.isSingular && path.isStreamable) { exclude(place, nodes) }
    }

    private mutating func exclude(_ place: Int, _ nodes: [DecodePlan.Node]) {
        places[place].isWatched = false
        for child in nodes[place].names.map(\.child) + nodes[place].indexes.map(\.child) { exclude(child, nodes) }
    }

    private mutating func mention(_ program: String) {
        let words = program.utf8.split { byte in
            let isLetter = (0x61...0x7A).contains(byte | 0x20) || byte > 0x7F
            return !isLetter && !(0x30...0x39).contains(byte) && byte != UInt8(ascii: "_")
        }
        mentioned.formUnion(words.map { Array($0) })
        // Names with other characters stand in quotes.
        mentioned.formUnion(program.utf8.split(separator: UInt8(ascii: "\"")).map { Array($0) })
    }

    /// Whether the keys of a place are looked at.
    @inline(__always)
    func isWatched(_ place: Int) -> Bool { places[place].isWatched }

    /// The path to a key without a place of its own.
    ///
    /// - Returns: Nil where it is taken all the same.
    func path(to name: UnsafeRawBufferPointer, in place: Int) -> JSONPath? { path(to: unsafe Array(name), in: place) }

    /// The path to a key without a place of its own.
    ///
    /// - Returns: Nil where it is taken all the same.
    func path(to bytes: [UInt8], in place: Int) -> JSONPath? {
        if mentioned.contains(bytes) || places[place].taken.contains(bytes) { return nil }
        return JSONPath(steps: places[place].steps + [.name(String(decoding: bytes, as: UTF8.self))])
    }
}
