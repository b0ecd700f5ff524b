import type { ReactNode } from 'react';
import type { ParameterDefinition } from '@/api/generated/types';
import { cx } from '@/lib/cx';
import { Chip } from '@/ui/Chip';
import { Column } from '@/ui/Column';

export function ParameterTable({ parameters }: { parameters: readonly ParameterDefinition[] }) {
  return (
    <section aria-labelledby="parameters-heading" className="grid gap-3">
      <h2 id="parameters-heading" className="font-semibold">
        Parameters
      </h2>
      {parameters.length === 0 ? (
        <p className="rounded-card border border-line-strong border-dashed px-4 py-3 text-muted text-secondary">
          It has no parameters: there is nothing to fill in on a toggle.
        </p>
      ) : (
        <div className="rounded-card border border-line bg-surface shadow-card">
          <table className="block w-full sm:table sm:table-fixed">
            <thead className="max-sm:sr-only">
              <tr className="border-line border-b">
                <Column className="w-1/4">Name</Column>
                <Column className="w-28">Type</Column>
                <Column>Description</Column>
                <Column className="w-28">Required</Column>
              </tr>
            </thead>
            <tbody className="block sm:table-row-group">
              {parameters.map((parameter) => (
                <Row key={parameter.name} parameter={parameter} />
              ))}
            </tbody>
          </table>
        </div>
      )}
    </section>
  );
}

function Row({ parameter: { name, type, description, required } }: { parameter: ParameterDefinition }) {
  return (
    <tr className="not-first:border-line not-first:border-t align-baseline max-sm:grid max-sm:gap-y-1.5 max-sm:p-4 sm:table-row">
      <th scope="row" className="wrap-anywhere min-w-0 text-left font-semibold sm:py-2.5 sm:pr-2 sm:pl-4">
        {name}
      </th>
      <Cell>
        <Chip>{type}</Chip>
      </Cell>
      <Cell className={cx('text-muted', !description && 'max-sm:hidden')}>{description}</Cell>
      <Cell className={cx(!required && 'text-muted')}>{required ? 'Required' : 'Optional'}</Cell>
    </tr>
  );
}

function Cell({ className, children }: { className?: string; children: ReactNode }) {
  return <td className={cx('wrap-anywhere min-w-0 text-secondary sm:px-2 sm:py-2.5', className)}>{children}</td>;
}
