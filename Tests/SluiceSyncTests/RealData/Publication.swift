import FoundationEssentials
import SluiceModel
import SluicePipeline
import SluicePipelineFiles
import Testing

/// Published data in several versions, the pipeline that takes it, and what each stream's table must then hold.
struct Publication: CustomTestStringConvertible, Sendable {
    let name: String
    let folder: String
    /// The pipeline file, with `BASE` where the place of a version is put.
    let pipeline: String
    let collections: [Collection]

    var testDescription: String { name }

    struct BadPipeline: Error { let problems: String }

    /// The pipeline over the data at a place.
    func definition(base: String) throws -> PipelineDefinition {
        let (definition, problems) = PipelineLoader.load(
            bytes: Array(pipeline.replacing("BASE", with: base).utf8), file: "\(folder).yaml", environment: [:],
            mode: .run)
        guard let definition, problems.isEmpty else {
            throw BadPipeline(problems: problems.map { "\($0)" }.joined(separator: "\n"))
        }
        return definition
    }

    /// The versions, by the names of their folders, oldest first.
    var versions: [String] {
        get throws {
            try FileManager.default.contentsOfDirectory(atPath: "\(Dataset.root)/\(folder)").filter {
                !$0.hasSuffix(".md")
            }.sorted()
        }
    }
}

extension Publication {
    /// One stream: where its records are, said independently of the pipeline file, and the columns of its table.
    struct Collection: Sendable {
        /// The stream's name, which is its table's too.
        let name: String
        let key: [String]
        let columns: [Column]
        /// Which records the stream's filter lets pass.
        var keeps: @Sendable (Tree) -> Bool = { _ in true }
        /// Whether records that are gone are deleted.
        var deletes = true
        /// How many records each version has and how many of them lack their key, as its publisher's notes say.
        var published: [Count] = []
        let records: @Sendable (Version) throws -> [Tree]

        /// What is known of a version without reading it.
        struct Count: Sendable, ExpressibleByIntegerLiteral {
            var records: Int
            var keyless = 0
            var filtered = 0
            /// Added, removed, changed and unchanged since the version before.
            var steps: [Int]?

            init(_ records: Int, keyless: Int = 0, filtered: Int = 0, steps: [Int]? = nil) {
                (self.records, self.keyless, self.filtered, self.steps) = (records, keyless, filtered, steps)
            }

            init(integerLiteral records: Int) { self.init(records) }
        }
    }

    /// A column, and what it takes of a record.
    struct Column: Sendable {
        let name: String
        let type: FieldType
        var format: String?
        var values: [String] = []
        /// Whether an absent key is a null rather than nothing.
        var clears = false
        /// Whether a value that does not fit is a null rather than a reason to refuse the record.
        var forgives = false
        let read: @Sendable (Tree) -> Tree?

        /// A column that takes what a path of names and indexes leads to, by default its own name.
        init(
            _ name: String, _ type: FieldType = .string, at path: String? = nil, format: String? = nil,
            values: [String] = [], clears: Bool = false, forgives: Bool = false
        ) {
            let path = path ?? name
            self.init(name, type, format: format, values: values, clears: clears, forgives: forgives) { $0.at(path) }
        }

        /// A column that is computed.
        init(
            _ name: String, _ type: FieldType = .string, format: String? = nil, values: [String] = [],
            clears: Bool = false, forgives: Bool = false, read: @escaping @Sendable (Tree) -> Tree?
        ) {
            (self.name, self.type, self.format, self.values) = (name, type, format, values)
            (self.clears, self.forgives, self.read) = (clears, forgives, read)
        }
    }

    /// One version of the data, whose files are read once.
    final class Version {
        let place: String
        private var trees: [String: Tree] = [:]

        init(_ publication: Publication, _ name: String) { place = "\(Dataset.root)/\(publication.folder)/\(name)" }

        /// A file of the version.
        func tree(_ file: String) throws -> Tree {
            if let known = trees[file] { return known }
            let tree = try Tree(parsing: Array(try Data(contentsOf: URL(fileURLWithPath: "\(place)/\(file)"))))
            trees[file] = tree
            return tree
        }

        func isThere(_ file: String) -> Bool { FileManager.default.fileExists(atPath: "\(place)/\(file)") }

        /// The entries of a folder, without what is behind the last dot.
        func stems(_ folder: String) throws -> [String] {
            try FileManager.default.contentsOfDirectory(atPath: "\(place)/\(folder)").sorted().map {
                $0.hasSuffix(".json") ? String($0.dropLast(5)) : $0
            }
        }
    }
}

extension Tree {
    /// An object with one more member, which wins over one of the same name.
    func adding(_ name: String, _ value: Tree?) -> Tree {
        guard case .object(let members) = self, let value else { return self }
        return .object(members + [Member(name: name, value: value)])
    }

    /// The text of a string or number.
    var text: String? {
        switch self {
        case .string(let text), .number(let text): text
        default: nil
        }
    }

    /// The members of an object.
    var members: [Member] { if case .object(let members) = self { members } else { [] } }

    /// The part of a URL's path at a position, as in `5` of `/api/v2/type/5/` at 3; as a number where it is one.
    func pathPart(_ position: Int) -> Tree? {
        guard let parts = text?.split(separator: "/"), parts.indices.contains(position) else { return nil }
        return Int(parts[position]) == nil ? .string(String(parts[position])) : .number(String(parts[position]))
    }
}
