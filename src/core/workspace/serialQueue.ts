/** One thing at a time, in the order asked; one that fails does not stop those behind it. */
export class SerialQueue {
  #tail: Promise<unknown> = Promise.resolve()
  #waiting = 0

  run<T>(work: () => Promise<T>): Promise<T> {
    this.#waiting += 1
    const result = this.#tail.then(work).finally(() => {
      this.#waiting -= 1
    })
    this.#tail = result.catch(() => undefined)
    return result
  }

  get isIdle(): boolean {
    return this.#waiting === 0
  }

  async whenIdle(): Promise<void> {
    while (!this.isIdle) await this.#tail
  }
}
