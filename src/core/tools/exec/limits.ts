/** No call blocks longer. */
export const MAX_WAIT_MS = 45_000
/** A new shell reads the person's own files first, and they may do anything. */
export const FIRST_PROMPT_MS = 30_000
/** Between Enter and the shell's first word about the command; on a busy machine nothing is quick. */
export const START_MS = 15_000
/** A prompt that is only known by its looks must stand this long. */
export const PROMPT_QUIET_MS = 300
/** What is typed into a program that tells nothing about itself is looked at once it was silent for so long. */
export const SILENCE_MS = 500
/** Lines longer than this are not typed but read by the shell from a file: line editors draw them for minutes. */
export const MAX_TYPED_CHARACTERS = 16_384
/** How long a shell without our integration may take to print the first mark. */
export const MARK_START_MS = 5_000
/** It reads no faster than this what is typed, and prints its mark after that. */
export const TYPED_BYTES_PER_MS = 10
/** How long something may still be printed before what looks like a prompt is believed to be none. */
export const PROMPT_PATIENCE_MS = 3_000
