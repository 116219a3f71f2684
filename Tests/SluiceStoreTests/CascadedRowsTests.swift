import SluiceSQLStore
import Testing

/// Rows that went along with others are counted as long as the part of the transaction stands that deleted them.
@Suite struct CascadedRowsTests {
    @Test func aPartThatIsTakenBackForgetsItsOwnAlone() {
        let rows = CascadedRows()
        rows.record(["log": 2], alongWith: "items")
        rows.beginSavepoint()
        rows.record(["log": 3], alongWith: "items")
        rows.beginSavepoint()
        rows.record(["log": 4], alongWith: "items")
        rows.releaseSavepoint()
        rows.rollBackToSavepoint()
        rows.beginSavepoint()
        rows.record(["log": 1, "items": 2], alongWith: "items")
        rows.releaseSavepoint()
        #expect(rows.take() == ["log": 3, "items": 1])
        #expect(rows.take() == [:])
    }
}
