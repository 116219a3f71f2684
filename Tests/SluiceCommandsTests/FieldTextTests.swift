import SluiceCommands
import SluiceDiagnostics
import SluiceMerge
import SluiceModel
import SluiceReport
import Testing

/// How the values of a field are shown, whatever becomes of them.
@Suite struct FieldTextTests {
    private static let long = "A boat that nobody in the whole town will insure, and a debt that nobody will pay."
    private static let longer = "A boat that nobody in the town will insure, and a debt that everybody will pay."

    private func change(
        _ fieldClass: FieldClass, base: String?, local: String?, remote: String?, takes: Bool = false,
        policy: ConflictPolicy? = nil
    ) -> RecordChange {
        func value(_ text: String?) -> FieldValue? { text.map { $0 == "null" ? .null : FieldValue($0) } }
        var field = RecordChange.Field(
            index: 1, fieldClass: fieldClass, base: value(base), local: value(local), remote: value(remote),
            result: value(takes ? remote : local), policy: policy)
        if base == nil { field.baseAbsence = fieldClass == .addAdd ? .never : .tooLong }
        let isOpen = fieldClass.isDivergent && policy == nil
        return RecordChange(
            action: isOpen ? .conflict : .update, kind: .merge, key: RecordKey([.integer(1)]), fields: [field])
    }

    /// The lines below the record's own.
    private func shown(_ change: RecordChange, columns: Int? = nil, isColored: Bool = false) throws -> String {
        let recorder = Sample.textRecorder(isColored: isColored, columns: columns)
        let text = try Sample.text(of: recorder, Sample.report()) { $0.changed(change, schema: Sample.schema) }
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        let start = lines.firstIndex { $0.contains("Book 1") } ?? 0
        return lines[(start + 1)...].prefix { !$0.isEmpty }.joined(separator: "\n")
    }

    @Test func sidesStandSideBySide() throws {
        #expect(
            try shown(change(.editEdit, base: "A", local: "B", remote: "C"))
                == #"    title  base "A"   local "B"   remote "C""#)
        #expect(
            try shown(change(.addAdd, base: nil, local: "B", remote: "C"))
                == #"    title  no base yet   local "B"   remote "C""#)
        #expect(
            try shown(change(.editClear, base: "A", local: "B", remote: "null"))
                == #"    title  base "A"   local "B"   remote null"#)
    }

    @Test func sidesStandInColumnsWhereABaseIsMissing() throws {
        let rows: [(index: Int, base: String?, local: String)] = [(1, nil, "B"), (2, "7", "12")]
        let fields = rows.map { row in
            var field = RecordChange.Field(
                index: row.index, fieldClass: row.base == nil ? .addAdd : .editEdit,
                base: row.base.map { FieldValue($0) }, local: FieldValue(row.local), remote: FieldValue("99"),
                result: FieldValue(row.local))
            if row.base == nil { field.baseAbsence = .never }
            return field
        }
        let change = RecordChange(action: .conflict, kind: .merge, key: RecordKey([.integer(1)]), fields: fields)
        #expect(
            try shown(change) == """
                    title  no base yet   local "B"    remote "99"
                    price  base "7"      local "12"   remote "99"
                """)
    }

    @Test func wideCharactersStandInTheirColumns() throws {
        func row(_ title: String, _ price: String) throws -> [String] {
            let fields = [(1, title, "B"), (2, price, "12")].map { index, old, new in
                RecordChange.Field(
                    index: index, fieldClass: .remoteUpdate, base: nil, local: FieldValue(old),
                    remote: FieldValue(new), result: FieldValue(new))
            }
            let change = RecordChange(action: .update, kind: .update, key: RecordKey([.integer(1)]), fields: fields)
            return try shown(change).split(separator: "\n").map(String.init)
        }
        #expect(try row("東京", "9") == [#"    title  "東京" → "B""#, #"    price  "9"    → "12""#])
        #expect(try row("👩‍👩‍👧‍👦!", "950") == [#"    title  "👩‍👩‍👧‍👦!" → "B""#, #"    price  "950" → "12""#])
        #expect(try row("e\u{301}", "9") == ["    title  \"e\u{301}\" → \"B\"", #"    price  "9" → "12""#])
        let far = #"    title  base "東京"   local "京都"   remote "大阪""#
        #expect(try shown(change(.editEdit, base: "東京", local: "京都", remote: "大阪")) == far)
    }

    @Test func aLongTextOfWideCharactersFitsTheTerminal() throws {
        let text = try shown(
            change(
                .remoteUpdate, base: nil, local: String(repeating: "東京", count: 60),
                remote: String(repeating: "大阪", count: 60), takes: true), columns: 80)
        for line in text.split(separator: "\n") { #expect(TextWidth.of(line) <= 80) }
    }

    @Test func shortOnesOfSeveralLinesStandSideBySide() throws {
        #expect(
            try shown(change(.editEdit, base: "A\nboat", local: "B", remote: "C\nboat"))
                == #"    title  base "A\nboat"   local "B"   remote "C\nboat""#)
    }

    @Test func widerOnesStandBelowEachOther() throws {
        let text = try shown(
            change(.editEdit, base: "A short one", local: "A value of more than thirty characters", remote: "Another"))
        #expect(
            text == """
                    title  base    "A short one"
                           local   "A value of more than thirty characters"
                           remote  "Another"
                """)
        #expect(
            try shown(change(.editClear, base: nil, local: "B", remote: "null")) == """
                    title  base not stored (over 1 KiB; keep_base: full)
                           local   "B"
                           remote  null
                """)
    }

    @Test func longOnesAreComparedWordByWord() throws {
        #expect(
            try shown(change(.editEdit, base: nil, local: Self.long, remote: Self.longer)) == """
                    title  base not stored (over 1 KiB; keep_base: full)
                           local to remote ([-…-] is in local alone, {+…+} in remote alone):
                           A boat that nobody in the [-whole -]town will insure, and a debt that [-nobody-]
                           {+everybody+} will pay.
                """)
        #expect(
            try shown(change(.remoteUpdate, base: nil, local: Self.long, remote: Self.longer, takes: true)) == """
                    title  A boat that nobody in the [-whole -]town will insure, and a debt that [-nobody-]
                           {+everybody+} will pay.
                """)
        #expect(
            try shown(change(.localOverride, base: nil, local: Self.long, remote: Self.longer)) == """
                    title  (edited here, stays)
                           local to remote ([-…-] is in local alone, {+…+} in remote alone):
                           A boat that nobody in the [-whole -]town will insure, and a debt that [-nobody-]
                           {+everybody+} will pay.
                """)
    }

    @Test func aLongBaseThatIsKnownIsComparedWithBothSides() throws {
        let text = try shown(
            change(.editEdit, base: Self.long, local: Self.long + " Never.", remote: Self.longer))
        #expect(text.contains("base to local (") && text.contains("base to remote ("))
        #expect(text.contains("nobody will pay.{+ Never.+}"))
        #expect(!text.contains("local to remote"))
    }

    @Test func textOfSeveralLinesIsShownInLines() throws {
        let line = String(repeating: "one ", count: 20)
        let text = try shown(
            change(.remoteUpdate, base: nil, local: "\(line)\ntwo", remote: "\(line)\nzwei", takes: true))
        #expect(text.hasSuffix("one \\n\n           [-two-]{+zwei+}"), "\(text)")
    }

    @Test func aLongValueBesideANullIsCut() throws {
        let text = try shown(change(.fill, base: nil, local: "null", remote: Self.long, takes: true))
        #expect(text.hasPrefix(#"    title  null → "A boat that"#) && text.hasSuffix("…\""))
    }

    @Test func whatAPolicyDecidedSaysSo() throws {
        let theirs = change(.editEdit, base: "A", local: "B", remote: "C", takes: true, policy: .remoteWins)
        #expect(
            try shown(theirs)
                == #"    title  "B" → "C"  (both sides changed it, base "A"; remote_wins takes the source's value)"#)
        let ours = change(.editEdit, base: "A", local: "B", remote: "C", policy: .localWins)
        #expect(
            try shown(ours)
                == #"    title  "B"  (both sides changed it, base "A"; local_wins keeps this; the source says "C")"#)
    }

    @Test func whatStaysSaysWhyAndWhatTheSourceSays() throws {
        #expect(
            try shown(change(.localOverride, base: "A", local: "B", remote: "A"))
                == #"    title  "B"  (edited here, stays; the source says "A")"#)
        #expect(
            try shown(change(.localOverride, base: "A", local: "null", remote: nil))
                == "    title  null  (edited here, stays; the source says nothing of it)")
        #expect(
            try shown(change(.keptLocal, base: nil, local: "B", remote: "null"))
                == #"    title  "B"  (stays: it was here before the source gave any value; the source says null)"#)
    }

    @Test(arguments: [(nil, 100), (40, 80), (80, 80), (104, 104), (300, 120)] as [(Int?, Int)])
    func linesFitTheTerminal(columns: Int?, width: Int) throws {
        let words = (0..<300).map { "word\($0)" }.joined(separator: " ")
        let change = change(.remoteUpdate, base: nil, local: "a " + words, remote: words.uppercased(), takes: true)
        let widest = try shown(change, columns: columns).split(separator: "\n").map(\.count).max() ?? 0
        #expect(widest <= width && widest > width - 10)
        let inserted = try Sample.text(of: Sample.textRecorder(columns: columns), Sample.report()) {
            $0.changed(Sample.insert(id: 1, title: words), schema: Sample.schema)
        }
        #expect(inserted.split(separator: "\n").filter { $0.hasPrefix("+") }.allSatisfy { $0.count <= width })
    }

    @Test func longTextsAreRedAndGreen() throws {
        let text = try shown(
            change(.editEdit, base: nil, local: Self.long, remote: Self.longer), isColored: true)
        #expect(text.contains("\u{1B}[31m[-whole -]\u{1B}[0mtown"))
        #expect(text.contains("\u{1B}[32m{+everybody+}\u{1B}[0m will pay."))
    }

    @Test func wordsThatStandForEachOtherAreNotComparedWordByWord() throws {
        let (old, new) = (String(repeating: "1a", count: 32), String(repeating: "2b", count: 32))
        let text = try shown(change(.remoteUpdate, base: old, local: old, remote: new, takes: true))
        #expect(!text.contains("[-") && !text.contains("{+"), "\(text)")
    }
}
