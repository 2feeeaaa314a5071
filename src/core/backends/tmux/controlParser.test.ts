import { expect, test } from 'vitest'
import { type Block, ControlParser } from './controlParser'

function parse(chunks: readonly (string | Buffer)[]) {
  const blocks: Block[] = []
  const notifications: string[] = []
  const parser = new ControlParser({
    block: (block) => blocks.push(block),
    notification: (line) => notifications.push(line)
  })
  for (const chunk of chunks) parser.push(Buffer.from(chunk))
  return { blocks, notifications }
}

const SAMPLE = '%begin 1 2 1\none\ntwo é\n%end 1 2 1\n%sessions-changed\n%begin 1 3 1\nbad\n%error 1 3 1\n'

test('answers and refusals are told apart, notifications come between them', () => {
  expect(parse([SAMPLE])).toEqual({
    blocks: [
      { refused: false, lines: ['one', 'two é'] },
      { refused: true, lines: ['bad'] }
    ],
    notifications: ['%sessions-changed']
  })
})

test('a stream cut at any byte reads the same', () => {
  const bytes = Buffer.from(SAMPLE)
  for (let cut = 0; cut <= bytes.length; cut += 1) {
    expect(parse([bytes.subarray(0, cut), bytes.subarray(cut)])).toEqual(parse([SAMPLE]))
  }
  expect(parse([...bytes].map((byte) => Buffer.from([byte])))).toEqual(parse([SAMPLE]))
})

test('an end with another number is text of the answer', () => {
  const { blocks } = parse(['%begin 5 7 1\n%end 5 6 1\n%error 4 7 1\n%begin 1 1 1\n%end 5 7 1\n'])
  expect(blocks).toEqual([{ refused: false, lines: ['%end 5 6 1', '%error 4 7 1', '%begin 1 1 1'] }])
})
