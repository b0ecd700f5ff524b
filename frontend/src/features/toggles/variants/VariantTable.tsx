import type { Variant } from '@/api/generated/types';
import { cx } from '@/lib/cx';
import { Chip } from '@/ui/Chip';
import { type Column, columnsWithCells } from '@/ui/Column';
import { Count } from '@/ui/Count';
import { IconButton } from '@/ui/IconButton';
import { EditIcon, RemoveIcon } from '@/ui/icons';
import { TABLE_BOX } from '@/ui/PlainTable';
import { TableHead } from '@/ui/TableHead';
import { variantColour } from './variantColour';
import { isFixed } from './variantWeights';

interface Props {
  variants: readonly Variant[];
  readOnlyReason: string | undefined;
  onEdit: (variant: Variant) => void;
  onRemove: (variant: Variant) => void;
}

const columns: readonly Column<Variant>[] = [
  { header: 'Name', width: '25%', cell: ({ name }) => name },
  {
    header: 'Weight',
    width: '5rem',
    className: 'tabular-nums',
    cell: ({ weight }) => (
      <>
        <Count value={weight / 10} /> %
      </>
    ),
  },
  {
    header: 'Type',
    width: '6rem',
    className: 'text-muted',
    cell: (variant) => (isFixed(variant) ? 'Fixed' : 'Variable'),
  },
  {
    header: 'Payload',
    className: 'empty:max-sm:hidden max-sm:col-span-2',
    cell: ({ payload }) =>
      payload && (
        <span className="flex min-w-0 items-baseline gap-2">
          <Chip>{payload.type}</Chip>
          <code className="line-clamp-2 min-w-0 font-mono text-label">{payload.value}</code>
        </span>
      ),
  },
  {
    header: 'Overrides',
    className: 'empty:max-sm:hidden max-sm:col-span-2',
    cell: ({ overrides = [] }) =>
      overrides.map(({ contextName, values }) => (
        <p key={contextName} className="line-clamp-3">
          <span className="text-muted">{contextName}:</span> {values.join(', ')}
        </p>
      )),
  },
];

export function VariantTable({ variants, readOnlyReason, onEdit, onRemove }: Props) {
  return (
    <div className={TABLE_BOX}>
      <table className="block w-full sm:table sm:table-fixed">
        <TableHead columns={columns} actionsWidth="6rem" className="max-sm:sr-only" />
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
  const { name } = variant;
  const [heading, ...others] = columnsWithCells(columns);
  return (
    <tr className="not-first:border-line not-first:border-t align-top max-sm:relative max-sm:grid max-sm:grid-cols-[auto_minmax(0,1fr)] max-sm:gap-x-3 max-sm:gap-y-2 max-sm:p-4 sm:table-row">
      <th
        scope="row"
        className="min-w-0 text-left font-semibold max-sm:col-span-2 max-sm:pr-24 sm:py-2.5 sm:pr-2 sm:pl-4"
      >
        <span className="flex min-w-0 items-center gap-2.5">
          <span
            aria-hidden="true"
            data-testid="variant colour"
            className="size-2.5 shrink-0 rounded-full"
            style={{ background: colour }}
          />
          <span className="wrap-anywhere min-w-0">{heading?.cell(variant)}</span>
        </span>
      </th>
      {others.map(({ header, className, cell }) => (
        <td key={header} className={cx('wrap-anywhere min-w-0 text-secondary sm:px-2 sm:py-2.5', className)}>
          {cell(variant)}
        </td>
      ))}
      <td className="max-sm:absolute max-sm:top-1 max-sm:right-1 sm:py-1.5 sm:pr-3">
        <span className="flex justify-end">
          <IconButton label={`Edit ${name}`} icon={<EditIcon />} disabledReason={readOnlyReason} onClick={onEdit} />
          <IconButton
            label={`Remove ${name}`}
            icon={<RemoveIcon />}
            disabledReason={readOnlyReason}
            onClick={onRemove}
          />
        </span>
      </td>
    </tr>
  );
}
