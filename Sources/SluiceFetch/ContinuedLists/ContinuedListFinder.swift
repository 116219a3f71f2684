package import SluiceDecode
internal import SluiceGzip
internal import SluiceJQ
internal import SluiceJSON
internal import SluiceModel
package import SluicePages
package import SluicePipeline
internal import SluiceReport
package import SluiceSystem

/// Finds the records of some pages of whose list there is more than they show.
package struct ContinuedListFinder {
    /// What was found.
    package struct Found {
        /// The lists that are asked for.
        package var open: [OpenList] = []
        /// Those that nothing can be asked for, each with the position of its record.
        package var obstacles: [(place: Place, obstacle: PartitionPlan.Obstacle)] = []
        /// Those of records that cannot be taken, of which nothing is asked.
        package var passedOver: [Place] = []
    }

    /// Where a record stands.
    package struct Place {
        package let page: Int
        package let ordinal: Int

        /// Makes a value of its parts.
        package init(page: Int, ordinal: Int) {
            self.page = page
            self.ordinal = ordinal
        }
    }

    package let stream: StreamDefinition
    package let list: StreamDefinition.NestedList
    package let more: StreamDefinition.NestedList.More
    package let isOrdered: Bool
    package let shape: PartitionShape
    package let plan: DecodePlan
    package let reading: RecordsReading
    package let cancellation: Cancellation

    /// Makes a value of its parts.
    package init(
        stream: StreamDefinition, list: StreamDefinition.NestedList, more: StreamDefinition.NestedList.More,
        isOrdered: Bool, shape: PartitionShape, plan: DecodePlan, reading: RecordsReading, cancellation: Cancellation
    ) {
        self.stream = stream
        self.list = list
        self.more = more
        self.isOrdered = isOrdered
        self.shape = shape
        self.plan = plan
        self.reading = reading
        self.cancellation = cancellation
    }

    /// Looks at all records.
    ///
    /// - Throws: What reading a page throws, but for what is wrong with its text: decoding says that better.
    package func find(in pages: [Page]) throws -> Found {
        var found = Found()
        let program = try ContinuedListConditions.program(more)
        var decoder = try RecordDecoder(
            plan: plan, entriesKey: stream.entries, filter: stream.filter, deletedWhen: stream.deletedWhen)
        let parser = JSONParser()
        var records = 0
        for (number, page) in pages.enumerated() {
            let before = records
            let cursor = page.partition.flatMap { plan.partitionCursors[$0.key] }
            let around = RecordDecoder.Page(
                number: number, firstOrdinal: before, fileStem: page.fileStem, partition: page.partition,
                cursor: cursor,
                lists: page.lists)
            let kept = found
            do {
                let reader = try reading.makeReader(of: PageBytes(page), page)
                while let record = try reader.next() {
                    try cancellation.check()
                    records = before + record.ordinal + 1
                    try? parser.withRoot(of: record) { root in
                        search(at: record, root, program, on: page, around, &decoder, &found)
                    }
                }
            } catch is JSONError {
                found = kept
            } catch is GzipError {
                found = kept
            }
        }
        return found
    }

    private func search(
        at record: RawRecord, _ root: JSONElement, _ program: JQProgram, on page: Page, _ around: RecordDecoder.Page,
        _ decoder: inout RecordDecoder, _ found: inout Found
    ) {
        var fault: String?
        do throws(JQError) {
            let result = try program.isTrue(root)
            if let number = result.lossyNumbers.first {
                fault = Mismatch(rounding: number, program).message
            } else if !result.output {
                return
            }
        } catch {
            fault = plan.redactor == nil ? error.message : RecordRedactor.silence
        }
        let place = Place(page: around.number, ordinal: around.firstOrdinal + record.ordinal)
        var batch = RecordBatch(fieldCount: plan.fields.count)
        var parts = decoder.emptyNested
        guard decoder.decode(record, page: around, into: &batch, parts: &parts) == nil, batch.count > 0,
            batch.deleted.isEmpty
        else {
            found.passedOver.append(place)
            return
        }
        let (partition, missing) = partition(of: batch, on: page, place)
        func refuse(_ reason: String) {
            found.obstacles.append((place, PartitionPlan.Obstacle(partition: partition, reason: reason)))
        }
        if let fault { return refuse("cannot be judged by `when` of `more`: \(fault)") }
        if let missing { return refuse("has no `\(missing)`") }
        if let obstacle = more.request.obstacle(to: partition) { return refuse(obstacle.reason) }
        let start = ContinuedListStart(list: list, more: more)
        guard let known = start.place(in: root) else {
            return refuse("has no list at `\(list.place.text)` that could go on")
        }
        if isOrdered, known.token == nil, known.count > 0 {
            return refuse("does not say where the rest of `\(list.path.text)` begins")
        }
        found.open.append(
            OpenList(
                page: place.page, position: record.ordinal, ordinal: place.ordinal, partition: partition,
                start: known.token))
    }

    /// The record as requests speak of it, with the field that it has no value of.
    private func partition(
        of batch: borrowing RecordBatch, on page: Page, _ place: Place
    ) -> (Partition, missing: String?) {
        var missing: String?
        var values: [String] = []
        for name in shape.parentFields {
            let field = plan.fields.firstIndex { $0.name == name }
            let value = field.flatMap { batch.value(record: 0, field: $0) }
            let text = field.flatMap { field in
                value.flatMap { PartitionReader.text($0, plan.schema.fields[field].type) }
            }
            if text == nil { missing = missing ?? name }
            values.append(text ?? "")
        }
        for items in shape.lists {
            values.append(page.partition?.text(TemplateVariable(.item, member: items.name)) ?? "")
        }
        return (Partition(shape: shape, values: values + [String(place.ordinal)]), missing)
    }
}
