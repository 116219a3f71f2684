internal import TestSupport

/// One generated record: flat fields, a nested user, labels, and a milestone or none.
struct Issue {
    var id: Int
    var number: Int
    var title: String
    var isClosed: Bool
    var reason: String?
    var isLocked: Bool
    var comments: Int
    var reactions: Int
    var score: Int
    var user: Int
    var labels: [Label]
    var milestone: Milestone?
    var association: String
    var createdAt: String
    var updatedAt: String
    var closedAt: String?
    var body: String?

    /// The record of an index, always the same one.
    ///
    /// Identifiers ascend with gaps, and few users open most of the records.
    init(index: Int, of count: Int) {
        var random = SeededGenerator(seed: 20_261_121 &+ UInt64(index) &* 0x9E37_79B9)
        id = 2_000_000_000 + index * 41 + index % 29
        number = index + 1
        title = Self.sentence(&random, 4...11)
        if random.chance(perMille: 60) { title += " " + random.pick(Vocabulary.accents) }
        isClosed = random.chance(perMille: 550)
        reason = isClosed ? (random.chance(perMille: 800) ? "completed" : "not_planned") : nil
        isLocked = random.chance(perMille: 30)
        comments = min(random.below(8), random.below(24))
        reactions = random.below(4)
        score = random.below(100_000)
        let users = count / 20 + 50
        user = 5000 + min(random.below(users), random.below(users))
        let labelCount = random.pick([0, 0, 1, 1, 2, 2, 3, 4])
        let firstLabel = random.below(Vocabulary.labels.count)
        labels = (0..<labelCount).map { Vocabulary.labels[(firstLabel + $0 * 7) % Vocabulary.labels.count] }
        milestone = random.chance(perMille: 400) ? random.pick(Vocabulary.milestones) : nil
        association = random.pick(Vocabulary.associations)
        let created = 1_609_459_200 + random.below(94_608_000)
        createdAt = Timestamp(created).text
        updatedAt = Timestamp(created + random.below(15_552_000)).text
        closedAt = isClosed ? updatedAt : nil
        body = random.chance(perMille: 80) ? nil : Self.text(&random)
    }

    private static func sentence(_ random: inout SeededGenerator, _ length: ClosedRange<Int>) -> String {
        (0..<random.between(length.lowerBound, length.upperBound))
            .map { _ in random.pick(Vocabulary.words) }.joined(separator: " ")
    }

    private static func text(_ random: inout SeededGenerator) -> String {
        var text = sentence(&random, 5...26)
        if random.chance(perMille: 220) {
            text += " " + random.pick(Vocabulary.escapes) + " " + sentence(&random, 2...6)
        }
        if random.chance(perMille: 45) { text += " " + random.pick(Vocabulary.accents) }
        return text
    }

    /// Changes one or two mapped fields, as a day's work on the tracker would.
    mutating func edit() {
        var random = SeededGenerator(seed: 7 &+ UInt64(id))
        switch random.below(6) {
        case 0: title += " (edited)"
        case 1:
            isClosed.toggle()
            reason = isClosed ? "completed" : nil
            closedAt = isClosed ? Self.editTime : nil
            return
        case 2: comments += random.between(1, 3)
        case 3: milestone = milestone == nil ? random.pick(Vocabulary.milestones) : nil
        case 4: body = (body.map { $0 + " " } ?? "") + "update: " + Self.sentence(&random, 3...9)
        default:
            isLocked.toggle()
            return
        }
        updatedAt = Self.editTime
    }

    private static let editTime = "2026-11-02T10:00:00Z"
}
