import Foundation
import Synchronization
import TestSupport

/// A source of three or four levels of records, each of which is listed at an address of its parent's, and all of which
/// move: records get other addresses, swap them, pass to other parents, come and go. Some cannot be read at times.
///
/// What a pipeline relies on holds: a record that changes, or below which something changes, has another version and another
/// time.
final class MovingTree: Sendable {
    /// How a level is asked for.
    struct Level: Sendable, CustomStringConvertible {
        enum Mark: String, CaseIterable, Sendable { case none, field, key }

        let asksForChangedParents: Bool
        let isIncremental: Bool
        let hasPages: Bool
        /// One list for each of two items; of the first level alone.
        let hasItems: Bool
        /// Whether its addresses are made of the parents' identifiers.
        let isAskedByKey: Bool
        /// Where its records say which parent or item they belong to.
        let mark: Mark

        fileprivate init(_ level: Int, _ random: inout SeededGenerator) {
            asksForChangedParents = level > 0 && random.chance(40)
            isIncremental = random.chance(25)
            hasPages = !isIncremental && random.chance(30)
            hasItems = level == 0 && random.chance(30)
            isAskedByKey = level > 0 && random.chance(20)
            mark = level > 0 || hasItems ? random.pick(Mark.allCases) : .none
        }

        var description: String {
            let words = [
                (asksForChangedParents, "changed"), (isIncremental, "incremental"), (hasPages, "pages"),
                (hasItems, "items"), (isAskedByKey, "by key"),
            ].filter(\.0).map(\.1)
            return "(\((words + ["mark: \(mark)"]).joined(separator: ", ")))"
        }
    }

    /// A record of the source.
    struct Record: Sendable {
        /// The identifier of its parent, or the number of its item.
        var parent: Int
        /// What the address of its children is made of.
        var slug: Int
        var version = 0
        var time: Int
    }

    /// What cannot be read.
    fileprivate struct Trouble: Sendable {
        var misfits: Set<[Int]> = []
        var nameless: Set<[Int]> = []
        /// Parents whose lists fail, by level and identifier.
        var failures: Set<[Int]> = []
    }

    fileprivate struct State: Sendable {
        var random: SeededGenerator
        var day = 0
        var next: [Int]
        var records: [[Int: Record]]
        var trouble = Trouble()
    }

    static let items = ["x", "y"]
    fileprivate static let slugs = Array(0..<12)

    let levels: [Level]
    let commit: String
    private let state: Mutex<State>

    init(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let levels = (0..<random.pick([3, 4])).map { Level($0, &random) }
        self.levels = levels
        commit = random.pick(["run", "page"])
        var state = State(
            random: random, next: Array(repeating: 1, count: levels.count),
            records: Array(repeating: [:], count: levels.count))
        for level in levels.indices {
            for _ in 0..<state.random.pick([2, 3, 4]) { state.add(level, levels) }
        }
        self.state = Mutex(state)
    }

    // MARK: Its life

    /// Changes some things.
    ///
    /// - Parameter isCalm: Whether all can be read afterwards.
    func change(isCalm: Bool = false) {
        state.withLock { state in
            state.day += 1
            for _ in 0..<state.random.pick([1, 2, 3, 4]) {
                state.change(state.random.pick(Array(levels.indices)), levels)
            }
            state.mend()
            if !isCalm { state.disturb(levels) }
        }
    }

    /// Whether something happens now.
    func chance(_ percent: Int) -> Bool { state.withLock { $0.random.chance(percent) } }

    /// What cannot be read at present, for messages.
    var trouble: String { state.withLock { "\($0.trouble)" } }

    /// The keys of a level's records, as its table has them.
    func keys(_ level: Int) -> Set<String> {
        let records = state.withLock { $0.records[level] }
        return Set(records.map { levels[level].mark == .key ? "\(up(level, $1))/\($0)" : "\($0)" })
    }

    private func up(_ level: Int, _ record: Record) -> String {
        level == 0 ? Self.items[record.parent] : "\(record.parent)"
    }

    // MARK: What it answers

    /// The answer to a request, whose paths are `/LEVEL/ADDRESS`: an unknown address has nothing.
    func answer(_ request: ServerRequest) -> ServerResponse {
        let path = request.path.split(separator: "/").map(String.init)
        guard let level = path.first.flatMap({ Int($0) }), levels.indices.contains(level) else { return .text("[]") }
        let (form, address) = (levels[level], path.last ?? "")
        return state.withLock { state in
            let parent: Int? =
                if level == 0 {
                    form.hasItems ? Self.items.firstIndex(of: address) : 0
                } else {
                    form.isAskedByKey
                        ? Int(address) : state.records[level - 1].first { "s\($1.slug)" == address }?.key
                }
            let fails = parent.map { state.trouble.failures.contains([level, $0]) } ?? false
            if fails && !form.hasPages { return .text("", status: 500) }
            let values = (request.query ?? "").split(separator: "=").map(String.init)
            let since = values.first == "since" ? values.last.flatMap { Int($0) } ?? 0 : 0
            let listed = state.records[level].filter { record in
                record.value.time >= since && (level == 0 && !form.hasItems || record.value.parent == parent)
            }
            let texts = listed.sorted { $0.key < $1.key }.map { id, record in
                let name = state.trouble.nameless.contains([level, id]) ? "" : "\"id\":\(id),"
                let value = state.trouble.misfits.contains([level, id]) ? "\"bad\"" : "1"
                return
                    "{\(name)\"slug\":\"s\(record.slug)\",\"n\":\(value),\"v\":\(record.version),\"at\":\(record.time)}"
            }
            func list(_ texts: some Sequence<String>) -> String { "[" + texts.joined(separator: ",") + "]" }
            if !form.hasPages { return .text(list(texts)) }
            // Of two pages the second one fails.
            let half = (texts.count + 1) / 2
            if fails && (texts.count == half || values.first == "page") { return .text("", status: 500) }
            if values.first == "page" { return .text("{\"data\":\(list(texts.dropFirst(half)))}") }
            if texts.count == half { return .text("{\"data\":\(list(texts))}") }
            return .text("{\"data\":\(list(texts.prefix(half))),\"next\":\"\(request.path)?page=2\"}")
        }
    }

    // MARK: Its pipeline

    /// The pipeline over it.
    func pipeline(_ base: String) -> String {
        let entities = levels.enumerated().map { index, level in
            let up = index == 0 ? "{value: \"{{ item }}\"}" : "{value: \"{{ parent.id }}\", type: int}"
            let mark = level.mark == .none ? "" : ", up: \(up)"
            let key = level.mark == .key ? "up, id" : "id"
            return
                "E\(index): {table: t\(index), primary_key: [\(key)], fields: {id: int, slug: string, n: int, v: int, at: int\(mark)}}"
        }
        let streams = levels.enumerated().map { index, level in
            var keys = ["name: s\(index)", "entity: E\(index)"]
            keys.append("delete_missing: {mode: hard, max_delete: 100%, min_records: 0}")
            if index == 0 {
                keys += level.hasItems ? ["path: \"/0/{{ item }}\"", "for_each: [x, y]"] : ["path: /0"]
            } else {
                keys.append("path: \"/\(index)/{{ parent.\(level.isAskedByKey ? "id" : "slug") }}\"")
                let key = levels[index - 1].mark == .key ? ", key: [up, id]" : ""
                let only = level.asksForChangedParents ? ", only: changed" : ""
                keys.append("parent: {stream: s\(index - 1)\(key)\(only)}")
            }
            if level.isIncremental {
                keys.append("params: {since: \"{{ cursor.start }}\"}")
                keys.append("incremental: {cursor_field: at, initial_value: 0}")
            }
            if level.hasPages { keys += ["records: \"data[*]\"", "paginator: {type: json_link, path: next}"] }
            return "- {\(keys.joined(separator: ", "))}"
        }
        return """
            version: 1
            name: tree
            store: sqlite:shop.db
            source: {base_url: "\(base)", retry: {max_attempts: 1}}
            commit: \(commit)
            entities:
              \(entities.joined(separator: "\n  "))
            streams:
              \(streams.joined(separator: "\n  "))
            """
    }
}

extension MovingTree.State {
    /// An address that no record of a level has.
    private mutating func freeSlug(_ level: Int) -> Int? {
        let taken = Set(records[level].values.map(\.slug))
        let free = MovingTree.slugs.filter { !taken.contains($0) }
        return free.isEmpty ? nil : random.pick(free)
    }

    private func ids(_ level: Int) -> [Int] { records[level].keys.sorted() }

    mutating func add(_ level: Int, _ levels: [MovingTree.Level]) {
        let parents = level == 0 ? (levels[0].hasItems ? [0, 1] : [0]) : ids(level - 1)
        guard !parents.isEmpty, let slug = freeSlug(level) else { return }
        let id = next[level]
        next[level] += 1
        records[level][id] = MovingTree.Record(parent: random.pick(parents), slug: slug, time: day)
        touch(level, id)
    }

    /// Gives a record and all that it stands in another version.
    private mutating func touch(_ level: Int, _ id: Int) {
        var (level, id) = (level, id)
        while level >= 0, var record = records[level][id] {
            (record.version, record.time) = (record.version + 1, day)
            records[level][id] = record
            (level, id) = (level - 1, record.parent)
        }
    }

    private mutating func remove(_ level: Int, _ id: Int) {
        if level + 1 < records.count {
            for child in ids(level + 1) where records[level + 1][child]?.parent == id { remove(level + 1, child) }
        }
        guard let record = records[level].removeValue(forKey: id), level > 0 else { return }
        touch(level - 1, record.parent)
    }

    mutating func change(_ level: Int, _ levels: [MovingTree.Level]) {
        let all = ids(level)
        guard !all.isEmpty else { return add(level, levels) }
        let id = random.pick(all)
        switch random.pick(Array(0..<20)) {
        case 0..<4: return add(level, levels)
        case 4..<7: return remove(level, id)
        case 7..<11:
            let other = random.pick(all)
            guard let (first, second) = records[level][id].flatMap({ one in records[level][other].map { (one, $0) } })
            else {
                return
            }
            records[level][id]?.slug = second.slug
            records[level][other]?.slug = first.slug
            touch(level, other)
        case 11..<15:
            if let slug = freeSlug(level) { records[level][id]?.slug = slug }
        default:
            guard level > 0, let old = records[level][id]?.parent else { break }
            let parent = random.pick(ids(level - 1))
            records[level][id]?.parent = parent
            touch(level - 1, old)
        }
        touch(level, id)
    }

    /// Ends all trouble: what could not be taken changes by that.
    mutating func mend() {
        for place in trouble.misfits.union(trouble.nameless).sorted(by: { $0.lexicographicallyPrecedes($1) }) {
            touch(place[0], place[1])
        }
        trouble = MovingTree.Trouble()
    }

    /// Keeps some things from being read.
    mutating func disturb(_ levels: [MovingTree.Level]) {
        for level in levels.indices.dropLast() {
            for id in ids(level) {
                if random.chance(12) {
                    trouble.misfits.insert([level, id])
                    touch(level, id)
                } else if random.chance(3) {
                    trouble.nameless.insert([level, id])
                    touch(level, id)
                }
            }
        }
        for level in levels.indices.dropFirst() {
            for parent in ids(level - 1) where random.chance(15) { trouble.failures.insert([level, parent]) }
        }
        // What cannot be seen moves.
        let below = trouble.misfits.union(trouble.nameless).map { [$0[0] + 1, $0[1]] }
        let unseen = trouble.failures.union(below).sorted { $0.lexicographicallyPrecedes($1) }
        for place in unseen where place[0] < levels.count {
            for child in ids(place[0]) where records[place[0]][child]?.parent == place[1] && random.chance(60) {
                guard let slug = freeSlug(place[0]) else { continue }
                records[place[0]][child]?.slug = slug
                touch(place[0], child)
            }
        }
        if levels[0].hasItems && random.chance(30) { trouble.failures.insert([0, random.pick([0, 1])]) }
    }
}
