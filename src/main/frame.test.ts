import { expect, test } from 'vitest'
import { frameOf } from './frame'

test('on macOS the lights stand in the middle of the page’s first line, and the page is told their room', () => {
  expect(frameOf('darwin')).toEqual({
    titleBarStyle: 'hidden',
    titleBarOverlay: { height: 38 },
    trafficLightPosition: { x: 14, y: 12 }
  })
})

test('elsewhere the system draws the frame', () => {
  expect(frameOf('linux')).toEqual({})
})
