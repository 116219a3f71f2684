import SluiceModel

extension Publication {
    /// The same requests to an interface, answered in four years.
    static let gitHub = Publication(
        name: "github-api", folder: "github-api/octokit-fixtures",
        pipeline: """
            version: 1
            name: github
            source:
              base_url: BASE
              headers: {Accept: application/vnd.github.v3+json}
              retry: {max_attempts: 1}
            defaults: {delete_missing: {mode: hard, max_delete: 100%}}
            entities:
              Label:
                table: labels
                primary_key: name
                fields: {name: string, color: string, default: bool, description: string, node_id: string}
              Found:
                table: found
                primary_key: [repository, number]
                fields:
                  repository: {expr: '.repository_url | split("/")[-2:] | join("/")'}
                  number: int
                  title: {type: string, required: true}
                  state: {type: enum, values: [open, closed]}
                  author: {from: user.login}
                  score: decimal
                  assignee: {from: assignee.login}
                  thumbs: {from: "reactions['+1']", type: int}
                  created_at: datetime
                  whole: {from: $, type: json}
              Repository:
                table: repository
                primary_key: full_name
                fields:
                  full_name: string
                  license: {from: license.spdx_id}
                  topics: {type: json, on_missing: set_null}
                  admin: {from: permissions.admin, type: bool}
                  visibility: {type: string, on_missing: set_null}
                  pushed_at: datetime
                  squash: {from: allow_squash_merge, type: bool, default: false}
                  whole: {from: $, type: json}
              Organization:
                table: organization
                primary_key: id
                fields: {id: int, login: string, node_id: string, plan: json, whole: {from: $, type: json}}
            streams:
              - {name: labels, entity: Label, path: /repos/octokit-fixture-org/labels/labels, paginator: {type: header_link}}
              - name: found
                entity: Found
                path: /search/issues
                params: {q: "sesame repo:octokit-fixture-org/search-issues"}
                records: $.items[*]
                paginator: {type: header_link}
              - {name: repository, entity: Repository, path: /repos/octokit-fixture-org/hello-world}
              - {name: organization, entity: Organization, path: /orgs/octokit-fixture-org}
            """,
        collections: [
            Collection(
                name: "labels", key: ["name"],
                columns: [
                    Column("name"), Column("color"), Column("default", .bool), Column("description"), Column("node_id"),
                ],
                published: [8, 9, 9, 9]
            ) { try answers($0, "labels").first?.elements ?? [] },
            Collection(
                name: "found", key: ["repository", "number"],
                columns: [
                    Column("repository") { issue in
                        issue["repository_url"]?.text.map {
                            .string($0.split(separator: "/").suffix(2).joined(separator: "/"))
                        }
                    },
                    Column("number", .int), Column("title"), Column("state", .enumeration, values: ["closed", "open"]),
                    Column("author", at: "user.login"), Column("score", .decimal),
                    Column("assignee", at: "assignee.login"), Column("thumbs", .int, at: "reactions.+1"),
                    Column("created_at", .datetime), Column("whole", .json) { $0 },
                ],
                published: [2, 2, 2, 2]
            ) { try answers($0, "search-issues").flatMap { $0.list("items") } },
            Collection(
                name: "repository", key: ["full_name"],
                columns: [
                    Column("full_name"), Column("license", at: "license.spdx_id"),
                    Column("topics", .json, clears: true),
                    Column("admin", .bool, at: "permissions.admin"), Column("visibility", clears: true),
                    Column("pushed_at", .datetime),
                    Column("squash", .bool) { $0["allow_squash_merge"] ?? .bool(false) },
                    Column("whole", .json) { $0 },
                ],
                published: [
                    1, .init(1, steps: [0, 0, 1, 0]), .init(1, steps: [0, 0, 1, 0]), .init(1, steps: [0, 0, 0, 1]),
                ]
            ) { try answers($0, "get-repository") },
            Collection(
                name: "organization", key: ["id"],
                columns: [
                    Column("id", .int), Column("login"), Column("node_id"), Column("plan", .json),
                    Column("whole", .json) { $0 },
                ],
                published: [1, 1, 1, 1]
            ) { try answers($0, "get-organization") },
        ])

    /// A list in five pages, whose links lead to another path than the first request.
    static let gitHubPages = Publication(
        name: "github-api pages", folder: "github-api/octokit-fixtures",
        pipeline: """
            version: 1
            name: github-pages
            source: {base_url: BASE, retry: {max_attempts: 1}}
            entities:
              Issue:
                table: issues
                primary_key: number
                unique: [[id]]
                fields:
                  number: int
                  id: int
                  title: string
                  author: {from: user.login, required: true}
                  locked: bool
                  comments: int
                  labels: {from: "labels[*].name", type: json}
                  created_at: datetime
                  closed_at: datetime
                  reactions: {from: reactions.total_count, type: int, default: 0}
                  whole: {from: $, type: json}
            streams:
              - name: issues
                entity: Issue
                path: /repos/octokit-fixture-org/paginate-issues/issues
                paginator: {type: header_link, page_size: 3, page_size_param: per_page}
                delete_missing: {mode: hard, max_delete: 100%}
            """,
        collections: [
            Collection(
                name: "issues", key: ["number"],
                columns: [
                    Column("number", .int), Column("id", .int), Column("title"), Column("author", at: "user.login"),
                    Column("locked", .bool), Column("comments", .int),
                    Column("labels", .json) { .array($0.list("labels").compactMap { $0["name"] }) },
                    Column("created_at", .datetime), Column("closed_at", .datetime),
                    Column("reactions", .int) { $0.at("reactions.total_count") ?? .number("0") },
                    Column("whole", .json) { $0 },
                ],
                published: [13, 13, .init(13, steps: [0, 0, 0, 13])]
            ) { try answers($0, "paginate-issues").flatMap(\.elements) }
        ])

    /// What the scenarios of a version answer to requests for a list or a record.
    private static func answers(_ version: Version, _ scenario: String) throws -> [Tree] {
        let exchanges = try version.tree("\(scenario)/normalized-fixture.json").elements.filter {
            $0["method"]?.text == "get" && $0["path"]?.text?.contains("test-label") == false
        }
        return exchanges.compactMap { $0["response"] }
    }
}
