import type { SeenApp } from '@/api/generated/types';
import type { Matcher } from '@/lib/toggleListPattern';

const collator = new Intl.Collator('en');

/** In name order, those whose name, description or strategies match. */
export function filterApplications(applications: readonly SeenApp[], matches: Matcher): SeenApp[] {
  return applications
    .filter(({ appName, description, strategies }) =>
      [appName, description ?? '', ...(strategies ?? [])].some((text) => matches(text)),
    )
    .sort((a, b) => collator.compare(a.appName, b.appName));
}
