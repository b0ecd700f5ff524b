import type { LabContext } from '@/domain/evaluation/labContext';

/** Returns the contexts as text that `parsePopulation` reads: a list of values, or a CSV if there are several fields. */
export function formatContexts(fields: readonly string[], contexts: readonly LabContext[]): string {
  const rows = contexts.map((context) => fields.map((field) => context[field] ?? ''));
  if (fields.length === 1) return rows.join('\n');
  return [fields, ...rows].map((row) => row.map(quote).join(',')).join('\n');
}

function quote(value: string): string {
  return /[",\r\n]/u.test(value) ? `"${value.replaceAll('"', '""')}"` : value;
}
