import SluiceSchedule
import SluiceStore

/// The partitions of one share in memory, with what was asked of them counted. It has no clock: what somebody holds is free
/// once a test says so.
final class MemoryPartitionLedger: PartitionLedger {
    private struct Row {
        let part: String
        var answer: PartitionAnswer
        var reader: String?
        var place = ""
        var token: Int64 = 0
        var pages: [SharedPage] = []
    }

    private var rows: [Row]
    private(set) var calls: [String: Int] = [:]
    /// Is called before something is kept.
    var onKeep: (PartitionClaim) -> Void = { _ in }

    init(_ parts: [String]) {
        rows = parts.enumerated().map { position, part in
            Row(part: part, answer: PartitionAnswer(position: position, state: .open, text: "", place: ""))
        }
    }

    private func count(_ name: String) { calls[name, default: 0] += 1 }

    /// Whoever holds a partition was not heard of.
    func lapse(_ position: Int) { rows[position].reader = nil }

    func open(_ plan: SharedPlan, by ticket: PoolTicket) throws -> (share: PartitionShare, worker: String) {
        throw StoreError(.failed, "It is open.")
    }

    func share(_ id: Int64) throws -> PartitionShare? { nil }

    func claim(_ count: Int, of share: PartitionShare, as claimant: PartitionClaimant) throws -> [PartitionClaim] {
        self.count("claim")
        let free = rows.indices.filter { position in
            let (answer, reader) = (rows[position].answer, rows[position].reader)
            return answer.state == .open && reader == nil && (claimant.role == .run || answer.text.isEmpty)
        }.prefix(count)
        return free.map { position in
            let before = rows[position].answer
            (rows[position].reader, rows[position].place) = (claimant.id, "at \(claimant.worker)")
            rows[position].token += 1
            return PartitionClaim(
                position: position, token: rows[position].token, partition: rows[position].part,
                givenBack: before.text.isEmpty ? nil : .init(text: before.text, place: before.place))
        }
    }

    func renew(_ share: PartitionShare, of claimant: PartitionClaimant) throws {}

    func release(_ share: PartitionShare, of claimant: PartitionClaimant) throws {
        for position in rows.indices where rows[position].reader == claimant.id { rows[position].reader = nil }
    }

    func keep(
        _ answer: PartitionAnswer, _ pages: [SharedPage], by claim: PartitionClaim, of share: PartitionShare,
        as claimant: PartitionClaimant
    ) throws -> Bool {
        count("keep")
        onKeep(claim)
        let row = rows[claim.position]
        guard row.answer.state == .open, row.reader == claimant.id, row.token == claim.token else { return false }
        rows[claim.position].answer = PartitionAnswer(
            position: claim.position, state: answer.state, text: answer.text, place: row.place)
        (rows[claim.position].pages, rows[claim.position].reader) = (pages, nil)
        return true
    }

    func openCounts(of share: PartitionShare) throws -> (free: Int, held: Int) {
        count("openCounts")
        let open = rows.filter { $0.answer.state == .open }
        return (open.count { $0.reader == nil }, open.count { $0.reader != nil })
    }

    func answers(of share: PartitionShare) throws -> [PartitionAnswer] {
        count("answers")
        return rows.map(\.answer)
    }

    func pages(at position: Int, of share: PartitionShare) throws -> [SharedPage] {
        count("pages")
        return rows[position].pages
    }

    func conclude(pipeline: String, stream: String, run: Int64) throws {}
}
