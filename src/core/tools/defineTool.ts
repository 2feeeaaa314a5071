import type { z } from 'zod'
import type { Caller, Scope } from '../../shared/access'
import type { Warning } from '../../shared/errors'
import type { Settings } from '../../shared/settings'
import type { Workspaces } from '../workspace/workspaces'

export const TOOLSETS = ['collab', 'pty', 'exec', 'tracked'] as const
export type Toolset = (typeof TOOLSETS)[number]

/** What a tool may reach. Built per call by the door that received it. */
export interface ToolContext {
  workspaces: Workspaces
  settings(): Settings
  caller: Caller
  /** Connectable WebSocket address of a terminal, without any secret. */
  wsUrl(tmuxSession: string): string
  /** Aborted when the caller gave up: stops waits, never commands. */
  signal: AbortSignal
  /** Says what a long call does now; a caller that asked for it hears it every few seconds. */
  progress(message: string): void
  /** Repeats of one create share one outcome. */
  idempotencyKey?: string | undefined
}

/** The four MCP annotations, all stated: the protocol's defaults are pessimistic. */
export interface ToolAnnotations {
  readOnlyHint: boolean
  destructiveHint: boolean
  idempotentHint: boolean
  openWorldHint: boolean
}

export type ToolAnswer<O> = O & { warnings?: Warning[] }

export interface Tool<I extends z.ZodObject = z.ZodObject, O extends z.ZodObject = z.ZodObject> {
  name: string
  toolset: Toolset
  /** Other sets that offer it too. */
  sharedWith?: readonly Toolset[]
  title: string
  description: string
  /** What the caller's token must allow. */
  scope: Scope
  annotations: ToolAnnotations
  input: I
  output: O
  run(args: z.infer<I>, context: ToolContext): Promise<ToolAnswer<z.infer<O>>>
  /** The same facts as short text for models, in the form the arguments ask for; JSON when absent. */
  text?(answer: ToolAnswer<z.infer<O>>, args?: z.infer<I>): string
}

/** Whether one of these sets offers the tool. */
export function isIn(
  { toolset, sharedWith = [] }: Pick<Tool, 'toolset' | 'sharedWith'>,
  toolsets: readonly Toolset[]
): boolean {
  return [toolset, ...sharedWith].some((own) => toolsets.includes(own))
}

/** Declares a tool; the list in `index.ts` is the only registry. Input objects are strict: unknown fields are refused. */
export function defineTool<I extends z.ZodObject, O extends z.ZodObject>(tool: Tool<I, O>): Tool {
  // Tools are kept in one list; each is only ever called with what its own input schema accepted.
  return tool as unknown as Tool
}
