import Foundation
import TestSupport

/// Places and files that are no store, or not for this user.
extension BadStoreTests {
    private static func overwrite(_ scene: Scene, _ range: Range<Int>, with byte: UInt8 = 0xA5) throws {
        var bytes = [UInt8](try Data(contentsOf: URL(filePath: scene.store)))
        for index in range where bytes.indices.contains(index) { bytes[index] = byte }
        try scene.write("shop.db", bytes: bytes)
    }

    static let rows: [Row] = [
        Row(name: "a folder", store: "stores", words: ["`stores` is a folder", "--store sqlite:stores/shop.db"]) {
            try FileManager.default.createDirectory(
                atPath: $0.folder.file("stores"), withIntermediateDirectories: false)
        },
        Row(
            name: "in a folder that is not there", store: "no/such/a b.db",
            words: ["`no/such/a b.db`", "mkdir -p no/such"], planWords: []
        ) { _ in },
        Row(name: "a device", store: "/dev/null", words: ["`/dev/null` is no regular file", "--store"]) { _ in },
        Row(name: "a letter", store: "letter.txt", words: ["`letter.txt` is not an SQLite database", "--store"]) {
            try $0.write("letter.txt", String(repeating: "This is a letter, not a database.\n", count: 50))
        },
        Row(
            name: "of a newer format", words: ["`shop.db` has format 999", "knows formats up to ", "the newer version"]
        ) {
            try $0.execute("UPDATE _sluice_schema SET value = '999' WHERE kind = 'format'")
        },
        Row(
            name: "of a format that is no number",
            words: ["format of the store `shop.db` cannot be read", "Restore a copy"]
        ) {
            try $0.execute("UPDATE _sluice_schema SET value = 'new' WHERE kind = 'format'")
        },
        Row(name: "without its format", words: ["format of the store `shop.db` cannot be read", "Restore a copy"]) {
            try $0.execute("DELETE FROM _sluice_schema WHERE kind = 'format'")
        },
        Row(
            name: "with a format of another shape",
            words: ["format of the store `shop.db` cannot be read", "Restore a copy"]
        ) {
            try $0.execute("DROP TABLE _sluice_schema; CREATE TABLE _sluice_schema (a)")
        },
        Row(name: "with a header that was overwritten", words: ["`shop.db` is not an SQLite database", "--store"]) {
            try overwrite($0, 0..<100)
        },
        Row(name: "with a schema that was overwritten", words: ["`shop.db` is damaged", "sqlite3 shop.db .recover"]) {
            try overwrite($0, 100..<2000)
        },
        Row(
            name: "overwritten in the middle",
            words: ["`shop.db` is damaged", "Restore a copy", "sqlite3 shop.db .recover"]
        ) {
            try overwrite($0, 8192..<(1 << 20))
        },
        Row(name: "cut off", words: ["`shop.db` is damaged", "Restore a copy", "sqlite3 shop.db .recover"]) {
            try $0.write("shop.db", bytes: Array(Data(contentsOf: URL(filePath: $0.store)).prefix(10_000)))
        },
    ]

    /// What permissions forbid.
    static let permissions: [Row] = [
        Row(
            name: "that may only be read",
            words: ["This user may read the store `shop.db` but not write to it.", "ls -l shop.db"],
            planWords: []
        ) { try $0.permit(0o444, "shop.db") },
        Row(
            name: "in a folder that may only be read",
            words: ["`shop.db` cannot be written", "may not create files in its folder", "ls -ld ."],
            planWords: []
        ) { try $0.permit(0o555) },
        Row(
            name: "that may only be read, in such a folder",
            words: ["This user may read the store `shop.db` but not write to it.", "ls -l shop.db"],
            planWords: []
        ) {
            try $0.permit(0o444, "shop.db")
            try $0.permit(0o555)
        },
        Row(
            name: "that may not be read", words: ["This user may not read the store `shop.db`.", "ls -l shop.db"]
        ) { try $0.permit(0, "shop.db") },
        Row(
            name: "that is new, in a folder that may only be read", store: "new.db",
            words: ["`new.db` cannot be created", "may not create files in its folder", "ls -ld .", "--store"],
            planWords: []
        ) { try $0.permit(0o555) },
    ]
}
