import SluiceModel

extension Publication {
    /// A file for each record, which is identified by the file's name; most keys have several types.
    static let scoop = Publication(
        name: "scoop-manifests", folder: "scoop-manifests",
        pipeline: """
            version: 1
            name: scoop
            source: {base_url: "file:BASE"}
            entities:
              Manifest:
                table: manifests
                primary_key: app
                fields:
                  app: {value: "{{ file.stem }}"}
                  origin: {value: "bucket/{{ file.stem }}.json"}
                  version: {type: string, required: true}
                  homepage: url
                  license: {type: string, on_type_mismatch: set_null}
                  license_id: {expr: '.license | if type == "object" then .identifier else . end'}
                  bin: {type: json, on_missing: set_null}
                  programs: {type: int, expr: '.bin | if type == "array" then length elif . then 1 else 0 end'}
                  download: {type: url, expr: '.architecture."64bit".url // .url | if type == "array" then .[0] else . end'}
                  checks: {from: checkver, type: json, on_missing: set_null}
                  notes: {type: json, on_missing: set_null}
                  remark: {from: "$['##']", type: json, on_missing: set_null}
                  whole: {from: $, type: json}
            streams:
              - name: manifests
                entity: Manifest
                path: bucket/*.json
                delete_missing: {mode: hard, max_delete: 100%}
            """,
        collections: [
            Collection(
                name: "manifests", key: ["app"],
                columns: [
                    Column("app", at: "FILE"), Column("origin") { .string("bucket/\($0["FILE"]?.text ?? "").json") },
                    Column("version"), Column("homepage", .url), Column("license", forgives: true),
                    Column("license_id") { $0.at("license.identifier") ?? $0["license"] },
                    Column("bin", .json, clears: true),
                    Column("programs", .int) { manifest in
                        guard case .array(let list)? = manifest["bin"] else {
                            return .number(manifest["bin"] == nil ? "0" : "1")
                        }
                        return .number("\(list.count)")
                    },
                    Column("download", .url) { manifest in
                        let url = manifest.at("architecture.64bit.url") ?? manifest["url"]
                        return url?.elements.first ?? url ?? .null
                    },
                    Column("checks", .json, at: "checkver", clears: true), Column("notes", .json, clears: true),
                    Column("remark", .json, at: "##", clears: true), Column("whole", .json, read: withoutFile),
                ],
                published: [177, .init(222, steps: [48, 3, 141, 33]), .init(257, steps: [36, 1, 154, 67])],
                records: manifests)
        ])

    /// The same with types that many records do not fit: these wait in quarantine, and come as soon as they fit.
    static let strictScoop = Publication(
        name: "scoop-manifests, with types that do not fit", folder: "scoop-manifests",
        pipeline: """
            version: 1
            name: scoop-strict
            source: {base_url: "file:BASE/bucket"}
            entities:
              Manifest:
                table: manifests
                primary_key: app
                fields:
                  app: {value: "{{ file.stem }}"}
                  version: string
                  bin: string
                  license: string
                  url: {type: url, on_missing: set_null}
            streams:
              - {name: manifests, entity: Manifest, path: "[a-m]*.json", delete_missing: report}
            """,
        collections: [
            Collection(
                name: "manifests", key: ["app"],
                columns: [
                    Column("app", at: "FILE"), Column("version"), Column("bin"), Column("license"),
                    Column("url", .url, clears: true),
                ], deletes: false
            ) { version in try manifests(version).filter { ("a"..."m").contains($0["FILE"]?.text?.first ?? "z") } }
        ])

    /// The manifests of a version, each with the name of its file under a key that none has.
    @Sendable
    private static func manifests(_ version: Version) throws -> [Tree] {
        try version.stems("bucket").map { try version.tree("bucket/\($0).json").adding("FILE", .string($0)) }
    }

    @Sendable
    private static func withoutFile(_ manifest: Tree) -> Tree? {
        .object(manifest.members.filter { $0.name != "FILE" })
    }
}
