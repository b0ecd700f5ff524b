import { useRef } from 'react';
import { Link } from 'react-router-dom';
import { paths } from '@/paths';
import { Button } from '@/ui/Button';
import { buttonClass } from '@/ui/buttonClass';
import { PageHeader } from '@/ui/PageHeader';
import { Breadcrumb } from './components/Breadcrumb';
import { StrategyForm } from './components/StrategyForm';
import { ToggleFields } from './components/ToggleFields';
import { addStrategy } from './rules';
import { useToggleForm } from './useToggleForm';

export function ToggleCreatePage() {
  const element = useRef<HTMLFormElement>(null);
  const { form, setForm, failure, saving, submit, definitions, stickiness, ...fields } = useToggleForm(element);
  return (
    <>
      <PageHeader title="New toggle" breadcrumb={<Breadcrumb here="New toggle" />} />
      <form
        ref={element}
        noValidate
        className="grid max-w-180 gap-6"
        onSubmit={(event) => {
          event.preventDefault();
          void submit();
        }}
      >
        <ToggleFields form={form} onChange={setForm} {...fields} />
        <StrategyForm
          form={form}
          definitions={definitions}
          stickiness={stickiness}
          onAdd={(definition) => setForm(addStrategy(form, definition))}
          onChange={(changed) =>
            setForm({ ...form, strategies: form.strategies.map((one) => (one.key === changed.key ? changed : one)) })
          }
          onRemove={(key) => setForm({ ...form, strategies: form.strategies.filter((one) => one.key !== key) })}
        />
        {failure && (
          <p role="alert" tabIndex={-1} className="rounded-control bg-danger-soft px-4 py-3 text-danger">
            {failure.message}
          </p>
        )}
        <div className="flex gap-2.5">
          <Button type="submit" variant="primary" busy={saving}>
            Create
          </Button>
          <Link to={paths.toggles()} className={buttonClass()}>
            Cancel
          </Link>
        </div>
      </form>
    </>
  );
}
