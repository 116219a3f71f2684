import SluicePipeline
import SluicePipelineFiles
import Testing

@Suite struct SnakeCaseTests {
    @Test(arguments: [
        ("Book", "book"), ("OrderLine", "order_line"), ("HTTPServer", "http_server"), ("ServerHTTP", "server_http"),
        ("Order_Line", "order_line"), ("ISBN13", "isbn13"), ("Isbn13Code", "isbn13_code"), ("a", "a"), ("aB", "a_b"),
    ])
    func tableOfEntity(entity: String, table: String) {
        let text = PipelineText.make().replacingAll("Book", with: entity)
        #expect(PipelineText.load(text).0?.entities.first?.table == table)
    }
}

extension String {
    fileprivate func replacingAll(_ word: String, with other: String) -> String {
        split(separator: word, omittingEmptySubsequences: false).joined(separator: other)
    }
}
