/** What is awaited, in words; shown only when it takes long enough to be noticed. */
export function Loading({ text }: { text: string }) {
  return (
    <div className="loading" role="status">
      <p>{text}</p>
      <span className="bar" aria-hidden="true" />
    </div>
  )
}
