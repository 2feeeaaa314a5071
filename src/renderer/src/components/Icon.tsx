const PATHS = {
  plus: 'M8 3v10M3 8h10',
  close: 'm4.5 4.5 7 7m0-7-7 7',
  menu: 'M2.5 4.5h11m-11 3.5h11m-11 3.5h11',
  folder:
    'M2 4.5A1.5 1.5 0 0 1 3.5 3h2.6l1.6 1.75h4.8A1.5 1.5 0 0 1 14 6.25v5.25a1.5 1.5 0 0 1-1.5 1.5h-9A1.5 1.5 0 0 1 2 11.5z',
  copy: 'M5.5 5.5v-2a1 1 0 0 1 1-1h6a1 1 0 0 1 1 1v6a1 1 0 0 1-1 1h-2m-7-5h6a1 1 0 0 1 1 1v6a1 1 0 0 1-1 1h-6a1 1 0 0 1-1-1v-6a1 1 0 0 1 1-1',
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
