import type { ReactNode } from 'react';
import { inEnvironment } from '@/api/environment';
import { type QuestionCode, questionPrompt } from '@/api/questions';
import { useStore } from '@/lib/store';
import { andMore } from '@/lib/text';
import { ConfirmDialog } from '@/ui/ConfirmDialog';
import { ManagedEditDialog } from './ManagedEditDialog';

interface QuestionTexts {
  title: (subject: string, place: string) => string;
  body: (place: string, isOne: boolean) => ReactNode;
  confirmLabel: string;
  tone?: 'danger';
}

const QUESTIONS: { [code in QuestionCode]: QuestionTexts } = {
  would_add_rollout: {
    title: (subject, place) => `Enable ${subject}${place}`,
    body: (place, isOne) => (
      <>
        <p className="font-semibold text-text">Add a 100 % rollout for everyone and enable?</p>
        <p className="mt-2">
          {isOne ? 'The toggle has' : 'These toggles have'} no strategies{place}. The server adds a rollout to
          100&nbsp;% of users when a toggle without strategies is switched on. To start smaller, cancel and add a
          strategy first.
        </p>
      </>
    ),
    confirmLabel: 'Add rollout and enable',
    tone: 'danger',
  },
  would_enable_strategies: {
    title: (subject, place) => `Enable ${subject}${place}`,
    body: (place, isOne) => (
      <>
        <p className="font-semibold text-text">Enable all disabled strategies too?</p>
        <p className="mt-2">
          All strategies of {isOne ? 'the toggle' : 'these toggles'} are disabled{place}. The server cannot switch a
          toggle on without an enabled strategy.
        </p>
      </>
    ),
    confirmLabel: 'Enable with all strategies',
    tone: 'danger',
  },
  would_disable_toggle: {
    title: (subject, place) => `Switch off ${subject}${place}`,
    body: (place) => (
      <p>No enabled strategy would remain{place}, so the server also switches the toggle off for all users there.</p>
    ),
    confirmLabel: 'Save and switch off',
    tone: 'danger',
  },
  variants_deprecated: {
    title: (subject) => `Create variants of ${subject}`,
    body: () => (
      <p>
        This server stores variants in strategies. Variants of the whole toggle are deprecated there; they still work,
        but a later version may remove them.
      </p>
    ),
    confirmLabel: 'Create anyway',
  },
};

const MAX_NAMES = 5;

interface Props {
  open: boolean;
  /** Called if the code of the dialog cannot be loaded. */
  onClose: () => void;
}

/** Asks the user a question before a write. One instance for the page, used by all writes. */
export function QuestionDialog(_: Props) {
  const question = useStore(questionPrompt.store)?.question;
  if (!question) return null;
  const { code, names, edit } = question;
  return code === 'managed' ? (
    <ManagedEditDialog names={names} edit={edit} />
  ) : (
    <ServerQuestion code={code} names={names} />
  );
}

function ServerQuestion({ code, names }: { code: QuestionCode; names: readonly string[] }) {
  const { title, body, ...texts } = QUESTIONS[code];
  const place = inEnvironment();
  const [only = 'the toggle'] = names;
  const isOne = names.length < 2;
  return (
    <ConfirmDialog
      {...texts}
      prompt={questionPrompt}
      title={title(isOne ? only : `${names.length} toggles`, place)}
      body={
        <>
          {body(place, isOne)}
          {!isOne && <Names names={names} />}
        </>
      }
      action={async () => undefined}
    />
  );
}

function Names({ names }: { names: readonly string[] }) {
  const more = andMore(names, MAX_NAMES);
  return (
    <ul className="mt-2 list-disc pl-5">
      {names.slice(0, MAX_NAMES).map((name) => (
        <li key={name} className="wrap-anywhere">
          {name}
        </li>
      ))}
      {more && <li>{more}</li>}
    </ul>
  );
}
