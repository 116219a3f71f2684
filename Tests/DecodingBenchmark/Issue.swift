/// A record of the kind that an issue tracker sends.
struct Issue: Codable, Equatable {
    var id: Int
    var nodeID: String
    var number: Int
    var link: String
    var title: String
    var state: String
    var stateReason: String?
    var isLocked: Bool
    var comments: Int
    var reactions: Int
    var score: Double
    var user: User
    var labels: [Label]
    var milestone: Milestone?
    var authorAssociation: String
    var createdAt: String
    var updatedAt: String
    var closedAt: String?
    var body: String?

    enum CodingKeys: String, CodingKey {
        case id
        case nodeID = "node_id"
        case number
        case link = "html_url"
        case title, state
        case stateReason = "state_reason"
        case isLocked = "locked"
        case comments, reactions, score, user, labels, milestone
        case authorAssociation = "author_association"
        case createdAt = "created_at"
        case updatedAt = "updated_at"
        case closedAt = "closed_at"
        case body
    }

    struct User: Codable, Equatable {
        var id: Int
        var login: String
        var url: String
        var type: String
    }

    struct Label: Codable, Equatable {
        var id: Int
        var name: String
        var color: String
    }

    struct Milestone: Codable, Equatable {
        var id: Int
        var number: Int
        var title: String
        var state: String
        var dueOn: String

        enum CodingKeys: String, CodingKey {
            case id, number, title, state
            case dueOn = "due_on"
        }
    }
}

extension Issue {
    /// The text of one of many records, each a little different; the members in the order of the type.
    static func json(_ number: Int) -> [UInt8] {
        let words = ["memory", "scheduler", "ünicode", "timeout", "index", "parser", "crash", "build"]
        func word(_ offset: Int) -> String { words[(number &* 31 &+ offset &* 7) % words.count] }
        let isClosed = number % 3 != 0
        let labels = (0..<number % 4).map { label in
            #"{"id":\#(2000 + label),"name":"kind/\#(word(label))","color":"d73a4a"}"#
        }
        var milestone = "null"
        if number % 2 == 0 {
            milestone = #"{"id":\#(number / 50),"number":\#(number % 50),"title":"v1.\#(number % 50)","#
            milestone += #""state":"open","due_on":"2026-12-01T08:00:00Z"}"#
        }
        let body =
            number % 5 == 0
            ? "null" : "\"The \(word(1)) fails with a \(word(2)).\\nSee \\\"\(word(3))\\\" of the \(word(4)).\""
        return Array(
            """
            {"id":\(1_000_000_000 + number),"node_id":"I_kwDOABCD\(number)","number":\(number),\
            "html_url":"https://example.org/projects/sluice/issues/\(number)",\
            "title":"The \(word(0)) of the \(word(5)) needs attention",\
            "state":"\(isClosed ? "closed" : "open")","state_reason":\(isClosed ? "\"completed\"" : "null"),\
            "locked":\(number % 7 == 0),"comments":\(number % 40),"reactions":\(number % 11),\
            "score":\(number % 100).25,\
            "user":{"id":\(number % 997),"login":"user-\(number % 997)","url":"https://example.org/u/\(number % 997)",\
            "type":"User"},"labels":[\(labels.joined(separator: ","))],"milestone":\(milestone),\
            "author_association":"CONTRIBUTOR","created_at":"2026-01-02T03:04:05Z","updated_at":"2026-05-06T07:08:09Z",\
            "closed_at":\(isClosed ? "\"2026-06-07T08:09:10Z\"" : "null"),"body":\(body)}
            """.utf8)
    }
}
