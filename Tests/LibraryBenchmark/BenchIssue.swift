import Sluice

/// A record of the bench as a program keeps it: twelve columns.
@PersistentModel(table: "issues", names: .snakeCase)
struct BenchIssue: Decodable {
    let id: Int
    var number: Int
    var title: String
    var state: String
    var locked: Bool
    var comments: Int
    @Attribute(json: "user.id") var userId: Int
    @Attribute(json: "milestone.id") var milestoneId: Int?
    var createdAt: String
    var updatedAt: String
    var closedAt: String?
    var body: String?
    var origin = Origin()
}

/// The same as a program without the library decodes it.
struct DecodedIssue: Decodable {
    struct Reference: Decodable { let id: Int }

    let id: Int
    let number: Int
    let title: String
    let state: String
    let locked: Bool
    let comments: Int
    let user: Reference
    let milestone: Reference?
    let createdAt: String
    let updatedAt: String
    let closedAt: String?
    let body: String?

    enum CodingKeys: String, CodingKey {
        case id, number, title, state, locked, comments, user, milestone, body
        case createdAt = "created_at"
        case updatedAt = "updated_at"
        case closedAt = "closed_at"
    }

    var model: BenchIssue {
        BenchIssue(
            id: id, number: number, title: title, state: state, locked: locked, comments: comments, userId: user.id,
            milestoneId: milestone?.id, createdAt: createdAt, updatedAt: updatedAt, closedAt: closedAt, body: body)
    }
}

extension BenchIssue {
    /// A made-up record, as the floor makes it.
    init(made number: Int) {
        self.init(
            id: number, number: number, title: "Issue \(number)", state: "open", locked: number % 3 == 0,
            comments: number % 7, userId: number % 1000, milestoneId: nil, createdAt: "2024-05-17T08:00:00Z",
            updatedAt: "2024-05-18T08:00:00Z", closedAt: nil,
            body: "What happens, what should happen instead, and how to make it happen again: \(number)")
    }
}
