/** Work of which so much goes on at a time; the rest begins in order as soon as some is over. */
export class Turns {
  readonly #waiting: (() => void)[] = []
  #running = 0

  constructor(private readonly atOnce: number) {}

  /** `giveUp`: true when the work has not begun; then it never does. */
  take<T>(work: () => Promise<T>): { working: Promise<T>; giveUp(): boolean } {
    if (this.#running < this.atOnce) return { working: this.#run(work), giveUp: () => false }
    let begin: () => void = () => undefined
    const working = new Promise<T>((resolve, reject) => {
      begin = () => void this.#run(work).then(resolve, reject)
    })
    this.#waiting.push(begin)
    return { working, giveUp: () => this.#drop(begin) }
  }

  get isIdle(): boolean {
    return this.#running === 0
  }

  #drop(begin: () => void): boolean {
    const place = this.#waiting.indexOf(begin)
    if (place !== -1) this.#waiting.splice(place, 1)
    return place !== -1
  }

  async #run<T>(work: () => Promise<T>): Promise<T> {
    this.#running += 1
    try {
      return await work()
    } finally {
      this.#running -= 1
      this.#waiting.shift()?.()
    }
  }
}
