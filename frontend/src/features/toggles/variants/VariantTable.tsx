import { Pencil, Trash2 } from 'lucide-react';
import type { ReactNode } from 'react';
import type { Variant } from '@/api/generated/types';
import { cx } from '@/lib/cx';
import { Chip } from '@/ui/Chip';
import { ColumnHeader } from '@/ui/ColumnHeader';
import { IconButton } from '@/ui/IconButton';
import { VisuallyHidden } from '@/ui/VisuallyHidden';
import { variantColour } from './variantColour';
import { formatWeight, isFixed } from './variantWeights';

interface Props {
  variants: readonly Variant[];
  readOnlyReason: string | undefined;
  onEdit: (variant: Variant) => void;
  onRemove: (variant: Variant) => void;
}

export function VariantTable({ variants, readOnlyReason, onEdit, onRemove }: Props) {
  return (
    <div className="rounded-card border border-line bg-surface shadow-card">
      <table className="block w-full sm:table sm:table-fixed">
        <thead className="max-sm:sr-only">
          <tr className="border-line border-b">
            <ColumnHeader className="w-1/4">Name</ColumnHeader>
            <ColumnHeader className="w-20">Weight</ColumnHeader>
            <ColumnHeader className="w-24">Type</ColumnHeader>
            <ColumnHeader>Payload</ColumnHeader>
            <ColumnHeader>Overrides</ColumnHeader>
            <ColumnHeader className="w-24">
              <VisuallyHidden>Actions</VisuallyHidden>
            </ColumnHeader>
          </tr>
        </thead>
        <tbody className="block sm:table-row-group">
          {variants.map((variant, index) => (
            <Row
              key={variant.name}
              variant={variant}
              colour={variantColour(index)}
              readOnlyReason={readOnlyReason}
              onEdit={() => onEdit(variant)}
              onRemove={() => onRemove(variant)}
            />
          ))}
        </tbody>
      </table>
    </div>
  );
}

interface RowProps {
  variant: Variant;
  colour: string;
  readOnlyReason: string | undefined;
  onEdit: () => void;
  onRemove: () => void;
}

function Row({ variant, colour, readOnlyReason, onEdit, onRemove }: RowProps) {
  const { name, weight, payload, overrides = [] } = variant;
  return (
    <tr className="not-first:border-line not-first:border-t align-top max-sm:relative max-sm:grid max-sm:grid-cols-[auto_minmax(0,1fr)] max-sm:gap-x-3 max-sm:gap-y-2 max-sm:p-4 sm:table-row">
      <th
        scope="row"
        className="min-w-0 text-left font-semibold max-sm:col-span-2 max-sm:pr-24 sm:py-2.5 sm:pr-2 sm:pl-4"
      >
        <span className="flex min-w-0 items-center gap-2.5">
          <span aria-hidden="true" className={cx('size-2.5 shrink-0 rounded-full', colour)} />
          <span className="wrap-anywhere min-w-0">{name}</span>
        </span>
      </th>
      <Cell className="tabular-nums">{formatWeight(weight)} %</Cell>
      <Cell className="text-muted">{isFixed(variant) ? 'Fixed' : 'Variable'}</Cell>
      <Cell className={cx('max-sm:col-span-2', !payload && 'max-sm:hidden')}>
        {payload && (
          <span className="flex min-w-0 items-baseline gap-2">
            <Chip>{payload.type}</Chip>
            <code className="line-clamp-2 min-w-0 font-mono text-label">{payload.value}</code>
          </span>
        )}
      </Cell>
      <Cell className={cx('max-sm:col-span-2', overrides.length === 0 && 'max-sm:hidden')}>
        {overrides.map(({ contextName, values }) => (
          <p key={contextName} className="line-clamp-3">
            <span className="text-muted">{contextName}:</span> {values.join(', ')}
          </p>
        ))}
      </Cell>
      <td className="max-sm:absolute max-sm:top-1 max-sm:right-1 sm:py-1.5 sm:pr-3">
        <span className="flex justify-end">
          <IconButton
            label={`Edit ${name}`}
            icon={<Pencil size={16} strokeWidth={1.75} aria-hidden="true" />}
            disabledReason={readOnlyReason}
            onClick={onEdit}
          />
          <IconButton
            label={`Remove ${name}`}
            icon={<Trash2 size={16} strokeWidth={1.75} aria-hidden="true" />}
            disabledReason={readOnlyReason}
            onClick={onRemove}
          />
        </span>
      </td>
    </tr>
  );
}

function Cell({ className, children }: { className?: string; children: ReactNode }) {
  return <td className={cx('wrap-anywhere min-w-0 text-secondary sm:px-2 sm:py-2.5', className)}>{children}</td>;
}
