import Foundation
import Holdfast

extension AppReading {
  /// Reads XP and achievements.
  ///
  /// Holdfast's own transactions are kept. The XP of the app are carried over as one transaction:
  /// its total, or the sum of its transactions.
  mutating func readRewards() {
    let kind = XPTransaction.declaration.kind
    var (hasOwn, totals) = (false, [String: AppValue]())
    var sums: [String: Int] = [:]
    each("userprogress", "userprogressdata", as: kind) { row, _ in
      let total = row.value("totalXP", "xpTotal", "xp")
      if !total.isNull { totals[row.value("userId").text ?? Habit.defaultUser] = total }
      row.skip("id", "createdAt", "updatedAt", "level", "currentLevel", "xpForNextLevel")
    }
    each("xptransaction", as: kind) { row, _ in
      guard row.value("isForDay").flag != nil else {
        let user = row.value("userId").text ?? Habit.defaultUser
        let amount = row.value("amount").integer ?? 0
        let sum = sums[user, default: 0].addingReportingOverflow(amount)
        sums[user] = sum.overflow ? Int.max : sum.partialValue
        row.skip("id", "reason", "timestamp")
        return row.remark("amount", "carried over together")
      }
      hasOwn = true
      row.uuid("id")
      for name in ["userId", "reason", "day"] { row.copy(name) }
      row.number("amount")
      row.date("timestamp")
      row.date("modifiedAt")
    }
    let document = rows.document
    for total in [document["totalXP"], document["userProgress"]["totalXP"]] where !total.isNull {
      totals[document["userId"].text?.nonBlank ?? Habit.defaultUser] = total
    }
    if !hasOwn {
      carryOver(totals.merging(sums.mapValues { .number(Double($0)) }) { total, _ in total })
    }
    each("achievement", "achievementdata", as: Achievement.declaration.kind) { row, _ in
      let name = row.value("achievementId").text ?? ""
      guard name.wholeMatch(of: /[a-z0-9_]{1,64}/) != nil else {
        row.skip("id", "userId", "title", "description", "unlockedAt", "xpAwarded")
        return row.remark("achievementId", "not known, left out")
      }
      row.set("achievementId", .text(name))
      row.uuid("id")
      row.set("userId", .text(row.value("userId").text ?? Habit.defaultUser))
      row.copy("title")
      row.copy("text", from: "description", "text")
      if row.record["text"] == nil { row.set("text", .text("")) }
      row.date("unlockedAt")
      row.number("xpAwarded", else: 0)
      row.uuid("recordingId")
      row.date("modifiedAt")
      row.skip("createdAt")
    }
  }

  private mutating func carryOver(_ totals: [String: AppValue]) {
    let kind = XPTransaction.declaration.kind
    for (user, total) in totals.sorted(by: { $0.key < $1.key })
    where !total.isNull && total.integer != 0 {
      guard let amount = total.integer, amount > 0 else {
        refuse(kind, id: nil, "the total is \(total.shown), not a number of XP")
        continue
      }
      add(
        [
          "id": .text(XPTransaction.carriedOver(for: user).uuidString), "userId": .text(user),
          "amount": .number(Double(amount)), "reason": .text("carried over"),
          "timestamp": .text(JSONFormat.text(Date())),
        ], as: kind)
    }
  }
}
