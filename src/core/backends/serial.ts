/** Runs tasks one after the other, in the order they were given; a failed task does not stop the next. */
export class Serial {
  #last: Promise<unknown> = Promise.resolve()
  #waiting = 0

  /** With nothing before it a task begins at once. */
  run<T>(task: () => Promise<T>): Promise<T> {
    const result = this.#waiting === 0 ? task() : this.#last.then(task)
    const over = () => {
      this.#waiting -= 1
    }
    this.#waiting += 1
    this.#last = result.then(over, over)
    return result
  }
}
