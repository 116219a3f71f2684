internal import SluiceModel
internal import SluicePipelineFiles
internal import SluiceSchedule
internal import SluiceSystem

/// What Kubernetes needs to run pipelines: a job for each that is due by a schedule, or one service for all of them.
///
/// The files go along as a map of configuration, the store is on a volume, and secrets come from a secret of the cluster.
struct KubernetesManifest {
    /// Where the pipeline files are in a container, and where the stores are.
    static let (files, data) = ("/etc/sluice/pipelines", "/var/lib/sluice")
    /// Where the tokens of people and programs are.
    private static let tokens = "/etc/sluice/tokens"
    private static let port = 7788
    private static let identity = 65_532
    private static let nameBytes = 52
    private static let digestDigits = 10

    /// A pipeline that is to be run.
    struct Job {
        let run: ScheduledRun
        /// The arguments of the program in the container.
        let arguments: [String]
    }

    let image: String
    /// Texts of the pipeline files by their names.
    let texts: [(name: String, text: String)]

    /// The manifest of a job for each pipeline.
    ///
    /// - Throws: ``ScheduleError`` where a job cannot say a schedule.
    func jobs(_ jobs: [Job], from moment: Int64) throws(ScheduleError) -> String {
        var documents = shared
        for job in jobs {
            let (expression, zone) = try job.run.expression()
            let jitter = job.run.pipeline.schedule.jitter.seconds
            if jitter > 0 {
                throw ScheduleError(
                    field: "schedule", value: "jitter", reason: "a CronJob cannot spread starts over \(jitter) s",
                    remedy: "leave it out, or use `--serve`")
            }
            let time = try CrontabTime(expression, in: zone, from: moment)
            documents.append(cronJob(job, time.fields, zone.name))
        }
        return text(documents)
    }

    /// The manifest of the service.
    ///
    /// - Parameters:
    ///   - options: What the program is told besides its files and where it listens.
    ///   - graceSeconds: How long it may take to end.
    /// - Returns: The documents.
    func service(options: [String], graceSeconds: Int) -> String {
        let arguments =
            [
                "serve", Self.files, "--listen", "0.0.0.0:\(Self.port)", "--token-file", "\(Self.tokens)/tokens",
                "--state",
                "\(Self.data)/serve",
            ] + options
        return text(
            shared + [
                """
                apiVersion: apps/v1
                kind: Deployment
                metadata:
                  name: sluice
                  labels: {app: sluice}
                spec:
                  # One service has a store.
                  replicas: 1
                  strategy: {type: Recreate}
                  selector:
                    matchLabels: {app: sluice}
                  template:
                    metadata:
                      labels: {app: sluice}
                    spec:
                      terminationGracePeriodSeconds: \(graceSeconds)
                \(pod(arguments, isService: true, indent: 6))
                """
            ])
    }

    private func text(_ documents: [String]) -> String {
        "# Written by `sluice generate kubernetes`.\n" + documents.joined(separator: "\n---\n") + "\n"
    }

    /// The files, and the volume of the stores.
    private var shared: [String] {
        let lines = texts.map { "  \(FieldJSON.quoted($0.name)): \(BlockText.scalar($0.text, indent: 4))" }
        return [
            """
            apiVersion: v1
            kind: ConfigMap
            metadata:
              name: sluice-pipelines
              labels: {app: sluice}
            data:
            \(lines.joined(separator: "\n"))
            """,
            """
            apiVersion: v1
            kind: PersistentVolumeClaim
            metadata:
              name: sluice-data
              labels: {app: sluice}
            spec:
              accessModes: [ReadWriteOnce]
              resources:
                requests: {storage: 10Gi}
            """,
        ]
    }

    private func cronJob(_ job: Job, _ fields: String, _ zone: String) -> String {
        let pipeline = job.run.pipeline
        // A job is missed where it could not start in time; 10 s is the least that the controller can tell.
        let deadline = pipeline.missed == .once ? 86_400 : 60
        return """
            apiVersion: batch/v1
            kind: CronJob
            metadata:
              name: \(Self.name(job.run.name))
              labels: {app: sluice}
            spec:
              schedule: \(FieldJSON.quoted(fields))
              timeZone: \(FieldJSON.quoted(zone))
              concurrencyPolicy: Forbid
              startingDeadlineSeconds: \(deadline)
              jobTemplate:
                spec:
                  backoffLimit: \(pipeline.retry.maxAttempts - 1)\(pipeline.timeout.map { "\n      activeDeadlineSeconds: \($0)" } ?? "")
                  template:
                    metadata:
                      labels: {app: sluice}
                    spec:
                      restartPolicy: Never
            \(pod(job.arguments, isService: false, indent: 10))
            """
    }

    /// What a pod has, whatever starts it.
    private func pod(_ arguments: [String], isService: Bool, indent: Int) -> String {
        let words = arguments.map { FieldJSON.quoted($0) }.joined(separator: ", ")
        let lines = """
            securityContext: {runAsNonRoot: true, runAsUser: \(Self.identity), fsGroup: \(Self.identity)}
            containers:
              - name: sluice
                image: \(FieldJSON.quoted(image))
                args: [\(words)]
                workingDir: \(Self.data)
            \(isService ? Self.probes + "\n" : "")\
                # Secrets that pipelines name as ${env:NAME}.
                envFrom:
                  - secretRef: {name: sluice-env, optional: true}
                securityContext:
                  allowPrivilegeEscalation: false
                  readOnlyRootFilesystem: true
                  capabilities: {drop: [ALL]}
                volumeMounts:
                  - {name: pipelines, mountPath: \(Self.files), readOnly: true}
                  - {name: data, mountPath: \(Self.data)}
                  - {name: tmp, mountPath: /tmp}
            \(isService ? "      - {name: tokens, mountPath: \(Self.tokens), readOnly: true}\n" : "")\
            volumes:
              - name: pipelines
                configMap: {name: sluice-pipelines}
              - name: data
                persistentVolumeClaim: {claimName: sluice-data}
              - name: tmp
                emptyDir: {}
            \(isService ? Self.tokenVolume : "")
            """
        let blanks = String(repeating: " ", count: indent)
        return lines.split(separator: "\n").map { blanks + $0 }.joined(separator: "\n")
    }

    /// How the cluster looks whether the service lives and may be asked.
    private static let probes = """
            ports:
              - {name: http, containerPort: \(port)}
            livenessProbe:
              httpGet: {path: /healthz, port: http}
              periodSeconds: 30
              failureThreshold: 4
            readinessProbe:
              httpGet: {path: /readyz, port: http}
        """

    /// Others than this machine reach the page, so it asks for tokens.
    private static let tokenVolume = """
          # Who may look or decide: kubectl create secret generic sluice-tokens --from-file=tokens
          - name: tokens
            secret: {secretName: sluice-tokens, defaultMode: 0440}
        """

    /// A name as the cluster takes it: of a CronJob it has 52 characters at most, and ends with a letter or digit. Another
    /// one is cut, and ends with a part of its digest, so that no two pipelines have one job.
    static func name(_ text: String) -> String {
        let plain = String(text.lowercased().map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "-" })
        if plain == text, plain.utf8.count <= nameBytes, !plain.hasSuffix("-") { return plain }
        let digest = String(decoding: SHA256.hexadecimal(of: Array(text.utf8)).prefix(digestDigits), as: UTF8.self)
        return "\(plain.prefix(nameBytes - digestDigits - 1))-\(digest)"
    }

    /// Why a file cannot be a part of the map, with what to do; nil where it can.
    static func problem(ofFile name: String) -> String? {
        let isKey =
            name.utf8.count <= 253
            && name.utf8.allSatisfy { byte in
                switch byte {
                case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x5F: true
                default: false
                }
            }
        return isKey ? nil : "the names of its files are letters of ASCII, digits, `-`, `_` and `.`. Rename it"
    }

    /// What to do about a file that pipelines name, which is not a part of the map.
    static func remedy(for use: NamedFile.Use) -> String {
        switch use {
        case .value:
            "Name a variable of the Secret `sluice-env`, as `${env:NAME}`, or mount a Secret of its own and write the file's absolute path there."
        case .certificate: "Mount a Secret of its own, and write the file's absolute path there."
        case .program: "Put it into the image, and write its absolute path there, or use `webhook`."
        case .records: "Mount a volume that has it, and write its absolute path there."
        }
    }

    /// The most bytes that a map may have in all.
    static let mapBytes = 1 << 20
}
