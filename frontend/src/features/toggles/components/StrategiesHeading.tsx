interface Props {
  /** What the section is labelled by. */
  id: string;
}

export function StrategiesHeading({ id }: Props) {
  return (
    <div className="flex flex-1 flex-wrap items-baseline gap-x-2.5">
      <h2 id={id} className="font-semibold">
        Activation strategies
      </h2>
      <p className="text-muted">on when any of them says yes</p>
    </div>
  );
}
