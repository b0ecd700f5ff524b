import { useState } from 'react';
import type { Application } from '@/api/generated/types';
import { cx } from '@/lib/cx';
import { findIcons } from '@/lib/iconNames';
import { isEnter } from '@/lib/keyboard';
import { paths } from '@/paths';
import { Form } from '@/shared/Form';
import { useOpenPage } from '@/shared/navigation';
import { useForm } from '@/shared/useForm';
import { useMergedSave } from '@/shared/useMergedSave';
import { Button } from '@/ui/Button';
import { Card } from '@/ui/Card';
import { Dialog } from '@/ui/Dialog';
import { fieldLabelClass } from '@/ui/fieldClass';
import { iconButtonClass } from '@/ui/IconButton';
import { MaterialGlyph } from '@/ui/MaterialGlyph';
import { TextArea } from '@/ui/TextArea';
import { TextField } from '@/ui/TextField';
import { AppIcon, DefaultAppIcon } from './AppIcon';
import { changedMetadata, type MetadataInput, metadataErrors, toMetadataInput } from './metadata';
import { useApplicationWrites } from './useApplications';

export function EditApplication({ application }: { application: Application }) {
  const { form, conflict } = useApplicationForm(application);
  const { input, setInput, bind } = form;
  return (
    <>
      <Form
        form={form}
        submitLabel="Save"
        permission="UPDATE_APPLICATION"
        cancel={paths.application(application.appName)}
      >
        <Card>
          <div className="grid gap-4">
            <IconField value={input.icon} onChange={(icon) => setInput({ ...input, icon })} />
            <TextField
              label="Application URL"
              type="url"
              inputMode="url"
              autoComplete="off"
              placeholder="https://"
              help="The application itself or its documentation."
              {...bind('url')}
            />
            <TextArea label="Description" {...bind('description')} />
            <p className="text-muted text-secondary">Saved values can be replaced but not cleared.</p>
          </div>
        </Card>
      </Form>
      {conflict}
    </>
  );
}

interface IconFieldProps {
  value: string;
  onChange: (icon: string) => void;
}

function IconField({ value, onChange }: IconFieldProps) {
  const [open, setOpen] = useState(false);
  const close = () => setOpen(false);
  return (
    <fieldset className="grid min-w-0 justify-items-start">
      <legend className={cx(fieldLabelClass, 'mb-1.5')}>Icon</legend>
      <div className="flex flex-wrap items-center gap-2.5">
        <AppIcon name={value} />
        <span className="wrap-anywhere min-w-0">{value}</span>
        <Button size="small" aria-label={`Choose an icon, now ${value}`} onClick={() => setOpen(true)}>
          Choose…
        </Button>
      </div>
      <Dialog open={open} title="Choose an icon" onClose={close} actions={<Button onClick={close}>Cancel</Button>}>
        <IconPicker
          value={value}
          onChoose={(icon) => {
            onChange(icon);
            close();
          }}
        />
      </Dialog>
    </fieldset>
  );
}

/** Maximum number of icons; a longer list needs a more specific search. */
const MAX_SHOWN = 120;

interface IconPickerProps {
  value: string;
  onChoose: (icon: string) => void;
}

function IconPicker({ value, onChoose }: IconPickerProps) {
  const [search, setSearch] = useState('');
  const found = findIcons(search);
  const more = found.length - MAX_SHOWN;
  return (
    <div className="grid gap-3">
      <TextField
        label="Search"
        type="search"
        autoComplete="off"
        spellCheck={false}
        placeholder="Search by name, e.g. cart"
        value={search}
        onChange={setSearch}
        // The dialog is inside the page's form: Enter must not submit it.
        onKeyDown={(event) => {
          if (isEnter(event.nativeEvent)) event.preventDefault();
        }}
      />
      <ul aria-label="Icons" className="flex max-h-72 flex-wrap content-start gap-1 overflow-y-auto p-1">
        {found.slice(0, MAX_SHOWN).map((name) => (
          <li key={name} className="flex">
            <button
              type="button"
              aria-label={name}
              aria-pressed={name === value}
              title={name}
              onClick={() => onChoose(name)}
              className={cx(
                iconButtonClass,
                'aria-pressed:forced-selected aria-pressed:bg-accent-soft aria-pressed:text-accent',
              )}
            >
              <MaterialGlyph name={name} fallback={<DefaultAppIcon />} />
            </button>
          </li>
        ))}
      </ul>
      <p role="status" className="text-muted text-secondary">
        {status(search, found.length, more)}
      </p>
    </div>
  );
}

function status(search: string, count: number, more: number): string {
  if (search.trim() === '') return 'Frequently used icons. Search to find one of about 2,000 Material icons.';
  if (count === 0) return 'No icons match. Icon names are in English.';
  if (more > 0) return `Showing ${MAX_SHOWN} of ${count} icons. Add a word to narrow the search.`;
  return count === 1 ? '1 icon' : `${count} icons`;
}

/** Form that edits the metadata of an application. */
function useApplicationForm(application: Application) {
  const open = useOpenPage();
  const { find, describe } = useApplicationWrites(application.appName);
  const { save, conflict } = useMergedSave<MetadataInput>({
    noun: 'application',
    id: application.appName,
    rules: { labelOf: (field) => LABELS[field] },
    find: async () => {
      const latest = await find();
      // Applications have no strong entity tags: reports of client libraries change them too.
      return latest && { item: toMetadataInput(latest), tag: undefined };
    },
    // Values that a partly failed save has stored are not sent again.
    replace: (merged, { item }) => describe(changedMetadata(item, merged)),
  });
  const form = useForm({
    start: toMetadataInput(application),
    base: toMetadataInput(application),
    rules: (input, opened) => metadataErrors(opened, input),
    save: (input, opened) => save(opened, input),
    onSaved: () => void open(paths.application(application.appName)),
  });
  return { form, conflict };
}

const LABELS: { [field: string]: string } = { icon: 'Icon', url: 'URL', description: 'Description' };
