import { z } from 'zod'
import { isUsableSize, type Size } from '../shared/terminal'
import { CLIENT_FRAME, SERVER_FRAME, type TandemPreferences } from '../shared/wire'

/** What is JSON here is a token and two numbers; only input may be long. */
const MAX_JSON_BYTES = 4096

const helloSchema = z.looseObject({
  AuthToken: z.string().default(''),
  columns: z.number().optional(),
  rows: z.number().optional()
})
const resizeSchema = z.looseObject({ columns: z.number(), rows: z.number() })

export interface Hello {
  authToken: string
  /** Undefined when the client gave none, or one that no terminal can have. */
  size: Size | undefined
}

/** What a client may say on `/ws`, after its first frame. */
export type ClientFrame =
  | { kind: 'input'; bytes: Buffer }
  | { kind: 'resize'; size: Size | undefined }
  | { kind: 'pause' | 'resume' | 'hello' }

/** The first frame: who the client is and how large its window is; undefined when it is something else. */
export function decodeHello(frame: Buffer): Hello | undefined {
  const hello = helloSchema.safeParse(parseJson(frame))
  if (!hello.success) return undefined
  return { authToken: hello.data.AuthToken, size: sizeOf(hello.data) }
}

/** One later frame; undefined when it is none of the protocol's. */
export function decodeFrame(frame: Buffer): ClientFrame | undefined {
  const payload = frame.subarray(1)
  switch (frame[0]) {
    case CLIENT_FRAME.input:
      return { kind: 'input', bytes: payload }
    case CLIENT_FRAME.resize: {
      const size = resizeSchema.safeParse(parseJson(payload))
      return size.success ? { kind: 'resize', size: sizeOf(size.data) } : undefined
    }
    case CLIENT_FRAME.pause:
      return { kind: 'pause' }
    case CLIENT_FRAME.resume:
      return { kind: 'resume' }
    case CLIENT_FRAME.hello:
      return { kind: 'hello' }
    default:
      return undefined
  }
}

export function outputFrame(bytes: Uint8Array): Buffer {
  const frame = Buffer.allocUnsafe(bytes.length + 1)
  frame[0] = SERVER_FRAME.output
  frame.set(bytes, 1)
  return frame
}

export function titleFrame(title: string): Buffer {
  return Buffer.concat([Buffer.of(SERVER_FRAME.title), Buffer.from(title)])
}

export function preferencesFrame(offset: number, { cols: columns, rows }: Size): Buffer {
  const preferences: TandemPreferences = { tandem: { offset, columns, rows } }
  return Buffer.concat([Buffer.of(SERVER_FRAME.preferences), Buffer.from(JSON.stringify(preferences))])
}

// A window that is hidden or being dragged reports sizes no terminal can have; they change nothing.
function sizeOf({ columns, rows }: { columns?: number | undefined; rows?: number | undefined }): Size | undefined {
  if (columns === undefined || rows === undefined) return undefined
  const size = { cols: columns, rows }
  return isUsableSize(size) ? size : undefined
}

function parseJson(bytes: Buffer): unknown {
  if (bytes.length > MAX_JSON_BYTES) return undefined
  try {
    return JSON.parse(bytes.toString('utf8'))
  } catch (failure) {
    if (failure instanceof SyntaxError) return undefined
    throw failure
  }
}
