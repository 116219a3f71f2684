import SluiceCommands
import Testing

/// What people read of the row of a conflict over a record that is gone.
@Suite struct ShownRecordTests {
    @Test(
        arguments: [
            (#"{"id":1,"title":"One"}"#, #"{"id":1,"title":"One"}"#, nil),
            (
                #"{"id":1,"edited within it":"1 row (d6c04c2099e011a0)"}"#, #"{"id":1}"#,
                "1 row within it was changed here"
            ),
            (
                #"{"id":1,"n":[1,{"a":2}],"edited within it":"12 rows (00004c2099e011a0)"}"#,
                #"{"id":1,"n":[1,{"a":2}]}"#, "12 rows within it were changed here"
            ),
            (
                #"{"id":1,"edited within it":"2 rows, 1 column (00004c2099e011a0)"}"#, #"{"id":1}"#,
                "2 rows within it and 1 column beside it were changed here"
            ),
            ("no object", "no object", nil),
        ] as [(String, String, String?)])
    func theMarkIsTold(_ kept: String, _ row: String, _ within: String?) {
        let shown = ShownRecord(kept)
        #expect(shown.row == row && shown.within == within)
    }
}
