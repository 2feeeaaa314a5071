import type { IDisposable, IParser } from '@xterm/xterm'

const REPORT_OPERATIONS = new Set([11, 13, 14, 15, 16, 18, 19, 20, 21])
const COLOUR_QUERIES = [4, 5, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19]

/**
 * Keeps the page's emulator from answering terminal queries: the host answers them once, and a second answer would be
 * typed into the shell. After this, `onData` carries only what the person did. Clipboard access (OSC 52) is ignored too.
 */
export function muteReplies(parser: IParser): IDisposable[] {
  const swallow = () => true
  return [
    ...['', '>', '='].map((prefix) => parser.registerCsiHandler(csi('c', prefix), swallow)),
    ...['', '?'].map((prefix) => parser.registerCsiHandler(csi('n', prefix), swallow)),
    ...['', '?'].map((prefix) => parser.registerCsiHandler(csi('p', prefix, '$'), swallow)),
    parser.registerCsiHandler(csi('q', '>'), swallow),
    parser.registerCsiHandler(csi('u', '?'), swallow),
    parser.registerCsiHandler(csi('x'), swallow),
    parser.registerCsiHandler(csi('t'), (parameters) => REPORT_OPERATIONS.has(Number(parameters[0]))),
    parser.registerDcsHandler({ intermediates: '$', final: 'q' }, swallow),
    parser.registerDcsHandler({ intermediates: '+', final: 'q' }, swallow),
    ...COLOUR_QUERIES.map((number) => parser.registerOscHandler(number, isQuery)),
    parser.registerOscHandler(52, swallow)
  ]
}

function csi(final: string, prefix = '', intermediates = '') {
  return { final, ...(prefix ? { prefix } : {}), ...(intermediates ? { intermediates } : {}) }
}

function isQuery(data: string): boolean {
  return data.split(';').includes('?')
}
