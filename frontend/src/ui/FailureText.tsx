import { cx } from '@/lib/cx';

interface Props {
  /** Carries in `detail` what the server said beyond the general message, such as which permission is missing. */
  failure: Error & { detail?: string | undefined };
  className?: string;
}

/** A failed request, shown where it was started. */
export function FailureText({ failure: { message, detail }, className }: Props) {
  return (
    <div role="alert" tabIndex={-1} className={cx('wrap-anywhere text-danger', className)}>
      <p>{message}</p>
      {detail && <p className="text-secondary">{detail}</p>}
    </div>
  );
}
