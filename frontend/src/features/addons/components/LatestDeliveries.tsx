import { events } from '@/api/endpoints';
import type { Addon } from '@/api/generated/types';
import { useRead } from '@/api/hooks';
import { paths } from '@/paths';
import { TextLink } from '@/shared/TextLink';
import { Card } from '@/ui/Card';
import { FailureIcon, SuccessIcon } from '@/ui/icons';
import { Time } from '@/ui/Time';
import { type Delivery, latestDeliveries } from '../deliveries';

/** The latest deliveries of an addon, if the server's event log contains them. */
export function LatestDeliveries({ addon }: { addon: Addon }) {
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
          {eventType} {isDelivered ? 'delivered' : 'not delivered'}
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
