// The earlier time that the page shows (`?at=` in the URL). Its data is recorded: it is read separately, never stored with the
// current toggles, and cannot be changed.
import { createContext, useContext } from 'react';
import { formatExact } from '@/lib/format';
import { useLocale } from '@/lib/locale';
import type { PastView } from '@/paths';

/** Provided by the layout, which knows the URL. */
export const PastViewContext = createContext<PastView | undefined>(undefined);

/** Undefined if the page shows the present. */
export function usePastView(): PastView | undefined {
  return useContext(PastViewContext);
}

/** Returns the reason why nothing can be changed on a page that shows the past. */
export function usePastReason(): string | undefined {
  const view = usePastView();
  const locale = useLocale();
  return view && `You see the toggles as of ${formatMoment(view.at, locale)}.`;
}

/** Formats a time in RFC 3339 in the time zone of the browser. Another text stays as it is. */
export function formatMoment(moment: string, locale: string): string {
  const at = Date.parse(moment);
  return Number.isNaN(at) ? moment : formatExact(at, locale);
}
