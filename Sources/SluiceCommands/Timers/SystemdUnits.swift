internal import SluiceSchedule
internal import SluiceSystem

/// The systemd units that run a pipeline when it is due.
struct SystemdUnits {
    /// A file and what stands in it.
    struct Unit {
        let name: String
        let text: String
    }

    /// The service and the timer.
    let units: [Unit]

    /// Writes the units of a run.
    ///
    /// - Parameters:
    ///   - run: The run.
    ///   - moment: From when on the timer must mean what the schedule says, in seconds since the epoch.
    /// - Throws: ``ScheduleError`` where a timer cannot say it.
    init(_ run: ScheduledRun, from moment: Int64) throws(ScheduleError) {
        try run.checkWords()
        let (expression, zone) = try run.expression()
        let calendar = try TimerCalendar(expression, in: zone, from: moment)
        units = [
            Unit(name: "\(run.name).service", text: Self.service(run)),
            Unit(name: "\(run.name).timer", text: Self.timer(run, calendar)),
        ]
    }

    static func head(_ name: String) -> String {
        "# Written by `sluice generate systemd`. For changes of your own: `systemctl edit \(name)`.\n"
    }

    private static func timer(_ run: ScheduledRun, _ calendar: TimerCalendar) -> String {
        var lines = calendar.values.map { "OnCalendar=\($0)" }
        let jitter = run.pipeline.schedule.jitter.seconds
        if jitter > 0 { lines.append("RandomizedDelaySec=\(jitter)s") }
        // Without it, a timer may be a minute late.
        lines.append("AccuracySec=1s")
        lines.append("Persistent=\(run.pipeline.missed == .once)")
        return """
            \(head("\(run.name).timer"))[Unit]
            Description=Sluice: when \(run.pipeline.name) is due

            [Timer]
            \(lines.joined(separator: "\n"))

            [Install]
            WantedBy=timers.target

            """
    }

    private static func service(_ run: ScheduledRun) -> String {
        let secrets = run.environmentFile.map { file in
            """
            # Secrets that the pipeline names as ${env:NAME}: a line NAME=VALUE each, in a file that root alone can read.
            EnvironmentFile=-\(UnitWord.value(file))

            """
        }
        return """
            \(head("\(run.name).service"))[Unit]
            Description=Sluice: run \(run.pipeline.name)
            Wants=network-online.target
            After=network-online.target

            [Service]
            Type=oneshot
            User=\(UnitWord.value(run.user))
            WorkingDirectory=\(UnitWord.value(run.folder))
            \(secrets ?? "")ExecStart=\(run.words.map(UnitWord.argument).joined(separator: " "))
            UMask=0077
            \(sandbox(
                paths: [run.folder, run.store, run.file].compactMap { $0 } + run.environmentFiles,
                writing: run.store.map { [FileSystem.folder(of: $0)] } ?? []))

            """
    }

    /// What the program may not do.
    ///
    /// - Parameters:
    ///   - paths: What it has to see.
    ///   - folders: Where alone it writes.
    /// - Returns: The lines.
    static func sandbox(paths: [String], writing folders: [String]) -> String {
        func isUsed(_ folders: String...) -> Bool {
            folders.contains { folder in paths.contains { $0 == folder || $0.hasPrefix(folder + "/") } }
        }
        let lines =
            [
                "NoNewPrivileges=true", "CapabilityBoundingSet=", "ProtectSystem=strict",
                "ReadWritePaths=\(folders.map(UnitWord.item).joined(separator: " "))",
                "ProtectHome=\(isUsed("/home", "/root", "/run/user") ? "read-only" : "true")",
            ] + (isUsed("/tmp", "/var/tmp") ? [] : ["PrivateTmp=true"]) + [
                "PrivateDevices=true", "ProtectClock=true", "ProtectControlGroups=true", "ProtectHostname=true",
                "ProtectKernelLogs=true", "ProtectKernelModules=true", "ProtectKernelTunables=true",
                "ProtectProc=invisible", "LockPersonality=true", "MemoryDenyWriteExecute=true",
                "RestrictAddressFamilies=AF_INET AF_INET6 AF_NETLINK AF_UNIX", "RestrictNamespaces=true",
                "RestrictRealtime=true", "RestrictSUIDSGID=true", "SystemCallArchitectures=native",
                "SystemCallFilter=@system-service",
            ]
        return lines.joined(separator: "\n")
    }
}
