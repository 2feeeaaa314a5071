import '@fontsource-variable/inter/wght.css'
import '@fontsource/jetbrains-mono/400.css'
import '@fontsource/jetbrains-mono/400-italic.css'
import '@fontsource/jetbrains-mono/700.css'
import '@fontsource/jetbrains-mono/700-italic.css'

const MONO = '"JetBrains Mono"'
// A page that cannot have its fonts is shown in the system's.
const LONGEST_WAIT_MS = 3000

/** Resolves once terminal text can be measured: a cell measured in another font would be wrong for good. */
export async function terminalFontsReady(): Promise<void> {
  const wanted = ['400', '700'].map((weight) => document.fonts.load(`${weight} 14px ${MONO}`))
  const waited = new Promise<void>((resolve) => setTimeout(resolve, LONGEST_WAIT_MS))
  await Promise.race([Promise.allSettled(wanted), waited])
}
