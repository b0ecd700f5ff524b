import { events } from '@/api/endpoints';
import type { Addon, AddonProvider, Event } from '@/api/generated/types';
import { useRead } from '@/api/useRead';
import { describeEventType } from '@/domain/events/eventType';
import { paths, sections } from '@/paths';
import { Form } from '@/shared/Form';
import { FormPage } from '@/shared/FormPage';
import { ResourceNotFound } from '@/shared/ResourceNotFound';
import { TextLink } from '@/shared/TextLink';
import { useRouteParams } from '@/shared/useRouteParams';
import { Card } from '@/ui/Card';
import { ItemLoader } from '@/ui/ItemLoader';
import { FailureIcon, SuccessIcon } from '@/ui/icons';
import { Time } from '@/ui/Time';
import { AddonFields } from './AddonFields';
import { useAddons } from './addons';
import { addonName, findProvider } from './rules';
import { useAddonEdit } from './useAddonForm';

export function AddonEditPage() {
  const { id = '' } = useRouteParams();
  const { addons, providers = [], error, reload } = useAddons();
  const addon = addons?.find((one) => String(one.id) === id);
  const name = addon ? addonName(addon, providers) : `addon ${id}`;
  return (
    <FormPage title={`Edit ${name}`} within={sections.addons}>
      <ItemLoader
        noun="addon"
        id={id}
        item={addon}
        isLoaded={addons !== undefined}
        error={error}
        reload={reload}
        notFound={<ResourceNotFound title="Could not find the addon" within={sections.addons} />}
      >
        {(found) => <AddonForm addon={found} name={name} provider={findProvider(found, providers)} />}
      </ItemLoader>
    </FormPage>
  );
}

function AddonForm({ addon, name, provider }: { addon: Addon; name: string; provider: AddonProvider }) {
  const { form, conflict } = useAddonEdit(addon, provider, name);
  return (
    <>
      <Form form={form} submitLabel="Save" permission="UPDATE_ADDON" cancel={paths.addons()}>
        <AddonFields {...form.fields} provider={provider} />
      </Form>
      {conflict}
      <LatestDeliveries addon={addon} />
    </>
  );
}

/** The latest deliveries of an addon, if the server's event log contains them. */
function LatestDeliveries({ addon }: { addon: Addon }) {
  const { data } = useRead(events);
  const deliveries = latestDeliveries(addon.id, data?.events ?? []);
  if (deliveries.length === 0) return null;
  return (
    <section aria-labelledby="deliveries" className="mt-8 max-w-180">
      <h2 id="deliveries" className="mb-3 font-semibold text-section">
        Latest deliveries
      </h2>
      <Card>
        <ul className="grid gap-3">
          {deliveries.map((delivery) => (
            <Item key={delivery.id} delivery={delivery} />
          ))}
        </ul>
      </Card>
    </section>
  );
}

function Item({ delivery: { id, isDelivered, eventType, target, outcome, at } }: { delivery: Delivery }) {
  const Sign = isDelivered ? SuccessIcon : FailureIcon;
  return (
    <li className="flex min-w-0 items-start gap-2.5">
      <Sign className={isDelivered ? 'mt-0.5 shrink-0 text-on' : 'mt-0.5 shrink-0 text-danger'} />
      <span className="wrap-anywhere grid min-w-0 flex-1 gap-0.5">
        <TextLink to={paths.event(id)} className="justify-self-start font-medium">
          {describeEventType(eventType)} {isDelivered ? 'delivered' : 'not delivered'}
          {target !== undefined && ` to ${target}`}
        </TextLink>
        <span className="text-muted text-secondary">{outcome}</span>
      </span>
      <span className="shrink-0 text-muted text-secondary">
        <Time value={at} />
      </span>
    </li>
  );
}

// Deliveries of an addon, read from the event log.

interface Delivery {
  /** Id of the event. */
  id: number;
  isDelivered: boolean;
  eventType: string;
  target: string | undefined;
  /** Description, such as `HTTP 204 after 3 attempts`. */
  outcome: string;
  at: string;
}

const MAX_SHOWN = 10;

export function latestDeliveries(addon: number, events: readonly Event[]): Delivery[] {
  return events
    .filter(({ type, data }) => type.startsWith('addon-deliver') && data?.['id'] === addon)
    .slice(0, MAX_SHOWN)
    .map(toDelivery);
}

function toDelivery({ id, type, data, createdAt }: Event): Delivery {
  const { eventType, target, attempts, status, reason } = data ?? {};
  const tries = typeof attempts === 'number' && attempts > 1 ? ` after ${attempts} attempts` : '';
  const how = typeof status === 'number' ? `HTTP ${status}` : text(reason);
  return {
    id,
    isDelivered: type === 'addon-delivered',
    eventType: text(eventType),
    target: typeof target === 'string' ? target : undefined,
    outcome: `${how}${tries}`,
    at: createdAt,
  };
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
