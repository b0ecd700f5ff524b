import { ChevronDown, FlaskConical, Folder } from 'lucide-react';
import type { ReactNode } from 'react';
import type { Toggle } from '@/api/generated/types';
import { useFeatureTypes, useProjects } from '@/api/reads';
import { Menu } from '@/ui/Menu';
import { Time } from '@/ui/Time';
import { changeProject } from '../toggleEdits';
import { useToggleSave } from '../useToggleSave';
import { Tags } from './Tags';

interface Props {
  toggle: Toggle;
  /** Why none of them can be changed. */
  readOnly?: string | undefined;
}

/** What the toggle is and where it belongs; chosen and saved in place. */
export function ToggleFacts({ toggle, readOnly }: Props) {
  const types = useFeatureTypes();
  const projects = useProjects();
  return (
    <div className="mb-4 flex flex-wrap items-center gap-2.5 text-muted text-secondary">
      <FactMenu
        label="Toggle type"
        icon={<FlaskConical size={14} strokeWidth={1.75} aria-hidden="true" />}
        toggle={toggle}
        value={toggle.type}
        choices={types}
        change={(one, type) => ({ ...one, type })}
        readOnly={readOnly}
      />
      {projects.length > 1 && (
        <FactMenu
          label="Project"
          icon={<Folder size={14} strokeWidth={1.75} aria-hidden="true" />}
          toggle={toggle}
          value={toggle.project}
          choices={projects}
          change={changeProject}
          readOnly={readOnly}
        />
      )}
      <Tags toggle={toggle} readOnly={readOnly} />
      <span className="inline-flex flex-wrap gap-x-2.5">
        <span>
          Created <Time value={toggle.createdAt} />
        </span>
        <span aria-hidden="true">·</span>
        <span>
          Last seen <Time value={toggle.lastSeenAt} />
        </span>
      </span>
    </div>
  );
}

interface MenuProps extends Props {
  label: string;
  icon: ReactNode;
  /** The id of the choice that holds. */
  value: string;
  choices: readonly { id: string; name: string }[];
  change: (toggle: Toggle, id: string) => Toggle;
}

function FactMenu({ label, icon, toggle, value, choices, change, readOnly }: MenuProps) {
  const { save, saving, conflict } = useToggleSave(toggle);
  const name = choices.find(({ id }) => id === value)?.name ?? value;
  return (
    <>
      <Menu
        label={`${label}: ${name}`}
        trigger={{ icon, text: <FactText name={name} />, variant: 'quiet', size: 'small' }}
        items={choices.map((choice) => ({
          id: choice.id,
          label: choice.name,
          checked: choice.id === value,
          onSelect: () => {
            if (choice.id !== value) void save(toggle, (one) => change(one, choice.id));
          },
        }))}
        busy={saving}
        disabledReason={readOnly}
      />
      {conflict}
    </>
  );
}

function FactText({ name }: { name: string }) {
  return (
    <>
      {name}
      <ChevronDown size={14} strokeWidth={1.75} aria-hidden="true" className="-mr-1" />
    </>
  );
}
