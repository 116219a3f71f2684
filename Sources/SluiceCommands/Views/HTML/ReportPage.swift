internal import SluiceModel

/// What stands around the reports of a page for a browser. It loads nothing and runs nothing but the script that is in it,
/// which its policy names by hash. See: www.w3.org/TR/CSP3, section 6.7.3
enum ReportPage {
    /// What stands before the reports.
    static var head: String {
        let policy =
            "default-src 'none'; style-src '\(source(of: ReportPageStyle.text))'; "
            + "script-src '\(source(of: ReportPageScript.text))'; base-uri 'none'; form-action 'none'"
        return """
            <!DOCTYPE html>
            <html lang="en">
            <head>
            <meta charset="utf-8">
            <meta http-equiv="Content-Security-Policy" content="\(policy)">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <meta name="referrer" content="no-referrer">
            <title>Sluice report</title>
            <style>\(ReportPageStyle.text)</style>
            </head>
            <body>
            <a class="skip" href="#changes">Skip to the changes</a>
            <h1>Sluice report</h1>
            <main>

            """
    }

    /// What stands behind them: the list of all entries, and the script that fills it.
    static var tail: String {
        """
        <section id="changes" aria-labelledby="changes-title">
        <h2 id="changes-title">Changes</h2>
        <noscript><p>A browser that runs scripts lists the changes here; <code>--format text</code> lists them without one.</p></noscript>
        <div class="tools">
        <div><label for="search">Search</label><input id="search" type="search" autocomplete="off"></div>
        <div hidden><label for="table">Table</label><select id="table"></select></div>
        <div hidden><label for="pipeline">Pipeline</label><select id="pipeline"></select></div>
        <fieldset id="kinds"><legend>Show only</legend></fieldset>
        </div>
        <p class="faint">base: what the source said before; local: what the table holds; remote: what the source says now.</p>
        <p id="shown" role="status" class="faint"></p>
        <table id="entries">
        <thead><tr>
        <th scope="col" data-sort="record"><button type="button">Record</button></th>
        <th scope="col" data-sort="change"><button type="button">Change</button></th>
        <th scope="col" data-sort="table"><button type="button">Table</button></th>
        <th scope="col">Values</th>
        </tr></thead>
        <tbody></tbody>
        </table>
        <p><button type="button" id="more" hidden>Show more</button></p>
        </section>
        </main>
        <script>\(ReportPageScript.text)</script>
        </body>
        </html>

        """
    }

    private static func source(of text: String) -> String {
        "sha256-" + Base64.encode(SHA256.bytes(of: Array(text.utf8)))
    }
}
