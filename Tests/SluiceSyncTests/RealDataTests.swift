import FoundationEssentials
import SluiceJSON
import SluiceModel
import SluicePipeline
import SluiceReport
import SluiceSQLite
import SluiceStore
import Testing

/// A published collection in several versions, and what a pipeline takes of it.
struct Dataset: CustomTestStringConvertible, Sendable {
    let name: String
    let folder: String
    /// The page or pages of a version, relative to its folder.
    let path: String
    var records: String?
    let key: [String]
    let fields: [FieldDefinition]
    /// Records without their key, version by version, as its publisher's notes give them.
    var keyless: [Int] = []

    var testDescription: String { name }

    /// The folder with the data beside the project's own.
    static let root: String = {
        var url = URL(fileURLWithPath: #filePath)
        for _ in 0..<4 { url = url.deletingLastPathComponent() }
        return url.appendingPathComponent("shared/data").path
    }()

    static var isThere: Bool { FileManager.default.fileExists(atPath: root) }

    var versions: [String] {
        get throws {
            try FileManager.default.contentsOfDirectory(atPath: "\(Self.root)/\(folder)").filter {
                !$0.hasSuffix(".md")
            }.sorted()
        }
    }

    /// The records of a version as the tests read them, page by page in the order of their names.
    func trees(_ version: String) throws -> [Tree] {
        let place = "\(Self.root)/\(folder)/\(version)"
        var files = ["\(place)/\(path)"]
        if path.hasSuffix("/*.json") {
            let pages = "\(place)/\(path.dropLast(7))"
            files = try FileManager.default.contentsOfDirectory(atPath: pages).filter { $0.hasSuffix(".json") }.sorted()
                .map { "\(pages)/\($0)" }
        }
        return try files.flatMap { file -> [Tree] in
            let tree = try Tree(parsing: Array(try Data(contentsOf: URL(fileURLWithPath: file))))
            return records == nil ? tree.elements : tree["matches"]?.elements ?? []
        }
    }
}

/// What a store must hold, computed from the trees alone.
private struct Expectation {
    let dataset: Dataset
    var rows: [[FieldValue]: [FieldValue]] = [:]
    private(set) var summary = ""

    init(_ dataset: Dataset) { self.dataset = dataset }

    private var keyFields: [Int] { dataset.key.compactMap { name in dataset.fields.firstIndex { $0.name == name } } }

    mutating func take(_ records: [Tree]) {
        var counts = RunSummary()
        var seen: Set<[FieldValue]> = []
        var lostKeys = 0
        for record in records {
            let values = dataset.fields.map { map($0, record) }
            let key = keyFields.compactMap { index -> FieldValue? in
                if case .value(let value) = values[index] { value } else { nil }
            }
            if key.count < keyFields.count {
                lostKeys += 1
                counts.quarantined += 1
                continue
            }
            seen.insert(key)
            if values.contains(where: { if case .mismatch = $0 { true } else { false } }) {
                counts.quarantined += 1
            } else if var row = rows[key] {
                var isChanged = false
                for (index, value) in values.enumerated() {
                    guard case .value(let value) = value else { continue }
                    if same(value, row[index], dataset.fields[index].type) { continue }
                    row[index] = value
                    isChanged = true
                }
                rows[key] = row
                if isChanged { counts.update += 1 } else { counts.unchanged += 1 }
            } else {
                rows[key] = values.map { if case .value(let value) = $0 { value } else { .null } }
                counts.insert += 1
            }
        }
        if lostKeys == 0 {
            for key in rows.keys where !seen.contains(key) {
                rows[key] = nil
                counts.delete += 1
            }
        }
        summary = counts.text
    }

    private enum Mapped {
        case absent, mismatch
        case value(FieldValue)
    }

    private func map(_ field: FieldDefinition, _ record: Tree) -> Mapped {
        guard case .path(let path) = field.origin,
            let found = record.at(path.text.replacing("[", with: ".").replacing("]", with: ""))
        else { return .absent }
        if found == .null { return .value(.null) }
        var tree = found
        if field.timezone == "UTC", case .string(let text) = found { tree = .string(text + "Z") }
        return slowValue(tree, type: field.type, values: field.values).map { .value($0) } ?? .mismatch
    }

    private func same(_ left: FieldValue, _ right: FieldValue, _ type: FieldType) -> Bool {
        guard left != right, case .text(let one) = left, case .text(let other) = right else { return left == right }
        let texts = (String(decoding: one, as: UTF8.self), String(decoding: other, as: UTF8.self))
        switch type {
        case .decimal: return SlowNumber(texts.0)?.canonical == SlowNumber(texts.1)?.canonical
        case .json:
            guard let left = try? Tree(texts.0), let right = try? Tree(texts.1) else { return false }
            return left.canonical == right.canonical
        default: return false
        }
    }
}

@Suite("Published data, version after version")
struct RealDataTests {
    @Test(
        "Counts, values, plans and repeated runs",
        .enabled(if: Dataset.isThere, "the folder shared/data is not beside the project"), arguments: try datasets())
    func versions(_ dataset: Dataset) throws {
        let shop = try Workshop(fields: dataset.fields, rule: DeleteRule(mode: .hard, maximum: .percent(100)))
        shop.key = dataset.key
        shop.records = try dataset.records.map { try JSONPath(parsing: $0) }
        shop.path = dataset.path
        var expected = Expectation(dataset)
        let versions = try dataset.versions
        #expect(versions.count > 1)
        for (number, version) in versions.enumerated() {
            let trees = try dataset.trees(version)
            shop.base = "\(Dataset.root)/\(dataset.folder)/\(version)"
            let (report, recorder) = try shop.syncPlanned()
            #expect(report.status == .succeeded, "\(version)")
            expected.take(trees)
            #expect(report.summary.text == expected.summary, "\(version)")
            #expect(report.streams[0].read == trees.count)
            #expect(report.streams[0].duplicates == 0)
            let stored = try rows(shop, dataset)
            #expect(stored.count == expected.rows.count, "\(version)")
            for (key, row) in expected.rows {
                #expect(stored[key] == row, "\(version) \(key)")
                if stored[key] != row { break }
            }
            let lost = dataset.keyless.indices.contains(number) ? dataset.keyless[number] : 0
            #expect(recorder.quarantine.filter { $0.key == nil }.count == lost, "\(version)")
            #expect(report.streams[0].isComplete == (lost == 0))
            #expect(
                report.problems.filter { $0.severity != .note }.map(\.code) == (lost == 0 ? [] : ["incomplete_scan"]))
            let (again, written) = try shop.quietRun()
            #expect(written == [], "\(version)")
            #expect(again.summary.unchanged == trees.count - report.summary.quarantined, "\(version)")
            #expect(again.summary.unchanged + again.summary.quarantined == trees.count, "\(version)")
        }
    }

    private func rows(_ shop: Workshop, _ dataset: Dataset) throws -> [[FieldValue]: [FieldValue]] {
        let connection = try Connection(path: shop.store, mode: .existing)
        var rows: [[FieldValue]: [FieldValue]] = [:]
        let keys = dataset.key.compactMap { name in dataset.fields.firstIndex { $0.name == name } }
        for row in try connection.rows("SELECT \(SQLName.list(dataset.fields.map(\.column))) FROM items") {
            let values = row.map { value -> FieldValue in
                switch value {
                case .null: .null
                case .integer(let value): .integer(value)
                case .real(let value): .real(value)
                case .text(let bytes): .text(bytes)
                case .blob(let bytes): .blob(bytes)
                }
            }
            rows[keys.map { values[$0] }] = values
        }
        return rows
    }

    static func datasets() throws -> [Dataset] {
        [
            Dataset(
                name: "countries", folder: "countries", path: "countries.json", key: ["cca3"],
                fields: try [
                    field("cca3"), field("cca2"), field("ccn3"), field("cioc"), field("common", from: "name.common"),
                    field("official", from: "name.official"), field("native", .json, from: "name.native"),
                    field("independent", .bool), field("status"), field("un_member", .bool, from: "unMember"),
                    field("region"), field("subregion"), field("capital", .json), field("currencies", .json),
                    field("languages", .json), field("translations", .json),
                    field("latitude", .decimal, from: "latlng[0]"),
                    field("longitude", .double, from: "latlng[1]"), field("latlng", .json), field("area", .decimal),
                    field("landlocked", .bool), field("borders", .json), field("flag"), field("tld", .json),
                    field("idd_root", from: "idd.root"), field("suffix", .int, from: "idd.suffixes[0]"),
                    field("demonym", from: "demonyms.eng.m"), field("german", from: "translations.deu.common"),
                ]),
            Dataset(
                name: "browser-specs", folder: "browser-specs", path: "index.json", key: ["shortname"],
                fields: try [
                    field("shortname"), field("url", .url), field("title"), field("short_title", from: "shortTitle"),
                    field("series", .json), field("series_shortname", from: "series.shortname"),
                    field("series_version", .decimal, from: "seriesVersion"),
                    field("composition", .enumeration, from: "seriesComposition", values: ["full", "delta", "fork"]),
                    field("nightly", .json), field("nightly_url", .url, from: "nightly.url"), field("organization"),
                    field("groups", .json), field("first_group", from: "groups[0].name"), field("source"),
                    field("categories", .json), field("standing"), field("release", .json),
                    field("release_url", .url, from: "release.url"), field("tests", .json),
                    field("previous", from: "seriesPrevious"), field("next", from: "seriesNext"),
                    field("former_names", .json, from: "formerNames"),
                    field("obsoleted_by", .json, from: "obsoletedBy"),
                ]),
            Dataset(
                name: "football-season", folder: "football-season", path: "en.1.json", records: "$.matches[*]",
                key: ["round", "team1", "team2"],
                fields: try [
                    field("date", .date), field("time"), field("team2"), field("round"), field("score", .json),
                    field("team1"), field("home", .int, from: "score.ft[0]"), field("away", .int, from: "score.ft[1]"),
                    field("home_half", .int, from: "score.ht[0]"), field("away_half", .int, from: "score.ht[1]"),
                ]),
            Dataset(
                name: "geo-csc regions", folder: "geo-csc", path: "regions.json", key: ["id"],
                fields: try [
                    field("id", .int), field("name"), field("translations", .json), field("wiki", from: "wikiDataId"),
                ]),
            Dataset(
                name: "geo-csc subregions", folder: "geo-csc", path: "subregions.json", key: ["id"],
                fields: try [
                    field("id", .int), field("name"), field("region_id", .int), field("translations", .json),
                    field("wiki", from: "wikiDataId"), field("french", from: "translations.fr"),
                ]),
            Dataset(
                name: "geo-csc countries", folder: "geo-csc", path: "countries.json", key: ["id"],
                fields: try [
                    field("id", .int), field("name"), field("iso3"), field("iso2"),
                    field("numeric", .int, from: "phonecode"),
                    field("numeric_code"), field("capital"), field("currency"), field("currency_name"),
                    field("currency_symbol"), field("tld"), field("native"), field("population", .int),
                    field("gdp", .decimal),
                    field("region_id", .int), field("subregion_id", .int), field("nationality"),
                    field("area", .double, from: "area_sq_km"),
                    field("postal_code_format"), field("postal_code_regex"), field("timezones", .json),
                    field("offset", .int, from: "timezones[0].gmtOffset"), field("translations", .json),
                    field("chinese", from: "translations.zh-CN"),
                    field("latitude", .decimal), field("longitude", .double), field("emoji"),
                    field("wiki", from: "wikiDataId"),
                ]),
            Dataset(
                name: "geo-csc cities", folder: "geo-csc", path: "cities/*.json", key: ["id"],
                fields: try [
                    field("id", .int), field("name"), field("state_id", .int), field("state_code"),
                    field("country_id", .int),
                    field("country_code"), field("kind", from: "type"), field("level", .int), field("parent_id", .int),
                    field("latitude", .decimal), field("longitude", .decimal), field("native"),
                    field("population", .int),
                    field("timezone"), field("translations", .json), field("created_at", .datetime, timezone: "UTC"),
                    field("updated_at", .datetime, timezone: "UTC"), field("flag", .int),
                    field("wiki", from: "wikiDataId"),
                ], keyless: [0, 0, 5]),
            Dataset(
                name: "gemoji", folder: "gemoji", path: "emoji.json", key: ["emoji"],
                fields: try [
                    field("emoji"), field("description"), field("category"), field("aliases", .json),
                    field("alias", from: "aliases[0]"), field("tags", .json), field("tag", from: "tags[1]"),
                    field("unicode_version", .decimal), field("ios_version"), field("skin_tones", .bool),
                ], keyless: [17, 0, 0]),
        ]
    }
}
