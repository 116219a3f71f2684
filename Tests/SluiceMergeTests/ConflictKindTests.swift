import Foundation
import SluiceMerge
import Testing

struct ConflictKindTests {
    /// Programs compare kinds with names of the library: it has one for each.
    @Test func theLibraryNamesEachKind() throws {
        let root = #filePath.components(separatedBy: "/Tests/")[0]
        let source = try String(contentsOfFile: root + "/Sources/Sluice/Runs/AnyConflict.swift", encoding: .utf8)
        let names = source.matches(of: /ConflictKind\(description: "(\w+)"\)/).map { String($0.1) }
        #expect(Set(names) == Set(ConflictKinds.all) && names.count == ConflictKinds.all.count)
    }
}
