import { create } from 'zustand'

export interface Question {
  title: string
  text: string
  /** What it is about, word for word. */
  quote?: string
  confirm: string
}

interface Asked extends Question {
  answer(isConfirmed: boolean): void
}

/** The question that waits for the person, at most one. */
export const useQuestion = create<{ asked: Asked | undefined }>(() => ({ asked: undefined }))

/** Asks the person; a question that is still open counts as refused. */
export function ask(question: Question): Promise<boolean> {
  useQuestion.getState().asked?.answer(false)
  return new Promise((resolve) => {
    const answer = (isConfirmed: boolean) => {
      useQuestion.setState({ asked: undefined })
      resolve(isConfirmed)
    }
    useQuestion.setState({ asked: { ...question, answer } })
  })
}
