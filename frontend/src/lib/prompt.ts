// A question that code asks the user in a dialog and waits for. The promise of a question always settles.
import { useEffect, useMemo, useState } from 'react';
import { createStore, onUserReset, type Store, useStore, useUserSignal } from './store';

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
  /**
   * Opens the dialog. Resolves with undefined if it is closed, its component is removed, or the user changes. A prompt that
   * queues opens its questions in order. Otherwise a new question replaces the open one, or is refused while it is busy.
   */
  ask(question: Question): Promise<Answer | undefined>;
  /** Closes the dialog with an answer. */
  answer(answer: Answer): void;
  /** Answers with the result of a request. If it fails or returns undefined, the dialog stays open. */
  run(request: () => Promise<Answer | undefined>): Promise<void>;
  /** Closes the dialog without an answer. */
  close(): void;
  /** Closes the dialog and drops all waiting questions, also while it is busy. The result of a running request is ignored. */
  cancel(): void;
}

interface Options {
  /** Questions wait for their turn, because independent actions may ask at the same time. */
  queues?: boolean;
}

interface Asked<Question, Answer> {
  question: Question;
  resolve: (answer: Answer | undefined) => void;
}

export function createPrompt<Question, Answer = true>({ queues = false }: Options = {}): Prompt<Question, Answer> {
  const store = createStore<PromptState<Question> | undefined>(undefined);
  const waiting: Asked<Question, Answer>[] = [];
  let current: Asked<Question, Answer> | undefined;

  function open(next: Asked<Question, Answer>) {
    current = next;
    const number = (store.get()?.number ?? 0) + 1;
    store.set({ number, question: next.question, open: true, busy: false, failure: undefined });
  }

  function settle(answer: Answer | undefined) {
    const settled = current;
    current = undefined;
    const next = waiting.shift();
    if (next) open(next);
    else update({ open: false, busy: false });
    settled?.resolve(answer);
  }

  function update(changes: Partial<PromptState<Question>>) {
    const state = store.get();
    if (state) store.set({ ...state, ...changes });
  }

  return {
    store,
    answer: settle,
    ask(question) {
      return new Promise((resolve) => {
        const next = { question, resolve };
        if (current && queues) waiting.push(next);
        else if (current && store.get()?.busy) resolve(undefined);
        else {
          current?.resolve(undefined);
          open(next);
        }
      });
    },
    async run(request) {
      const asked = current;
      if (!asked || store.get()?.busy) return;
      update({ busy: true, failure: undefined });
      try {
        const answer = await request();
        if (asked !== current) return;
        if (answer === undefined) update({ busy: false });
        else settle(answer);
      } catch (thrown) {
        const failure = thrown instanceof Error ? thrown : new Error(String(thrown));
        if (asked === current) update({ busy: false, failure });
      }
    },
    close() {
      if (!store.get()?.busy) settle(undefined);
    },
    cancel() {
      for (const { resolve } of waiting.splice(0)) resolve(undefined);
      settle(undefined);
    },
  };
}

/** Creates a prompt of the page. A change of the user cancels its questions. */
export function createPagePrompt<Question, Answer = true>(options: Options = {}): Prompt<Question, Answer> {
  const prompt = createPrompt<Question, Answer>(options);
  onUserReset(prompt.cancel);
  return prompt;
}

let reportUnshown: (failure: Error) => void = () => undefined;

/** Calls the function with failures of requests whose dialog has left the page. */
export function onUnshownFailure(report: (failure: Error) => void): void {
  reportUnshown = report;
}

/** A prompt that answers nothing while its component is not mounted. */
function createMountedPrompt<Question, Answer>() {
  const prompt = createPrompt<Question, Answer>();
  let isMounted = false;

  return {
    ...prompt,
    /** False if the user cannot answer: an undefined answer is then no decision. */
    isMounted: () => isMounted,
    ask: (question: Question) => (isMounted ? prompt.ask(question) : Promise.resolve(undefined)),
    async run(request: () => Promise<Answer | undefined>) {
      const asked = prompt.store.get()?.number;
      await prompt.run(request);
      const { number, open, failure } = prompt.store.get() ?? {};
      // If the request failed, no dialog is left that could show the failure or repeat it.
      if (isMounted || number !== asked || !open) return;
      prompt.close();
      if (failure) reportUnshown(failure);
    },
    mount() {
      isMounted = true;
      const unsubscribe = onUserReset(prompt.cancel);
      return () => {
        unsubscribe();
        isMounted = false;
        // A request that runs still answers, because its effect happens all the same. Its deadline ends it.
        prompt.close();
      };
    },
  };
}

/**
 * Creates a prompt for the component, and returns it with its current state. It asks the user at the time of the render: an
 * action of that user must not ask the next one.
 */
export function usePrompt<Question = void, Answer = true>() {
  const [prompt] = useState(createMountedPrompt<Question, Answer>);
  const user = useUserSignal();
  // An effect, because the caller waits for an answer that can no longer be given after the component is removed.
  useEffect(() => prompt.mount(), [prompt]);
  const bound = useMemo(
    () => ({
      ...prompt,
      ask: (question: Question) => (user.aborted ? Promise.resolve(undefined) : prompt.ask(question)),
    }),
    [prompt, user],
  );
  return [bound, useStore(prompt.store)] as const;
}
