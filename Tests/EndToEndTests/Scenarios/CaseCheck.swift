import Foundation
import Testing

/// That a record of the table `items` is the case that it is said to be, and ends as the truth table says.
///
/// The sides are read from the store and the source themselves, so that a scenario cannot claim a case that it does not
/// show, whatever its expected files hold.
struct CaseCheck {
    private let shown: Scenario.Case
    private let place: Comment
    private let policy: String?
    /// What the record looked like before: its fields' base, local and remote side, by name.
    private let before: Sides

    private struct Sides: Equatable {
        var state = "none"
        var isOpen = false
        var base: [String: String] = [:]
        var local: [String: String]?
        var remote: [String: String]?

        func base(_ field: String) -> String { base[field] ?? "∅" }
    }

    init(_ shown: Scenario.Case, on stage: ScenarioStage) throws {
        self.shown = shown
        place = "\(stage.scenario.name)/about.txt:\(shown.line), case \(shown.number)"
        policy = stage.scenario.policy
        before = try Self.sides(shown, stage)
        if let row = TruthTable.fields.first(where: { $0.number == shown.number }) {
            let local = try #require(before.local?["a"], place)
            let remote = try #require(before.remote, place)["a"] ?? "⊥"
            #expect(Self.pattern([before.base("a"), local, remote]) == row.sides, place)
        } else if let row = TruthTable.row(shown.number, local: localKind) {
            #expect(row.base.contains(before.state), place)
            #expect(row.local.contains(localKind), place)
            #expect(row.remote.contains(remoteKind), place)
        }
    }

    // MARK: Before

    private static func sides(_ shown: Scenario.Case, _ stage: ScenarioStage) throws -> Sides {
        var sides = Sides()
        if let base = try stage.base(of: shown.record) {
            sides.state = base.state
            sides.isOpen = base.isOpen
            sides.base = Dictionary(uniqueKeysWithValues: base.fields.map { ($0.name, $0.text) })
        }
        let names = try stage.rows("SELECT name FROM pragma_table_info('items')").map { $0[0].dropFirst().dropLast() }
        let row = try stage.rows("SELECT * FROM items WHERE id = \(shown.record)").first
        sides.local = row.map { Dictionary(uniqueKeysWithValues: zip(names.map(String.init), $0)) }
        // A row that is marked as deleted counts as absent, whoever marked it.
        if let mark = sides.local?["_deleted_at"], mark != "NULL" { sides.local = nil }
        let text = try #require(stage.scenario.remote(in: shown.step)["remote.json"])
        let records = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [[String: Any]]
        let record = records?.first { $0["id"] as? Int == Int(shown.record) && $0["deleted"] as? Bool != true }
        sides.remote = record?.compactMapValues { value in
            (value as? String).map { "'\($0)'" } ?? (value is NSNull ? "NULL" : nil)
        }
        return sides
    }

    /// Values by the order in which they come, as the truth table calls them.
    private static func pattern(_ sides: [String]) -> [String] {
        var names: [String: String] = ["∅": "∅", "⊥": "⊥", "NULL": "n"]
        return sides.map { side in
            if let name = names[side] { return name }
            let name = ["a", "b", "c"].first { !names.values.contains($0) } ?? "?"
            names[side] = name
            return name
        }
    }

    private var localKind: String {
        guard let local = before.local else { return "absent" }
        let isClean = local.allSatisfy { name, value in
            name == "id" || name.hasPrefix("_deleted") || before.base(name) == value
                || (before.base(name) == "∅" && value == "NULL")
        }
        return isClean ? "clean" : "edited"
    }

    private var remoteKind: String {
        guard let remote = before.remote else { return "gone" }
        return remote.allSatisfy { before.base($0.key) == $0.value } ? "=" : "≠"
    }

    // MARK: After

    /// Compares what the run left of the record with the truth table.
    func verify(on stage: ScenarioStage) throws {
        let now = try Self.sides(shown, stage)
        if let row = TruthTable.fields.first(where: { $0.number == shown.number }) {
            try verify(row, now)
        } else if let row = TruthTable.row(shown.number, local: localKind) {
            verify(row, now)
        } else {
            #expect(now == before, place)
        }
    }

    private func verify(_ row: TruthTable.FieldCase, _ now: Sides) throws {
        let local = try #require(before.local?["a"], place)
        let remote = try #require(before.remote, place)["a"]
        var values = ["∅": "∅", "n": "NULL"]
        for (name, value) in zip(row.sides, [before.base("a"), local, remote ?? "⊥"]) { values[name] = value }
        var (result, newBase, isOpen) = (values[row.result], values[row.newBase], false)
        switch (policy, row.result) {
        case ("owner remote", _): result = remote ?? local
        case ("owner local", _): result = local
        case ("remote_wins", "policy"): result = remote
        case ("local_wins", "policy"): result = local
        case (nil, "policy"): (result, newBase, isOpen) = (local, before.base("a"), true)
        default: break
        }
        #expect(now.local?["a"] == result, place)
        #expect(now.base("a") == newBase, place)
        #expect(now.isOpen == isOpen, place)
    }

    private func verify(_ row: TruthTable.RowCase, _ now: Sides) {
        switch row.action {
        case .insert:
            for (name, value) in before.remote ?? [:] { #expect(now.local?[name] == value, place) }
        case .nothing: #expect(now.local == before.local, place)
        case .delete: #expect(now.local == nil, place)
        case .merge: #expect(now.local != nil, place)
        case .policy where policy == nil:
            #expect(now.isOpen && now.local == before.local && now.state == before.state, place)
            return
        case .policy where policy == "local_wins":
            #expect(now.local == before.local, place)
        case .policy:
            for (name, value) in before.remote ?? [:] { #expect(now.local?[name] == value, place) }
            #expect((now.local == nil) == (before.remote == nil), place)
        }
        let states =
            row.newBase == "same"
            ? [before.state] : row.newBase.split(separator: ",").map(String.init)
        #expect(states.contains(now.state), place)
    }
}
