// A question that code asks the user in a dialog and waits for.
import { useEffect, useState } from 'react';
import { createStore, type Store, useStore } from './store';

interface PromptState<Question> {
  /** Number of the question, for keys. */
  number: number;
  /** Kept until the next question, so that the text does not change while the dialog closes. */
  question: Question;
  open: boolean;
  /** A request runs. The dialog cannot be closed or used for another question until it has ended. */
  busy: boolean;
  /** Why the last request failed. */
  failure: Error | undefined;
}

export interface Prompt<Question, Answer = true> {
  /** Undefined before the first question. */
  store: Store<PromptState<Question> | undefined>;
  /** Opens the dialog. Resolves with undefined if it is closed, replaced by another question, or busy with a request. */
  ask(question: Question): Promise<Answer | undefined>;
  /** Closes the dialog with an answer. */
  answer(answer: Answer): void;
  /** Answers with the result of a request. If it fails or returns undefined, the dialog stays open. */
  run(request: () => Promise<Answer | undefined>): Promise<void>;
  /** Closes the dialog without an answer. */
  close(): void;
}

export function createPrompt<Question, Answer = true>(): Prompt<Question, Answer> {
  const store = createStore<PromptState<Question> | undefined>(undefined);
  let resolve: (answer: Answer | undefined) => void = () => undefined;

  function settle(answer: Answer | undefined) {
    const asked = store.get();
    if (asked?.open) store.set({ ...asked, open: false, busy: false });
    resolve(answer);
  }

  return {
    store,
    answer: settle,
    ask(question) {
      const last = store.get();
      if (last?.busy) return Promise.resolve(undefined);
      resolve(undefined);
      store.set({ number: (last?.number ?? 0) + 1, question, open: true, busy: false, failure: undefined });
      return new Promise((settled) => {
        resolve = settled;
      });
    },
    async run(request) {
      const asked = store.get();
      if (!asked?.open || asked.busy) return;
      store.set({ ...asked, busy: true, failure: undefined });
      try {
        const answer = await request();
        if (answer === undefined) store.set({ ...asked, failure: undefined });
        else settle(answer);
      } catch (thrown) {
        store.set({ ...asked, failure: thrown instanceof Error ? thrown : new Error(String(thrown)) });
      }
    },
    close() {
      if (!store.get()?.busy) settle(undefined);
    },
  };
}

/** Creates a prompt for the component, and returns it with its current state. */
export function usePrompt<Question = void, Answer = true>() {
  const [prompt] = useState(createPrompt<Question, Answer>);
  // An effect, because the caller waits for an answer that can no longer be given after the component is removed.
  useEffect(() => prompt.close, [prompt]);
  return [prompt, useStore(prompt.store)] as const;
}
