import Foundation
import SluiceSystem
import Testing

/// What starts pipelines when they are due: units of systemd and lines of a crontab.
@Suite struct GenerateTimersTests {
    /// Pipelines by their names with the value of `schedule`; nil for none.
    private func shop(_ schedules: [(String, String?)], extra: String = "") throws -> Workshop {
        let shop = try Workshop()
        for (name, schedule) in schedules {
            try shop.write(
                """
                version: 1
                name: \(name)
                \(schedule.map { "schedule: \($0)" } ?? "")
                store: sqlite:shop.db
                source: {base_url: "https://api.example.com", headers: {X-Key: "${env:SHOP_KEY}"}}
                entities: {Book: {table: \(name), primary_key: id, fields: {id: int}}}
                streams: [{name: books, entity: Book, path: /books}]
                \(extra)
                """, to: "\(name).yaml")
        }
        return shop
    }

    private func text(_ outcome: Workshop.Outcome, of shop: Workshop) -> String {
        outcome.output.replacing(shop.folder, with: "/srv/shop")
    }

    private static let service = """
        # Written by `sluice generate systemd`. For changes of your own: `systemctl edit sluice-books.service`.
        [Unit]
        Description=Sluice: run books
        Wants=network-online.target
        After=network-online.target

        [Service]
        Type=oneshot
        User=sluice
        WorkingDirectory=/srv/shop
        # Secrets that the pipeline names as ${env:NAME}: a line NAME=VALUE each, in a file that root alone can read.
        EnvironmentFile=-/etc/sluice/books.env
        ExecStart=/usr/local/bin/sluice run /srv/shop/books.yaml --quiet --wait 10m
        UMask=0077
        NoNewPrivileges=true
        CapabilityBoundingSet=
        ProtectSystem=strict
        ReadWritePaths=/srv/shop
        ProtectHome=true
        PrivateDevices=true
        ProtectClock=true
        ProtectControlGroups=true
        ProtectHostname=true
        ProtectKernelLogs=true
        ProtectKernelModules=true
        ProtectKernelTunables=true
        ProtectProc=invisible
        LockPersonality=true
        MemoryDenyWriteExecute=true
        RestrictAddressFamilies=AF_INET AF_INET6 AF_NETLINK AF_UNIX
        RestrictNamespaces=true
        RestrictRealtime=true
        RestrictSUIDSGID=true
        SystemCallArchitectures=native
        SystemCallFilter=@system-service

        """

    private static let timer = """
        # Written by `sluice generate systemd`. For changes of your own: `systemctl edit sluice-books.timer`.
        [Unit]
        Description=Sluice: when books is due

        [Timer]
        OnCalendar=*-*-01 06:00:00 Europe/Berlin
        OnCalendar=Mon *-*-* 06:00:00 Europe/Berlin
        RandomizedDelaySec=90s
        AccuracySec=1s
        Persistent=true

        [Install]
        WantedBy=timers.target

        """

    /// What is said where the program is not installed where units look for it.
    private static let missing =
        FileManager.default.fileExists(atPath: "/usr/local/bin/sluice")
        ? ""
        : "warning: There is no program `/usr/local/bin/sluice`. Put it there, or name another with `--program FILE`.\n"

    @Test(arguments: [["systemd"], ["cron"], ["systemd", "--serve"]])
    func aProgramThatIsNotThereIsTold(_ words: [String]) throws {
        let shop = try shop([("books", "{cron: '0 6 * * *', timezone: UTC}")])
        try shop.write("", to: "sluice")
        for (name, isThere) in [("sluice", true), ("none", false)] {
            let program = "\(shop.folder)/\(name)"
            let outcome = shop.run(["generate"] + words + [shop.folder, "--program", program])
            #expect(outcome.code == 0, "\(outcome)")
            #expect(outcome.errors.contains("There is no program `\(program)`.") != isThere, "\(outcome.errors)")
        }
    }

    @Test func aServiceAndATimerArePrinted() throws {
        let shop = try shop([("books", "{cron: '0 6 1 * mon', timezone: Europe/Berlin, jitter: 90s}")])
        shop.environment["SHOP_KEY"] = "hunter2"
        let outcome = shop.run(["generate", "systemd", "\(shop.folder)/books.yaml"])
        #expect(outcome.code == 0 && outcome.errors == Self.missing)
        #expect(
            text(outcome, of: shop) == "# sluice-books.service\n\(Self.service)\n# sluice-books.timer\n\(Self.timer)")
        #expect(!outcome.output.contains("hunter2"))
    }

    @Test func eachUnitIsAFile() throws {
        let shop = try shop([
            ("books", "{cron: '0 6 1 * mon', timezone: Europe/Berlin, jitter: 90s}"), ("other", nil),
        ])
        let folder = "\(shop.folder)/units"
        let below = shop.run(["generate", "systemd", shop.folder, "--to", "\(shop.folder)/books.yaml/units"])
        #expect(below.code == 64 && below.errors.contains("\(shop.folder)/books.yaml"), "\(below)")
        // The folder is made, and the key is not needed to write a unit.
        let outcome = shop.run(["generate", "systemd", shop.folder, "--to", folder])
        #expect(outcome.code == 0 && outcome.output == "", "\(outcome)")
        #expect(
            outcome.errors == "warning: The file `\(shop.folder)/other.yaml` has no `schedule`.\n\(Self.missing)",
            "\(outcome.errors)")
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: folder).sorted() == [
                "sluice-books.service", "sluice-books.timer",
            ])
        #expect(try shop.read("units/sluice-books.timer") == Self.timer)
    }

    @Test func pathsAndNamesAreChosen() throws {
        let shop = try shop([("books", "{cron: '@daily'}")], extra: "vars: {day: '1'}")
        try shop.write("SHOP_KEY=hunter2\n", to: "100%.env")
        let outcome = shop.run([
            "generate", "systemd", "\(shop.folder)/books.yaml", "--program", "/opt/a b/sluice", "--user", "ada",
            "--env-file", "\(shop.folder)/100%.env", "--store", "sqlite:/home/ada/$x/shop.db", "--var", "day=2",
        ])
        let lines = text(outcome, of: shop).split(separator: "\n").map(String.init)
        for line in [
            "User=ada", "ProtectHome=read-only", "ReadWritePaths=/home/ada/$x",
            #"ExecStart="/opt/a b/sluice" run /srv/shop/books.yaml --quiet --wait 10m --store sqlite:/home/ada/$$x/shop.db --var day=2 --env-file /srv/shop/100%%.env"#,
        ] { #expect(lines.contains(line), "\(line): \(lines)") }
        #expect(!outcome.output.contains("hunter2") && !outcome.output.contains("EnvironmentFile="))
    }

    /// `--env-file` says the same here as for every other command: the file is read, and the runs get it as well.
    @Test func aFileOfValuesIsReadNowAndByTheRuns() throws {
        let shop = try shop([("books", "{cron: '5 4 * * *'}")])
        try shop.write("SHOP_KEY='hunter2'\n", to: "shop.env")
        let file = "\(shop.folder)/shop.env"
        let outcome = shop.run(["generate", "cron", "\(shop.folder)/books.yaml", "--env-file", file])
        #expect(outcome.code == 0, "\(outcome)")
        #expect(
            text(outcome, of: shop).contains(
                "5 4 * * * cd /srv/shop && exec /usr/local/bin/sluice run /srv/shop/books.yaml --quiet --wait 10m --env-file /srv/shop/shop.env\n"
            ), "\(outcome.output)")
        #expect(!outcome.output.contains("hunter2"))
        try shop.write("SHOP_KEY='hunter2\n", to: "broken.env")
        let broken = shop.run([
            "generate", "cron", "\(shop.folder)/books.yaml", "--env-file", "\(shop.folder)/broken.env",
        ])
        #expect(broken.code == 1 && broken.errors.contains("line 1 of "), "\(broken.errors)")
        let missing = shop.run(["generate", "cron", "\(shop.folder)/books.yaml", "--env-file", "\(file).old"])
        #expect(missing.code == 1 && missing.errors.contains("shop.env.old"), "\(missing.errors)")
    }

    /// systemd passes over paths with `..`, and the service could write nowhere.
    @Test func pathsHaveNoWayBack() throws {
        let shop = try shop([("books", "{cron: '@daily'}")])
        let folder = "\(shop.folder)/pipelines"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let text = try shop.read("books.yaml").replacing("sqlite:shop.db", with: "sqlite:../shop.db")
        try shop.write(text, to: "pipelines/books.yaml")
        try shop.write("SHOP_KEY=x\n", to: "shop.env")
        let outcome = shop.run([
            "generate", "systemd", "\(folder)/../pipelines/books.yaml", "--env-file", "\(folder)/../shop.env",
        ])
        let lines = self.text(outcome, of: shop).split(separator: "\n").map(String.init)
        for line in ["WorkingDirectory=/srv/shop/pipelines", "ReadWritePaths=/srv/shop"] {
            #expect(lines.contains(line), "\(line): \(lines)")
        }
        #expect(!outcome.output.contains(".."), "\(outcome)")
    }

    /// The store of the runs is the one that a run with the same file of values has.
    @Test func aFileOfValuesNamesTheStore() throws {
        let shop = try shop([("books", "{cron: '@daily'}")])
        try shop.write(try shop.read("books.yaml").replacing("store: sqlite:shop.db", with: ""), to: "books.yaml")
        try shop.write("SLUICE_STORE=sqlite:/srv/stores/own.db\n", to: "shop.env")
        for form in ["systemd", "cron"] {
            let outcome = shop.run([
                "generate", form, "\(shop.folder)/books.yaml", "--env-file", "\(shop.folder)/shop.env",
            ])
            #expect(outcome.output.contains("--store sqlite:/srv/stores/own.db"), "\(outcome)")
        }
    }

    @Test(
        "systemd takes the units as they are",
        .enabled("systemd-analyze is not installed") {
            FileSystem.kind(of: "/usr/bin/systemd-analyze") == .file
        })
    func systemdVerifiesTheUnits() throws {
        let shop = try shop([
            ("books", "{cron: '0 6 1,L * mon', timezone: Europe/Berlin, jitter: 90s}"),
            ("odd", "{cron: '*/20 0 6 * * 5L'}"),
        ])
        let folder = "\(shop.folder)/a $b%c"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let outcome = shop.run([
            "generate", "systemd", shop.folder, "--program", "/usr/bin/true", "--to", folder, "--store",
            "sqlite:\(folder)/shop.db",
        ])
        #expect(outcome.code == 0, "\(outcome)")
        let process = Process()
        let errors = Pipe()
        process.executableURL = URL(filePath: "/usr/bin/systemd-analyze")
        process.arguments =
            ["verify"]
            + ["books", "odd"].flatMap { ["\(folder)/sluice-\($0).service", "\(folder)/sluice-\($0).timer"] }
        process.standardError = errors
        try process.run()
        let text = String(decoding: try errors.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
        process.waitUntilExit()
        // It tells of keys and values that it does not know, and ends with 0 all the same.
        #expect(process.terminationStatus == 0 && !text.contains("sluice-"), "\(text)")
    }

    @Test func aCrontabHasItsLines() throws {
        let shop = try shop([
            ("books", "{cron: '0 6 * * MON-FRI', timezone: Europe/Berlin}"), ("prices", "{cron: '*/15 * * * *'}"),
        ])
        let outcome = shop.run(["generate", "cron", shop.folder])
        #expect(outcome.code == 0, "\(outcome)")
        #expect(
            text(outcome, of: shop) == #"""
                # books
                # Debian's cron ignores CRON_TZ: there the times are those of the system's time zone.
                CRON_TZ=Europe/Berlin
                0 6 * * 1-5 set -a; if [ -f /etc/sluice/books.env ]; then . /etc/sluice/books.env; fi; cd /srv/shop && exec /usr/local/bin/sluice run /srv/shop/books.yaml --quiet --wait 10m

                # prices
                # Debian's cron ignores CRON_TZ: there the times are those of the system's time zone.
                CRON_TZ=UTC
                0,15,30,45 * * * * set -a; if [ -f /etc/sluice/prices.env ]; then . /etc/sluice/prices.env; fi; cd /srv/shop && exec /usr/local/bin/sluice run /srv/shop/prices.yaml --quiet --wait 10m

                """#)
    }

    @Test(
        arguments: [
            ("{every: 1h}", ["systemd", "cron"], "schedule `every`: it counts from the last start"),
            ("{cron: '@daily', after: [other]}", ["systemd", "cron"], "`sluice generate systemd --serve`"),
            ("{cron: '0 6 15W * *'}", ["systemd", "cron"], "`W`"),
            ("{cron: '30 2 * * *', timezone: Europe/Berlin}", ["systemd"], "a systemd timer then leaves out the run"),
            (
                "{cron: '30 2 * * *', timezone: Europe/Berlin}", ["cron"],
                "choose an hour in which no clock changes, or write"
            ),
            (
                "{cron: '* * * * *', timezone: Europe/Berlin}", ["cron"],
                "programs differ in what they do then; write `timezone: UTC`"
            ),
            ("{cron: '@daily', jitter: 10m}", ["cron"], "a crontab cannot spread starts over 600 s"),
        ] as [(String, [String], String)])
    func whatCannotBeSaidIsRefused(_ schedule: String, _ formats: [String], _ reason: String) throws {
        let shop = try shop([("books", schedule), ("daily", "{cron: '@daily'}")])
        for format in formats {
            let outcome = shop.run(["generate", format, shop.folder])
            #expect(outcome.code == 1 && outcome.output == "", "\(outcome)")
            #expect(
                outcome.errors.contains("books.yaml` cannot be said exactly: ") && outcome.errors.contains(reason),
                "\(outcome.errors)")
            #expect(outcome.errors.contains("Nothing was written."))
        }
    }

    @Test func theFolderOfUnitsIsMade() throws {
        let shop = try shop([("daily", "{cron: '@daily'}")])
        let outcome = shop.run(["generate", "systemd", shop.folder, "--to", "\(shop.folder)/new/units"])
        #expect(outcome.code == 0, "\(outcome.errors)")
        #expect(try shop.read("new/units/sluice-daily.timer").contains("[Timer]"))
    }

    @Test func whatIsNotKnownIsRefused() throws {
        let none = try shop([("books", nil)])
        let outcome = none.run(["generate", "cron", none.folder])
        #expect(outcome.code == 1 && outcome.errors.contains("No pipeline has a `schedule`"), "\(outcome)")
        let broken = try shop([("books", "{cron: '61 * * * *'}")])
        #expect(broken.run(["generate", "systemd", broken.folder]).code == 78)
        let secret = try shop([("books", "{cron: '@daily'}")])
        let text = try secret.read("books.yaml").replacing("sqlite:shop.db", with: "\"${env:SHOP_STORE}\"")
        try secret.write(text, to: "books.yaml")
        for store in [nil, "sqlite:/srv/hidden.db"] {
            secret.environment["SHOP_STORE"] = store
            let outcome = secret.run(["generate", "systemd", secret.folder])
            #expect(outcome.code == 1 && outcome.errors.contains("Name the store with `--store`"), "\(outcome)")
            #expect(!outcome.errors.contains("hidden"))
        }
        #expect(secret.run(["generate", "systemd", secret.folder, "--store", "sqlite:/srv/x.db"]).code == 0)
    }
}
