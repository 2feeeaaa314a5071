/** No prompt for a secret is longer. */
export const MAX_PROMPT_BYTES = 512

// Colours, and what shells and programs switch or erase at the end of a line. Whatever moves the cursor draws a screen.
// biome-ignore lint/suspicious/noControlCharactersInRegex: escape sequences are what is removed here
const NO_MOVE = /\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)|\x1b\[[\d;?]*[mKJhl]|\x1b[()][0-9A-B]|\x07/g
const WORDS = [
  String.raw`\bpass(?:word|phrase|code|wd)\b`,
  String.raw`\b(?:PIN|OTP)\b`,
  String.raw`\b(?:verification|security|authentication|token|one-time|two-factor) code\b`,
  ...['passwort', 'kennwort', 'mot de passe', 'contraseña', 'senha', 'hasło', 'пароль'],
  ...['密码', '密碼', 'パスワード', '비밀번호', '암호']
]
/** Stars: some programs show one for each key. */
const ASKS = new RegExp(`(?:${WORDS.join('|')}).*[:：?]\\s*[*•●]*\\s*$`, 'i')
/** What follows it was typed at a prompt, and asks nobody anything. */
const SHELL_PROMPT = /[$#%>❯➜]\s/

/** Whether output that ends like this looks as if a secret were asked for. A guess: only the words can be seen. */
export function asksForSecret(tail: Buffer): boolean {
  const line =
    tail
      .toString('utf8')
      .replace(NO_MOVE, '')
      .split(/[\r\n]+/)
      .at(-1) ?? ''
  return !line.includes('\x1b') && ASKS.test(line) && !SHELL_PROMPT.test(line)
}
