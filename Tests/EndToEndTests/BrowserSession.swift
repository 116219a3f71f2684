import Foundation
import SluiceJSON
import TestSupport
import Testing

/// A browser that is told what to do, as a person's hands would: keys that are pressed, a screen that is small or dark.
///
/// It speaks the DevTools protocol over two pipes. See: chromedevtools.github.io/devtools-protocol
final class BrowserSession {
    private let process = Process()
    private let input = Pipe()
    private let output = Pipe()
    private let folder: TemporaryDirectory
    private var buffer: [UInt8] = []
    private var number = 0
    private var session = ""

    /// Opens a page.
    ///
    /// - Parameters:
    ///   - page: The page's HTML.
    ///   - size: The size of the screen in points.
    /// - Throws: Where the browser does not do as it is told.
    init(_ page: String, size: (width: Int, height: Int) = (1200, 900)) throws {
        folder = try TemporaryDirectory()
        try page.write(toFile: folder.file("page.html"), atomically: true, encoding: .utf8)
        process.executableURL = URL(filePath: "/bin/bash")
        // The protocol's pipes are the files 3 and 4.
        process.arguments = [
            "-c", #"exec "$@" 3<&0 4>&1 >/dev/null 2>&1 </dev/null"#, "bash", try #require(Browser.path), "--headless",
            "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run",
            "--user-data-dir=\(folder.file("profile"))", "--remote-debugging-pipe", "about:blank",
        ]
        process.environment = ["HOME": folder.path, "PATH": "/usr/local/bin:/usr/bin:/bin"]
        (process.standardInput, process.standardOutput) = (input, output)
        process.standardError = FileHandle.nullDevice
        try process.run()
        let target = try ask("Target.createTarget", #"{"url":"about:blank"}"#)
        let id = try #require(target.member(named: "targetId")?.string)
        let attached = try ask("Target.attachToTarget", #"{"targetId":"\#(id)","flatten":true}"#)
        session = try #require(attached.member(named: "sessionId")?.string)
        try ask(
            "Emulation.setDeviceMetricsOverride",
            #"{"width":\#(size.width),"height":\#(size.height),"deviceScaleFactor":1,"mobile":\#(size.width < 600)}"#)
        try ask("Page.enable", "{}")
        try ask("Page.navigate", #"{"url":"file://\#(folder.file("page.html"))"}"#)
        try wait(for: "document.readyState === 'complete' && location.protocol === 'file:'")
    }

    deinit {
        process.terminate()
        process.waitUntilExit()
    }

    // MARK: What a person does

    /// Presses a key.
    func press(_ key: String) throws {
        let codes = ["Tab": 9, "Enter": 13, " ": 32, "Escape": 27, "Backspace": 8, "ArrowDown": 40]
        let text = key == "Enter" ? #","text":"\r""# : key.count == 1 ? #","text":"\#(key)""# : ""
        let code = codes[key].map { #","windowsVirtualKeyCode":\#($0)"# } ?? ""
        for type in ["keyDown", "keyUp"] {
            try ask(
                "Input.dispatchKeyEvent",
                #"{"type":"\#(type)","key":"\#(key)"\#(code)\#(type == "keyDown" ? text : "")}"#)
        }
    }

    /// Types a text into what has the focus.
    func type(_ text: String) throws { for character in text { try press(String(character)) } }

    /// Prefers dark or light colours.
    func prefer(_ scheme: String) throws {
        try ask(
            "Emulation.setEmulatedMedia", #"{"features":[{"name":"prefers-color-scheme","value":"\#(scheme)"}]}"#)
    }

    // MARK: What is seen

    /// The value of an expression of the page, as text.
    func value(_ expression: String) throws -> String {
        let quoted = String(decoding: JSONDocument.quoted(expression), as: UTF8.self)
        let result = try ask(
            "Runtime.evaluate", #"{"expression":\#(quoted),"returnByValue":true,"awaitPromise":true}"#)
        if let exception = result.member(named: "exceptionDetails") {
            Issue.record("\(expression): \(String(decoding: exception.json, as: UTF8.self))")
        }
        let value = result.member(named: "result")?.member(named: "value")
        return value?.string ?? value.map { String(decoding: $0.json, as: UTF8.self) } ?? ""
    }

    /// Waits until an expression of the page is true.
    func wait(for expression: String) throws {
        // The page's own clock says when it has changed, not this process.
        let promise = """
            new Promise(done => { const look = () => (\(expression)) ? done('yes') : setTimeout(look, 20);
              setTimeout(() => done('no'), 20000); look(); })
            """
        try #require(try value(promise) == "yes", "\(expression)")
    }

    /// What assistive technology is told: the role and name of each thing, in order.
    func accessibleThings() throws -> [(role: String, name: String)] {
        try ask("Accessibility.enable", "{}")
        let tree = try ask("Accessibility.getFullAXTree", "{}")
        return (tree.member(named: "nodes")?.elements ?? []).filter { !($0.member(named: "ignored")?.boolean ?? true) }
            .map { node in
                func text(_ name: String) -> String {
                    node.member(named: name)?.member(named: "value")?.string ?? ""
                }
                return (text("role"), text("name"))
            }
    }

    // MARK: The protocol

    /// Sends a command and waits for its answer.
    @discardableResult
    private func ask(_ method: String, _ parameters: String) throws -> JSONValue {
        number += 1
        let own = session.isEmpty ? "" : #","sessionId":"\#(session)""#
        let message = #"{"id":\#(number),"method":"\#(method)","params":\#(parameters)\#(own)}"#
        try input.fileHandleForWriting.write(contentsOf: Data(message.utf8) + [0])
        while true {
            let answer = try JSONDocument(nextMessage()).root
            guard answer.member(named: "id")?.integer == Int64(number) else { continue }
            if let error = answer.member(named: "error") {
                Issue.record("\(method): \(String(decoding: error.json, as: UTF8.self))")
            }
            return try #require(answer.member(named: "result"), "\(method)")
        }
    }

    private func nextMessage() throws -> [UInt8] {
        while true {
            if let end = buffer.firstIndex(of: 0) {
                defer { buffer.removeSubrange(...end) }
                return Array(buffer[..<end])
            }
            let data = output.fileHandleForReading.availableData
            try #require(!data.isEmpty, "the browser ended")
            buffer += data
        }
    }
}

extension JSONDocument {
    /// A text as JSON.
    fileprivate static func quoted(_ text: String) -> [UInt8] {
        var bytes: [UInt8] = []
        JSONWriter.append(text, to: &bytes)
        return bytes
    }
}
