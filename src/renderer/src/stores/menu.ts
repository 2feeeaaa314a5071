import type { ReactNode } from 'react'
import { create } from 'zustand'

export interface MenuItem {
  /** Where titles may be alike. */
  id?: string
  title: string
  /** Drawn before the title. */
  mark?: ReactNode
  /** What the mark says, for those who do not see it. */
  state?: string
  /** One of several of which one is chosen now. */
  isCurrent?: boolean
  /** The keys that do the same, as they are shown. */
  keys?: string
  isDisabled?: boolean
  /** A line above it sets it apart from those before. */
  beginsGroup?: boolean
  choose(): void
}

interface OpenMenu {
  label: string
  x: number
  y: number
  items: MenuItem[]
}

/** The context menu that is open, at most one. */
export const useMenu = create<{ open: OpenMenu | undefined }>(() => ({ open: undefined }))

/** Opens a menu at a point of the window. */
export function openMenu(menu: OpenMenu): void {
  useMenu.setState({ open: menu })
}

export function closeMenu(): void {
  useMenu.setState({ open: undefined })
}
