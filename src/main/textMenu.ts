import { type ContextMenuParams, Menu, type WebContents } from 'electron'

/** The system's menu for text fields; everywhere else the page has its own. */
export function setupTextMenu(contents: WebContents): void {
  contents.on('context-menu', (_event, { isEditable, editFlags }: ContextMenuParams) => {
    if (!isEditable) return
    Menu.buildFromTemplate([
      { role: 'undo', enabled: editFlags.canUndo },
      { type: 'separator' },
      { role: 'cut', enabled: editFlags.canCut },
      { role: 'copy', enabled: editFlags.canCopy },
      { role: 'paste', enabled: editFlags.canPaste },
      { role: 'selectAll', enabled: editFlags.canSelectAll }
    ]).popup()
  })
}
