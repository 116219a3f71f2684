extension RelatedPublication {
    /// Recorded answers of an interface: issues of two lists with their users, and labels that a repository has.
    static let recordedAnswers = RelatedPublication(
        name: "github-api/octokit-fixtures",
        pipeline: """
            version: 1
            name: answers
            source: {base_url: "file:BASE"}
            defaults: {delete_missing: {mode: hard, max_delete: 100%}}
            entities:
              Issue:
                table: issues
                primary_key: url
                fields:
                  url: url
                  title: string
                  author: {ref: User, from: user}
                  assignee: {ref: User}
                  repository: {ref: Repository, from: repository_url}
              User: {table: users, primary_key: id, fields: {id: int, login: string}}
              Repository:
                table: repositories
                primary_key: url
                fields:
                  url: url
                  labels: {refs: Label, via: repository_labels}
              Label: {table: labels, primary_key: name, fields: {name: string, color: string}}
            streams:
              - name: issues
                entity: Issue
                path: "*/normalized-fixture.json"
                records:
                  jq: '.[] | .response | objects.items // . | if type == "array" then .[] else . end | objects | select(.user and .number)'
              - name: repositories
                entity: Repository
                path: labels/normalized-fixture.json
                records:
                  jq: 'first(.[] | select(.method == "get")) | {url: "https://api.github.com\\(.path | rtrimstr("/labels"))", labels: .response}'
            """,
        tables: [
            Table(
                origin: .stream("issues"), key: 1,
                stored: """
                    SELECT url, title, author_id, assignee_id, coalesce(repository_url, (SELECT
                    json_extract(target_key, '$[0]') FROM _sluice_pending WHERE "table" = 'issues'
                    AND key = json_array(url))) FROM issues
                    """,
                published: """
                    SELECT i.value->>'url', i.value->>'title', i.value->>'$.user.id', i.value->>'$.assignee.id',
                    i.value->>'repository_url' FROM \(issues)
                    """),
            Table(
                origin: .embedded("User", in: "issues"), key: 1, stored: "SELECT id, login FROM users",
                published: """
                    SELECT id, login FROM (SELECT i.value->>'$.user.id' AS id, i.value->>'$.user.login' AS login,
                    min(printf('%s %4d %4d', file, q.key, part.id)) FROM \(issues) GROUP BY 1)
                    """),
            Table(
                origin: .stream("repositories"), key: 1,
                stored: """
                    SELECT url, (SELECT group_concat(x) FROM (SELECT label_name AS x FROM repository_labels
                    WHERE repository_url = url ORDER BY 1)) FROM repositories
                    """,
                published: """
                    SELECT 'https://api.github.com/repos/octokit-fixture-org/labels', (SELECT group_concat(name) FROM
                    (SELECT l.value->>'name' AS name FROM \(labels) ORDER BY 1))
                    """),
            Table(
                origin: .embedded("Label", in: "repositories"), key: 1, stored: "SELECT name, color FROM labels",
                published: "SELECT l.value->>'name', l.value->>'color' FROM \(labels)"),
        ], waiting: ["repository": ("repositories", "url")])

    private static let issues = """
        published, json_each(body) AS q, json_each(q.value, CASE json_type(q.value, '$.response.items')
        WHEN 'array' THEN '$.response.items' ELSE '$.response' END) AS part, json_each(CASE
        WHEN part.type = 'object' AND typeof(part.key) = 'integer' THEN json_array(json(part.value))
        WHEN part.key = 'number' THEN json_array(json_extract(q.value, '$.response')) ELSE '[]' END) AS i
        WHERE file LIKE '%/normalized-fixture.json' AND i.value->>'user' IS NOT NULL AND i.value->>'number' IS NOT NULL
        """
    private static let labels = """
        published, json_each(body, '$[0].response') AS l WHERE file = 'labels/normalized-fixture.json'
        """
}
