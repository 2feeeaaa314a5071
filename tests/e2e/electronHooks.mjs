import { register } from 'node:module'

const standIn = new URL('./electronStandIn.mjs', import.meta.url).href

/** Loaded twice: with `--import` it registers itself, and then answers what `electron` means. */
export async function resolve(specifier, context, next) {
  return specifier === 'electron' ? { url: standIn, shortCircuit: true } : next(specifier, context)
}

if (!new URL(import.meta.url).searchParams.has('hooks')) register(`${import.meta.url}?hooks`)
