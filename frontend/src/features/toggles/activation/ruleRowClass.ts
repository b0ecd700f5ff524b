import { nearClass } from '@/ui/atHand';

/** The edge of a row without unsaved changes. Forced colours would make a transparent one visible. */
export const plainEdgeClass = 'border-l-transparent forced-colors:border-l-[Canvas]';

/** Classes of a row of the rules: number, sentence and actions. On phones the actions are below the sentence. */
export const ruleRowClass = `${nearClass} relative grid min-w-0 grid-cols-[24px_minmax(0,1fr)_auto] items-start gap-x-2.5 border-l-3 py-2.5 pr-2 pl-2.5`;
