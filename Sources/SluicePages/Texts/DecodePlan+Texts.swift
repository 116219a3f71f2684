package import SluiceDecode
internal import SluiceModel

extension DecodePlan {
    /// What the hashes of the texts on a page begin with: where fields take something from around their record, that counts
    /// as part of its text.
    package func textSeed(of page: Page) -> UInt64? {
        let takesName = hasTemplate || parts?.parts.contains(where: \.plan.hasTemplate) == true
        return textSeed.map { takesName ? KeyHash.combine($0, FieldDigest.text(Array(page.fileStem.utf8))) : $0 }
    }

    private var hasTemplate: Bool { fields.contains { $0.template != nil } }
}
