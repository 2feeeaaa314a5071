const PATHS = {
  plus: 'M8 3v10M3 8h10',
  close: 'm4.5 4.5 7 7m0-7-7 7',
  menu: 'M2.5 4.5h11m-11 3.5h11m-11 3.5h11',
  sidebar: 'M2.5 3.5h11v9h-11zM6.25 3.5v9',
  panel: 'M2.5 3.5h11v9h-11zM9.75 3.5v9',
  back: 'm9.5 4-4 4 4 4',
  forward: 'm6.5 4 4 4-4 4',
  search: 'M7 2.75a4.25 4.25 0 1 1 0 8.5 4.25 4.25 0 0 1 0-8.5M10.25 10.25l3.25 3.25',
  agent: 'M4 5.5h8v6.5H4zM8 3v2.5M6.25 8v1M9.75 8v1',
  folder:
    'M2 4.5A1.5 1.5 0 0 1 3.5 3h2.6l1.6 1.75h4.8A1.5 1.5 0 0 1 14 6.25v5.25a1.5 1.5 0 0 1-1.5 1.5h-9A1.5 1.5 0 0 1 2 11.5z',
  list: 'm4 6 4 4 4-4',
  split: 'M2.5 3.5h11v9h-11zM8 3.5v9',
  zoom: 'M9.5 2.5h4v4m0-4L9 7M6.5 13.5h-4v-4m0 4L7 9',
  restore: 'M13.5 6.5h-4v-4m0 4L14 2M2.5 9.5h4v4m0-4L2 14',
  up: 'm4 10 4-4 4 4',
  down: 'm4 6 4 4 4-4',
  chevron: 'm6 4 4 4-4 4',
  bell: 'M4 11.5V7a4 4 0 0 1 8 0v4.5l1 1H3zm2.75 2.25h2.5',
  more: 'M3.5 8v.01M8 8v.01M12.5 8v.01',
  copy: 'M5.5 5.5v-2a1 1 0 0 1 1-1h6a1 1 0 0 1 1 1v6a1 1 0 0 1-1 1h-2m-7-5h6a1 1 0 0 1 1 1v6a1 1 0 0 1-1 1h-6a1 1 0 0 1-1-1v-6a1 1 0 0 1 1-1',
  activity: 'M2 8.5h2.75L6.5 4l3 8 1.75-3.5H14',
  lock: 'M4.5 7.5h7v5.5h-7zM6 7.5V5.25a2 2 0 0 1 4 0V7.5',
  settings: 'M2.5 4.5h6m4 0h1m-11 7h1m4 0h6M10.5 3v3M5.5 10v3',
  eye: 'M1.5 8S4 4 8 4s6.5 4 6.5 4S12 12 8 12 1.5 8 1.5 8M8 6.25a1.75 1.75 0 1 1 0 3.5 1.75 1.75 0 0 1 0-3.5',
  broken: 'M9 2 4.5 8.5h3.25L7 14l4.5-6.5H8.25z'
} as const

/** A line drawing in the colour of its text; always beside or inside something that has a name. */
export function Icon({ name }: { name: keyof typeof PATHS }) {
  return (
    <svg
      aria-hidden="true"
      width="16"
      height="16"
      viewBox="0 0 16 16"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.4"
      strokeLinecap="round"
      strokeLinejoin="round"
    >
      <path d={PATHS[name]} />
    </svg>
  )
}
