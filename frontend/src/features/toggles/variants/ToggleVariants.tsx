import { useCapabilities } from '@/api/capabilities';
import type { Toggle, Variant } from '@/api/generated/types';
import { cx } from '@/lib/cx';
import { formatPercentage } from '@/lib/format';
import { useLocale } from '@/lib/locale';
import { usePrompt } from '@/lib/prompt';
import { Button } from '@/ui/Button';
import { Card } from '@/ui/Card';
import { Chip } from '@/ui/Chip';
import { type Column, columnsWithCells } from '@/ui/Column';
import { EmptyState } from '@/ui/EmptyState';
import { Field } from '@/ui/Field';
import { IconButton } from '@/ui/IconButton';
import { AddIcon, EditIcon, RemoveIcon, VariantIcon } from '@/ui/icons';
import { TABLE_BOX } from '@/ui/PlainTable';
import { SelectField } from '@/ui/Select';
import { TableHead } from '@/ui/TableHead';
import { useConfirm } from '@/ui/useConfirm';
import { throwVariantFailure, useVariants } from './useVariants';
import { VariantDialog, type VariantEdit } from './VariantDialog';
import { getUnassignedWeight, isFixed } from './variantWeights';

interface Props {
  toggle: Toggle;
  readOnlyReason?: string | undefined;
}

const NO_STICKINESS = 'Servers before 3.12 do not store the stickiness of variants.';

/** Variants tab of a toggle. */
export function ToggleVariants({ toggle, readOnlyReason }: Props) {
  const { variants, remove, conflict, ...group } = useVariants(toggle);
  const { storesVariantsInStrategies: storesInStrategies, storesVariantStickiness } = useCapabilities();
  const stickinessReason = storesVariantStickiness ? undefined : NO_STICKINESS;
  const [editing, edit] = usePrompt<VariantEdit>();
  const open = (variant?: Variant) => void editing.ask({ base: toggle, ...(variant && { variant }) });
  const removal = useConfirm<{ base: Toggle; variant: Variant }>(({ base, variant }) => ({
    title: `Remove ${variant.name}`,
    body: (
      <>
        Are you sure you want to remove this variant? Its weight goes to the variable variants.
        {conflict}
      </>
    ),
    confirmLabel: 'Remove',
    tone: 'danger',
    action: async () => {
      const removed = await remove(base, variant.name).catch(throwVariantFailure('remove'));
      if (!removed) throw new Error('Removal cancelled. Nothing was changed.');
    },
  }));
  return (
    <section aria-labelledby="variants-heading" className="grid gap-3">
      <header className="flex flex-wrap items-center justify-between gap-3">
        <div className="flex flex-wrap items-baseline gap-x-2.5">
          <h2 id="variants-heading" className="font-semibold">
            Variants
          </h2>
          <p className="text-muted">
            Served to users who get the feature
            <Unassigned variants={variants} />
          </p>
        </div>
        {/* The same button with and without variants, because the focus returns to it after the first one is added. */}
        <Button icon={<AddIcon />} disabledReason={readOnlyReason} onClick={() => open()}>
          {storesInStrategies && variants.length === 0 ? 'Create anyway' : 'Add variant'}
        </Button>
      </header>
      {variants.length === 0 ? (
        <Card>
          {storesInStrategies ? (
            <EmptyState icon={<VariantIcon size={20} />} title="This server stores variants in strategies.">
              The Activation tab shows them. Variants of the whole toggle are deprecated on this server.
            </EmptyState>
          ) : (
            <EmptyState icon={<VariantIcon size={20} />} title="No variants">
              Variants serve different values to different shares of users, such as the colour of a button.
            </EmptyState>
          )}
        </Card>
      ) : (
        <>
          <VariantBar variants={variants} />
          <VariantTable
            variants={variants}
            readOnlyReason={readOnlyReason}
            onEdit={open}
            onRemove={(variant) => void removal.ask({ base: toggle, variant })}
          />
        </>
      )}
      {variants.length > 1 && <VariantStickiness {...group} readOnlyReason={readOnlyReason ?? stickinessReason} />}
      {edit && (
        // The key makes each opening start from the current variant.
        <VariantDialog
          key={edit.number}
          prompt={editing}
          {...edit.question}
          stickiness={group.stickiness}
          put={group.put}
          conflict={conflict}
        />
      )}
      {removal.dialog}
      {/* While a dialog is open, it renders the conflict itself. */}
      {!edit?.open && !removal.isOpen && conflict}
    </section>
  );
}

interface VariantTableProps {
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
    cell: ({ weight }) => <Percentage value={weight / 10} />,
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

function Percentage({ value }: { value: number }) {
  return formatPercentage(value, useLocale());
}

function VariantTable({ variants, readOnlyReason, onEdit, onRemove }: VariantTableProps) {
  return (
    <div className={TABLE_BOX}>
      <table className="block w-full sm:table sm:table-fixed">
        <TableHead columns={columns} actionsWidth="6rem" className="max-sm:sr-only" />
        <tbody className="block sm:table-row-group">
          {variants.map((variant, index) => (
            <Row
              key={variant.name}
              variant={variant}
              colour={getVariantColour(variant, index)}
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
            className="size-2.5 shrink-0 rounded-full ring-1 ring-line-control ring-inset forced-color-adjust-none"
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

/** The weight that is left over by rounding. */
function Unassigned({ variants }: { variants: readonly Variant[] }) {
  const rest = getUnassignedWeight(variants);
  const locale = useLocale();
  return (
    rest > 0 && <span data-tip="Weights are rounded down."> · {formatPercentage(rest / 10, locale)} unassigned</span>
  );
}

/** Bar chart of the variants' weights. */
function VariantBar({ variants }: { variants: readonly Variant[] }) {
  const rest = getUnassignedWeight(variants);
  const locale = useLocale();
  const words = variants.map(({ name, weight }) => `${name} ${formatPercentage(weight / 10, locale)}`);
  return (
    <div role="img" aria-label={`Distribution: ${words.join(', ')}`} className="flex gap-0.5">
      {variants.map((variant, index) => (
        <span
          key={variant.name}
          data-tip={words[index]}
          className="grid min-w-0 gap-1"
          style={{ flexGrow: variant.weight, flexBasis: 0 }}
        >
          <span className={SEGMENT} style={{ background: getVariantColour(variant, index) }} />
          <span className="truncate text-label text-muted">{words[index]}</span>
        </span>
      ))}
      {rest > 0 && <span className="h-3 rounded-chip bg-line" style={{ flexGrow: rest, flexBasis: 0 }} />}
    </div>
  );
}

const SEGMENT = 'h-3 min-w-0 rounded-chip ring-1 ring-line-control ring-inset forced-color-adjust-none';

interface VariantStickinessProps {
  stickiness: string;
  stickinessChoices: readonly string[];
  setStickiness: (chosen: string) => Promise<boolean>;
  readOnlyReason: string | undefined;
}

const HELP = 'Which ID keeps a user on the same variant. Default: userId, then sessionId, then random.';

/** Stickiness of all variants of a toggle, which must be the same for the weights to add up. */
function VariantStickiness({ stickiness, stickinessChoices, setStickiness, readOnlyReason }: VariantStickinessProps) {
  return (
    <Card>
      <div className="[&_span:has(>select)]:max-w-100">
        {readOnlyReason === undefined ? (
          <SelectField
            label="Stickiness"
            help={HELP}
            value={stickiness}
            options={stickinessChoices.map((value) => ({ value, label: value }))}
            onChange={(chosen) => void setStickiness(chosen)}
          />
        ) : (
          <Field label="Stickiness" help={HELP}>
            {(control) => (
              <output {...control} data-reason={readOnlyReason}>
                {stickiness}
              </output>
            )}
          </Field>
        )}
      </div>
    </Card>
  );
}

/** Names that are also colours. In another colour, they would be misleading. */
const COLOUR_NAMES = /^(red|orange|yellow|green|blue|purple|pink|brown|black|white|gr[ae]y)$/iu;
const HEX_COLOUR = /^#([0-9a-f]{3}|[0-9a-f]{6})$/iu;

/** Returns the colour that the payload or the name of a variant means, or else the colour of its position. */
export function getVariantColour({ name, payload }: Pick<Variant, 'name' | 'payload'>, index: number): string {
  const meant = [payload?.value.trim() ?? '', name].find((text) => HEX_COLOUR.test(text) || COLOUR_NAMES.test(text));
  return meant?.toLowerCase() ?? variantColour(index);
}

/** Number of variant colours in `styles.css`. More variants repeat them; names are always shown beside the colours. */
export const VARIANT_COLOURS = 8;

/**
 * Returns the colour of the variant at `index`. Colours belong to positions, not to names: neighbours then differ for
 * colour-blind users too, and no two of the first eight are the same.
 */
export function variantColour(index: number): string {
  return `var(--variant-${(index % VARIANT_COLOURS) + 1})`;
}
