import { Fragment } from 'react'
import { Group, Panel, Separator } from 'react-resizable-panels'
import { isSplit, type PaneNode, panesOf, type SplitNode } from '../panes/layout'
import { strings } from '../strings'

interface SplitFrameProps {
  node: PaneNode
  /** The sizes of one split in percentages; the way names the split. */
  onSizes(way: readonly number[], sizes: readonly number[]): void
}

// Narrower panes hold no line that could be read.
const MIN_PERCENT = 8

/**
 * The lines between panes, to drag or to move with the arrow keys. It lies over the terminals and holds none of them: a
 * terminal keeps its place in the document, whatever is split, so that it never has to be drawn anew.
 */
export function SplitFrame({ node, onSizes }: SplitFrameProps) {
  if (!isSplit(node)) return null
  return (
    <div className="splitFrame">
      <Frame node={node} way={[]} onSizes={onSizes} key={shapeOf(node)} />
    </div>
  )
}

function Frame({ node, way, onSizes }: { node: SplitNode; way: readonly number[] } & Pick<SplitFrameProps, 'onSizes'>) {
  const ids = node.parts.map((part) => panelId(part.node))
  return (
    <Group
      orientation={node.split === 'row' ? 'horizontal' : 'vertical'}
      defaultLayout={Object.fromEntries(node.parts.map((part, index) => [ids[index] ?? '', part.size]))}
      onLayoutChange={(layout) => {
        const sizes = ids.map((id, index) => layout[id] ?? node.parts[index]?.size ?? 0)
        if (sizes.some((size, index) => Math.abs(size - (node.parts[index]?.size ?? 0)) > 0.01)) onSizes(way, sizes)
      }}
    >
      {node.parts.map((part, index) => (
        <Fragment key={ids[index]}>
          {index > 0 && <Separator className="separator" aria-label={strings.panes.separator} />}
          <Panel id={ids[index] ?? ''} minSize={`${MIN_PERCENT}%`}>
            {isSplit(part.node) && <Frame node={part.node} way={[...way, index]} onSizes={onSizes} />}
          </Panel>
        </Fragment>
      ))}
    </Group>
  )
}

function panelId(node: PaneNode): string {
  return panesOf(node).join(' ')
}

/** What makes it another frame: which panes there are and how they lie, not how large they are. */
function shapeOf(node: PaneNode): string {
  return isSplit(node) ? `${node.split}(${node.parts.map((part) => shapeOf(part.node)).join(' ')})` : node.pane
}
