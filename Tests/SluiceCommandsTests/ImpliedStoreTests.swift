import SluiceStores
import Testing

@testable import SluiceCommands

/// A command that names neither files nor a store means the store that a run with the same words fills.
@Suite("The store that nothing names") struct ImpliedStoreTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        var variable: String?
        var hasStandard = false
        var folder: [String] = []
        var isOfFolder = false
        var others: [String] = []
    }

    static let cases = [
        Case(testDescription: "nothing is there"),
        Case(testDescription: "the usual file", hasStandard: true),
        Case(testDescription: "a folder", folder: ["crm.db"], isOfFolder: true),
        Case(testDescription: "a folder that fills the usual file", hasStandard: true, folder: ["sluice.db"]),
        Case(testDescription: "a folder that is to fill the usual file", folder: ["sluice.db"], isOfFolder: true),
        Case(
            testDescription: "a folder that fills another file", hasStandard: true, folder: ["crm.db"],
            isOfFolder: true,
            others: ["sluice.db"]),
        Case(
            testDescription: "a folder that fills both", hasStandard: true, folder: ["crm.db", "sluice.db"],
            isOfFolder: true),
        Case(testDescription: "a variable", variable: "env.db", hasStandard: true),
        Case(testDescription: "a variable and a folder that says the same", variable: "crm.db", folder: ["./crm.db"]),
        Case(
            testDescription: "a variable and a folder that fills another file", variable: "env.db", hasStandard: true,
            folder: ["env.db", "crm.db"], others: ["crm.db"]),
    ]

    @Test(arguments: cases) func isThatOfARunWithTheSameWords(_ example: Case) {
        let implied = ImpliedStore(
            variable: example.variable.map { StoreAddress(file: $0) },
            standard: example.hasStandard ? StoreAddress(file: "sluice.db") : nil,
            folder: example.folder.map { StoreAddress(file: $0) })
        #expect(implied.isOfFolder == example.isOfFolder)
        #expect(implied.others == example.others.map { StoreAddress(file: $0) })
    }
}
