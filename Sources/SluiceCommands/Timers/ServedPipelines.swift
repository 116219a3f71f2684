internal import SluiceSchedule

/// Pipelines that a service runs, which another program starts. All paths begin at the root.
struct ServedPipelines {
    /// The program, `serve` and its arguments.
    let words: [String]
    /// The folder that the program starts in.
    let folder: String
    /// The files and folders of pipelines.
    let paths: [String]
    /// The folders of the stores, and the state folder.
    let written: [String]
    /// Where values may stand that pipelines name as `${env:NAME}`; nil where the program itself reads files of them.
    let environmentFile: String?
    /// The user that it runs as.
    let user: String

    /// The unit of systemd for the service.
    ///
    /// - Throws: ``ScheduleError`` where a word cannot stand in a line.
    func unit() throws(ScheduleError) -> String {
        try ScheduledRun.check(words + [folder, environmentFile ?? "", user] + paths + written)
        let secrets = environmentFile.map { file in
            """
            # Secrets that pipelines name as ${env:NAME}: a line NAME=VALUE each, in a file that root alone can read.
            EnvironmentFile=-\(UnitWord.value(file))

            """
        }
        return """
            \(SystemdUnits.head("sluice.service"))[Unit]
            Description=Sluice: run pipelines when they are due
            Wants=network-online.target
            After=network-online.target

            [Service]
            Type=notify
            NotifyAccess=main
            WatchdogSec=60
            User=\(UnitWord.value(user))
            WorkingDirectory=\(UnitWord.value(folder))
            \(secrets ?? "")ExecStart=\(words.map(UnitWord.argument).joined(separator: " "))
            ExecReload=/bin/kill -HUP $MAINPID
            Restart=on-failure
            RestartSec=5
            # The service ends its runs itself, which may take as long as --grace and 30 s.
            KillMode=mixed
            TimeoutStopSec=90
            UMask=0077
            \(SystemdUnits.sandbox(paths: paths + [folder], writing: written))

            [Install]
            WantedBy=multi-user.target

            """
    }
}
