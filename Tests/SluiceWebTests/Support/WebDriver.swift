import Foundation
import Glibc
import TestSupport
import Testing

/// A browser without a window that is led by its driver. See: www.w3.org/TR/webdriver2
final class WebDriver {
    private static let driver = ["/usr/bin/chromedriver", "/usr/local/bin/chromedriver"]
        .first { FileManager.default.isExecutableFile(atPath: $0) }
    private static let browser = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"]
        .first { FileManager.default.isExecutableFile(atPath: $0) }
    static var isMissing: Bool { driver == nil || browser == nil }

    private let process: Process
    private let folder: TemporaryDirectory
    private let port: UInt16
    private var session = ""

    /// Starts driver and browser.
    ///
    /// - Throws: Where they do not start.
    init() throws {
        folder = try TemporaryDirectory()
        (process, port) = try Self.start(home: folder.path)
        let options: [String: Any] = [
            "binary": try #require(Self.browser),
            "args": [
                "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--window-size=1200,900",
                "--user-data-dir=\(folder.file("profile"))",
            ],
        ]
        let answer = try call(
            "POST", "",
            [
                "capabilities": [
                    "alwaysMatch": [
                        "goog:chromeOptions": options, "goog:loggingPrefs": ["browser": "ALL"],
                        "timeouts": ["implicit": 5_000, "pageLoad": 30_000, "script": Self.patience * 1_000],
                    ] as [String: Any]
                ]
            ])
        session = try #require((answer as? [String: Any])?["sessionId"] as? String, "\(answer)")
    }

    /// How often a driver is started that ends before it listens.
    private static let attempts = 5

    /// Starts the driver. It takes any port that is free for IPv4 and ends where the same one is not free for IPv6, so it is started
    /// again then.
    private static func start(home: String) throws -> (process: Process, port: UInt16) {
        let path = try #require(driver)
        var said = ""
        for _ in 0..<attempts {
            let process = Process()
            process.executableURL = URL(filePath: path)
            process.arguments = ["--port=0"]
            process.environment = ["PATH": "/usr/bin:/bin", "HOME": home]
            let output = Pipe()
            (process.standardOutput, process.standardError) = (output, output)
            try process.run()
            var found: UInt16?
            while found == nil {
                let more = output.fileHandleForReading.availableData
                if more.isEmpty { break }
                said += String(decoding: more, as: UTF8.self)
                found = said.firstMatch(of: #/started successfully on port (\d+)/#).flatMap { UInt16($0.1) }
            }
            if let found {
                let reading = output.fileHandleForReading
                // Nobody reads what it says later, and it must not wait for that.
                Thread.detachNewThread { while !reading.availableData.isEmpty {} }
                return (process, found)
            }
            kill(process.processIdentifier, SIGKILL)
            process.waitUntilExit()
        }
        return try #require(nil as (process: Process, port: UInt16)?, "\(said)")
    }

    deinit {
        _ = try? call("DELETE", "")
        // Whoever starts it here may have SIGTERM blocked, and then it has too.
        kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
    }

    /// Opens an address.
    func open(_ address: String) throws { try call("POST", "/url", ["url": address]) }

    /// Clicks on the first element that a selector of CSS or the text of a link finds.
    func click(_ selector: String) throws { try call("POST", "/element/\(element(selector))/click", [:]) }

    func click(link: String) throws { try call("POST", "/element/\(element(link, using: "link text"))/click", [:]) }

    /// Types into an element.
    func type(_ text: String, into selector: String) throws {
        try call("POST", "/element/\(element(selector))/value", ["text": text])
    }

    /// What an element shows.
    func text(_ selector: String) throws -> String {
        try call("GET", "/element/\(element(selector))/text") as? String ?? ""
    }

    /// Waits until an element shows some words: the page itself says when it has changed.
    func wait(for words: String, in selector: String = "main") throws {
        let clock = ContinuousClock()
        let end = clock.now + .seconds(Self.patience)
        while clock.now < end {
            do {
                try call("POST", "/execute/async", ["script": Self.untilShown, "args": [selector, words]])
                return
            } catch let failure as Failure where Self.interruptions.contains(failure.kind) {
                // The page was exchanged meanwhile, or the time is over.
            }
        }
        Issue.record("“\(words)” did not come; there is: \((try? text(selector)) ?? "nothing")")
    }

    /// How a script ends whose page is exchanged: as one that was broken off, or as one that took too long.
    private static let interruptions = ["javascript error", "script timeout", "unknown error"]
    /// How many seconds are waited for what a page is to show.
    private static let patience = 20

    private static let untilShown = """
        const [selector, words, done] = arguments;
        const look = () => {
            const text = document.querySelector(selector)?.innerText ?? '';
            if (!text.replaceAll('\\u00a0', ' ').includes(words)) return;
            watch.disconnect();
            done();
        };
        const watch = new MutationObserver(look);
        watch.observe(document, {subtree: true, childList: true, characterData: true, attributes: true});
        look();
        """

    var title: String { get throws { try call("GET", "/title") as? String ?? "" } }

    /// What the browser complained of: errors of scripts, and what the policy of a page did not let pass.
    var complaints: [String] {
        get throws {
            let entries = try call("POST", "/se/log", ["type": "browser"]) as? [[String: Any]] ?? []
            return entries.compactMap { $0["message"] as? String }
        }
    }

    /// A picture of the page.
    var picture: Data {
        get throws { Data(base64Encoded: try call("GET", "/screenshot") as? String ?? "") ?? Data() }
    }

    /// Presses keys, as people do who have no mouse: what has the focus gets them.
    func press(_ keys: String) throws {
        let strokes = keys.map(String.init).flatMap { key in
            ["keyDown", "keyUp"].map { ["type": $0, "value": key] }
        }
        try call(
            "POST", "/actions",
            ["actions": [["type": "key", "id": "keyboard", "actions": strokes] as [String: Any]]])
    }

    /// What has the focus, by its text or the name of its field.
    var focus: String {
        get throws {
            try value("const it = document.activeElement; return it.textContent.trim() || it.name") as? String ?? ""
        }
    }

    /// Presses the key Tab until something has the focus.
    func tab(to name: String) throws {
        for _ in 0..<200 {
            try press(Key.tab)
            if try focus == name { return }
        }
        Issue.record("“\(name)” cannot be reached by keys")
    }

    /// Makes the window so large, in points.
    func resize(width: Int, height: Int) throws {
        try call("POST", "/window/rect", ["width": width, "height": height])
    }

    /// Has pages look as they do for people who prefer a light or a dark look.
    func prefer(_ look: Look) throws {
        let features = [["name": "prefers-color-scheme", "value": look.rawValue]]
        try call(
            "POST", "/goog/cdp/execute",
            ["cmd": "Emulation.setEmulatedMedia", "params": ["features": features]] as [String: Any])
    }

    enum Look: String, CaseIterable { case light, dark }

    /// The texts that stand out too little from what is behind them, with their contrast: 4.5 is asked for.
    /// See: www.w3.org/TR/WCAG22/#contrast-minimum
    var faintTexts: [String] {
        get throws {
            try value(
                """
                const paint = document.createElement('canvas').getContext('2d', {willReadFrequently: true});
                const over = (colors) => {
                    paint.fillStyle = '#fff'; paint.fillRect(0, 0, 1, 1);
                    for (const color of colors) { paint.fillStyle = color; paint.fillRect(0, 0, 1, 1); }
                    return [...paint.getImageData(0, 0, 1, 1).data].slice(0, 3);
                };
                const light = (rgb) => rgb.map(v => v / 255).map(v => v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4)
                    .reduce((sum, v, i) => sum + v * [0.2126, 0.7152, 0.0722][i], 0);
                const found = [];
                for (const it of document.querySelectorAll('body *')) {
                    const text = [...it.childNodes].filter(n => n.nodeType === 3).map(n => n.data.trim()).join('');
                    if (!text || it.disabled || !it.checkVisibility({opacityProperty: true, visibilityProperty: true})) continue;
                    const behind = [];
                    for (let at = it; at; at = at.parentElement) behind.unshift(getComputedStyle(at).backgroundColor);
                    const back = light(over(behind)), ink = light(over([...behind, getComputedStyle(it).color]));
                    const contrast = (Math.max(back, ink) + 0.05) / (Math.min(back, ink) + 0.05);
                    if (contrast < 4.5) found.push(contrast.toFixed(1) + ' ' + it.tagName + ' ' + text.slice(0, 60));
                }
                return found;
                """) as? [String] ?? ["no answer"]
        }
    }

    /// The short words that are broken within.
    var brokenWords: [String] {
        get throws {
            try value(
                """
                const found = [];
                const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
                for (let node = walk.nextNode(); node; node = walk.nextNode()) {
                    for (const word of node.data.matchAll(/\\S{2,14}(?!\\S)/g)) {
                        if (word.index > 0 && /\\S/.test(node.data[word.index - 1])) continue;
                        const range = document.createRange();
                        range.setStart(node, word.index); range.setEnd(node, word.index + word[0].length);
                        const tops = new Set([...range.getClientRects()].map(r => Math.round(r.top)));
                        if (tops.size > 1 && !word[0].includes('-')) found.push(word[0]);
                    }
                }
                return found;
                """) as? [String] ?? ["no answer"]
        }
    }

    /// Whether an expression of the page is true.
    func holds(_ expression: String) throws -> Bool { try value("return \(expression)") as? Bool ?? false }

    /// What an expression of the page gives, as text.
    func text(of expression: String) throws -> String { try value("return String(\(expression))") as? String ?? "" }

    /// How many elements a selector of CSS finds.
    func count(_ selector: String) throws -> Int {
        try value("return document.querySelectorAll(\"\(selector)\").length") as? Int ?? -1
    }

    private func value(_ script: String) throws -> Any {
        try call("POST", "/execute/sync", ["script": script, "args": [] as [String]])
    }

    private func element(_ selector: String, using: String = "css selector") throws -> String {
        let found = try call("POST", "/element", ["using": using, "value": selector]) as? [String: String]
        return try #require(found?.values.first, "\(selector)")
    }

    @discardableResult
    private func call(_ method: String, _ path: String, _ body: [String: Any]? = nil) throws -> Any {
        let place = session.isEmpty ? "/session" : "/session/\(session)\(path)"
        let data = try body.map { try JSONSerialization.data(withJSONObject: $0) } ?? Data()
        let connection = try RawConnection(port: port)
        defer { connection.close() }
        connection.send(
            "\(method) \(place) HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\nContent-Type: application/json\r\nContent-Length: \(data.count)\r\nConnection: close\r\n\r\n"
                + String(decoding: data, as: UTF8.self))
        var text = connection.receive(until: "\r\n\r\n")
        let length = text.firstMatch(of: #/(?i)content-length: *(\d+)/#).flatMap { Int($0.1) } ?? 0
        while text.split(separator: "\r\n\r\n", maxSplits: 1).last.map({ $0.utf8.count < length }) ?? true,
            let more = connection.receive()
        {
            text += more
        }
        let start = try #require(text.range(of: "\r\n\r\n"))
        let answer = try JSONSerialization.jsonObject(with: Data(text[start.upperBound...].utf8)) as? [String: Any]
        let value = answer?["value"] ?? NSNull()
        if let problem = value as? [String: Any], let kind = problem["error"] as? String {
            throw Failure(kind: kind, description: "\(method) \(path): \(kind): \(problem["message"] ?? "")")
        }
        return value
    }

    struct Failure: Error, CustomStringConvertible {
        /// Its name. See: www.w3.org/TR/webdriver2/#errors
        let kind: String
        let description: String
    }
}

/// Keys that have no letter, as WebDriver names them.
enum Key {
    static let (tab, enter, escape) = ("\u{E004}", "\u{E007}", "\u{E00C}")
}
