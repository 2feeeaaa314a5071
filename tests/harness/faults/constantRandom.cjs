// Loaded into a host before anything else: of every few numbers, most are the same.
const crypto = require('node:crypto')
const { syncBuiltinESMExports } = require('node:module')

const REPEATED = 12
const real = crypto.randomInt
let count = 0
crypto.randomInt = (...range) => {
  count = (count + 1) % (REPEATED + 4)
  return count < REPEATED ? 0 : real(...range)
}
syncBuiltinESMExports()
