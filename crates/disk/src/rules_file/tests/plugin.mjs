// Writes a rules file in the way of the plugin: read it again before writing, compare, write a temporary file beside it,
// rename. It takes no lock, and what comes between its look and its rename it does not see.
//
// node plugin.mjs FILE ROUNDS KEEP [forgetful]
//
// In each round it learns a line, counts one, and forgets the line it learned KEEP rounds ago, which must be there still.
// A forgetful one drops the keys that are not its own.

import { readFileSync, renameSync, writeFileSync } from "node:fs"

const [file, rounds, keep, forgetful] = process.argv.slice(2)
const own = ["version", "preset", "learned", "pending"]

function change(make) {
  for (;;) {
    const read = readFileSync(file, "utf8")
    const rules = JSON.parse(read)
    if (make(rules) === "later") continue
    if (forgetful) {
      for (const key of Object.keys(rules)) if (!own.includes(key)) delete rules[key]
    }
    if (readFileSync(file, "utf8") !== read) continue
    const beside = `${file}.${process.pid}.tmp`
    writeFileSync(beside, JSON.stringify(rules, null, 2))
    renameSync(beside, file)
    return
  }
}

const pause = (milliseconds) => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds)

for (let round = 1; round <= Number(rounds); round++) {
  change((rules) => {
    rules.learned.push({ command: `theirs ${round}`, approvals: 3, lastSeen: new Date().toISOString() })
    rules.pending["count theirs"] = (rules.pending["count theirs"] ?? 0) + 1
  })
  if (round <= Number(keep)) continue
  const old = `theirs ${round - Number(keep)}`
  const end = Date.now() + 20_000
  change((rules) => {
    const kept = rules.learned.filter((one) => one.command !== old)
    if (kept.length === rules.learned.length) {
      // Who writes at the same moment may take a while to put back what it displaced.
      if (Date.now() > end) throw new Error(`\`${old}\` is lost`)
      pause(1)
      return "later"
    }
    rules.learned = kept
  })
}
