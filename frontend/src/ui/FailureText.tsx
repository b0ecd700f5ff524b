import { cx } from '@/lib/cx';

interface Props {
  /** `detail` is the server's own message, such as the missing permission. */
  failure: Error & { detail?: string | undefined };
  className?: string;
}

/** The error message of a failed request. */
export function FailureText({ failure: { message, detail }, className }: Props) {
  return (
    <div role="alert" tabIndex={-1} className={cx('wrap-anywhere text-danger', className)}>
      <p>{message}</p>
      {detail && <p className="text-secondary">{detail}</p>}
    </div>
  );
}
