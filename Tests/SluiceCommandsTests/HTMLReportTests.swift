import Foundation
import SluiceModel
import SluiceSQLite
import Testing

/// The report for a browser, as text: what it holds, and that nothing of a value becomes part of the page.
@Suite struct HTMLReportTests {
    private struct Page {
        let text: String
        /// The contents of its `script` elements.
        let scripts: [String]

        init(_ text: String) {
            self.text = text
            // HTML ends such an element at the first `</script`, whatever that is part of.
            scripts = text.components(separatedBy: "<script").dropFirst().map { part in
                String(part.components(separatedBy: "</script").first?.drop { $0 != ">" }.dropFirst() ?? "")
            }
        }

        func entries() throws -> [[String: Any]] {
            let data = Data(try #require(scripts.first).utf8)
            return try #require(JSONSerialization.jsonObject(with: data) as? [[String: Any]])
        }
    }

    private func page(_ title: String, _ arguments: String...) throws -> Page {
        let shop = try ReportFormatTests().shop(title)
        let plan = shop.sluice(["plan", shop.pipeline, "--format", "html"] + arguments)
        #expect(plan.code == 0, "\(plan.errors)")
        return Page(plan.output)
    }

    @Test(
        arguments: ReportFormatTests.hostile + [
            "</script><script>alert(1)</script>", "<!--<script>", "]]>", "javascript:alert(1)",
        ])
    func nothingOfAValueIsPartOfThePage(title: String) throws {
        let page = try page(title)
        #expect(page.scripts.count == 2)
        #expect(!page.text.contains("<script>alert") && !page.text.contains("<img") && !page.text.contains("<!--"))
        let entries = try page.entries()
        #expect(
            Set(entries.compactMap { $0["k"] as? String }) == ["insert", "update", "delete", "conflict", "invalid"])
        let changes = entries.filter { ["insert", "update"].contains($0["k"] as? String) }
        #expect(changes.count == 2)
        for change in changes {
            let fields = try #require(change["f"] as? [[Any]])
            let field = try #require(fields.first { $0[0] as? String == "title" })
            let value = try #require(field[5] as? String)
            #expect(try JSONSerialization.jsonObject(with: Data("[\(value)]".utf8)) as? [String] == [title])
        }
    }

    @Test func onlyItsOwnScriptMayRun() throws {
        let page = try page("a")
        let script = try #require(page.scripts.last)
        let digest = Base64.encode(SHA256.bytes(of: Array(script.utf8)))
        let policy = try #require(page.text.split(separator: "\n").first { $0.contains("Content-Security-Policy") })
        #expect(policy.contains("default-src 'none'") && policy.contains("script-src 'sha256-\(digest)';"))
        for word in [
            " src=", " href=\"http", "url(", "@import", " onclick", " onload", " onerror", " style=", "innerHTML",
        ] {
            #expect(!page.text.contains(word), "\(word)")
        }
    }

    @Test func countsAreThereWithoutAScript() throws {
        let page = try page("a")
        let text = try #require(page.text.components(separatedBy: "<script").first)
        #expect(
            text.contains("<h2 id=\"report-1\">Plan for shop: 1 to insert, 1 to update, 1 to delete, 1 in conflict"))
        #expect(text.contains("aria-label=\"1 insert, 1 update, 1 delete, 1 conflict, 1 not written\""), "\(text)")
    }

    @Test func aSummaryListsNoRecord() throws {
        let page = try page("zebra", "--summary-only")
        #expect(try page.entries().isEmpty)
        #expect(page.text.contains("1 in conflict") && !page.text.contains("zebra"))
        let shop = try ReportFormatTests().shop("zebra")
        for form in ["text", "markdown"] {
            let plan = shop.sluice("plan", shop.pipeline, "--format", form, "--summary-only")
            #expect(plan.code == 0 && plan.output.contains("1 in conflict"), "\(plan.errors)")
            #expect(!plan.output.contains("zebra") && !plan.output.contains("not listed"), "\(plan.output)")
        }
        for form in ["json", "csv"] {
            let plan = shop.sluice("plan", shop.pipeline, "--format", form, "--summary-only")
            #expect(plan.code == 64 && plan.errors.contains("text, markdown, html"), "\(plan.errors)")
        }
    }

    @Test func aPageBesideASummaryListsRecords() throws {
        let shop = try ReportFormatTests().shop("zebra")
        let plan = shop.sluice("plan", shop.pipeline, "--summary-only", "--html", "\(shop.folder)/plan.html")
        #expect(plan.code == 0 && !plan.output.contains("zebra"), "\(plan.output)\(plan.errors)")
        #expect(try shop.read("plan.html").contains("zebra"))
    }

    @Test func whatAnImportFoundIsShown() throws {
        let shop = try Workshop()
        try shop.write(#"[{"id":1,"title":"<b>one</b>"}]"#, to: "books.json")
        let found = shop.sluice("import", "\(shop.folder)/books.json", "--plan", "--format", "html")
        #expect(found.code == 0, "\(found.errors)")
        #expect(found.output.contains("<summary>What the import found</summary>"))
        #expect(found.output.contains("&lt;b&gt;one&lt;/b&gt;") && !found.output.contains("<b>one"))
    }

    /// A page that somebody is sent says what was done, and adds up with its list.
    @Test func pageSaysWhatWasWrittenAndWhatIsNotListed() throws {
        let shop = try ReportFormatTests().shop("a")
        let plan = shop.sluice(["plan", shop.pipeline, "--format", "html"]).output
        #expect(plan.contains("<p><strong>Nothing was written yet.</strong></p>"))
        #expect(!plan.contains("since earlier runs"))
        let run = shop.sluice(["run", shop.pipeline, "--format", "html"])
        #expect(run.code == 0 && !run.output.contains("Nothing was written yet"), "\(run.errors)")
        let open = try Page(run.output).entries().count { $0["k"] as? String == "conflict" }
        #expect(open == 1 && !run.output.contains("since earlier runs"))
        let again = shop.sluice(["run", shop.pipeline, "--format", "html"]).output
        #expect(try Page(again).entries().allSatisfy { $0["k"] as? String != "conflict" })
        #expect(
            again.contains("<p>1 record has been in conflict since earlier runs and is not on this page;"), "\(again)")
    }
}
