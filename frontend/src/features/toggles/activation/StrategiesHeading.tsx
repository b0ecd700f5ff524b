interface Props {
  /** Id for `aria-labelledby` of the section. */
  id: string;
}

export function StrategiesHeading({ id }: Props) {
  return (
    <div className="flex flex-1 flex-wrap items-baseline gap-x-2.5">
      <h2 id={id} className="font-semibold">
        Activation strategies
      </h2>
      <p className="text-muted">On if any strategy matches</p>
    </div>
  );
}
