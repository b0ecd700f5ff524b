import type { ReactNode } from 'react';
import { useCapabilities } from '@/api/capabilities';
import type { Toggle } from '@/api/generated/types';
import { useManager } from '@/api/managedToggles';
import { useFeatureTypes, useProjects } from '@/api/reads';
import { getEffect, mayWiden } from '@/domain/impact/effect';
import { confirmWidening } from '@/domain/toggles/confirmSwitch';
import { ToggleTypeIcon } from '@/domain/toggles/ToggleCells';
import { cx } from '@/lib/cx';
import { sections } from '@/paths';
import { useOpenPage } from '@/shared/navigation';
import { ChevronDownIcon, ProjectIcon } from '@/ui/icons';
import { Menu } from '@/ui/Menu';
import { changeProject } from '../saving/toggleEdits';
import { useToggleSave } from '../saving/useToggleSave';
import { ToggleTags } from '../tags/ToggleTags';
import { ManagedMark } from './ManagedMark';

const MOVE_REASON = 'Moving toggles between projects requires Unleash Enterprise.';

const OTHER_PROJECT =
  'Applications with a token for the new project get it, those with a token for the old one no longer.';

interface Props {
  toggle: Toggle;
  /** Reason why the metadata cannot be changed. */
  readOnlyReason?: string | undefined;
}

/** Type, project, files and tags of a toggle. Type and project are saved when they are chosen. */
export function ToggleMetadata({ toggle, readOnlyReason }: Props) {
  const types = useFeatureTypes();
  const projects = useProjects();
  const manager = useManager(toggle.name);
  const moveReason = useCapabilities().movesToggles ? undefined : MOVE_REASON;
  return (
    <div className={METADATA}>
      <MetadataMenu
        label="Toggle type"
        icon={<ToggleTypeIcon type={toggle.type} />}
        toggle={toggle}
        value={toggle.type}
        choices={types}
        change={(one, type) => ({ ...one, type })}
        done={(type) => `is of type ${type} now`}
        readOnlyReason={readOnlyReason}
      />
      {projects.length > 1 && (
        <MetadataMenu
          label="Project"
          icon={<ProjectIcon />}
          toggle={toggle}
          value={toggle.project}
          choices={projects}
          change={changeProject}
          done={(project) => `moved to ${project}`}
          readOnlyReason={readOnlyReason ?? moveReason}
          list={sections.projects}
        />
      )}
      {manager && <ManagedMark files={manager} />}
      <ToggleTags toggle={toggle} readOnlyReason={readOnlyReason} />
    </div>
  );
}

/** On phones, one row that scrolls to both edges of the window. It fades at its end, where it continues. */
const METADATA = cx(
  'mb-4 flex flex-wrap items-center gap-2.5 text-muted text-secondary',
  'max-sm:-mx-4 max-sm:mb-1 max-sm:scroll-px-4 max-sm:flex-nowrap max-sm:overflow-x-auto max-sm:pr-10 max-sm:pl-4 max-sm:*:shrink-0 max-sm:[scrollbar-width:none]',
  'max-sm:[mask-image:linear-gradient(to_right,black_calc(100%-36px),transparent)]',
);

interface MenuProps extends Props {
  label: string;
  icon: ReactNode;
  /** Id of the current choice. */
  value: string;
  choices: readonly { id: string; name: string }[];
  change: (toggle: Toggle, id: string) => Toggle;
  /** What a change to the choice with this name has done, after the name of the toggle. */
  done: (choice: string) => string;
  /** Page with the choices, linked at the end of the menu. */
  list?: { label: string; path: string };
}

function MetadataMenu({ label, icon, toggle, value, choices, change, done, readOnlyReason, list }: MenuProps) {
  const open = useOpenPage();
  const { save, saving, conflict } = useToggleSave();
  const nameOf = (id: string) => choices.find((choice) => choice.id === id)?.name ?? id;
  const name = nameOf(value);
  const select = async (id: string) => {
    const effect = getEffect(toggle, change(toggle, id));
    if (mayWiden(effect) && !(await confirmWidening(toggle.name, effect, OTHER_PROJECT))) return;
    void save(toggle, (one) => change(one, id), { done: `${toggle.name} ${done(nameOf(id))}` });
  };
  return (
    <>
      <Menu
        label={`${label}: ${name}`}
        align="start"
        trigger={{ icon, text: <MetadataText name={name} />, variant: 'quiet', size: 'small' }}
        items={[
          ...choices.map((choice) => ({
            id: choice.id,
            label: choice.name,
            checked: choice.id === value,
            onSelect: () => {
              if (choice.id !== value) void select(choice.id);
            },
          })),
          ...(list
            ? [
                { separator: true } as const,
                {
                  id: 'list',
                  label: `Show all ${list.label.toLowerCase()}`,
                  onSelect: () => void open(list.path),
                },
              ]
            : []),
        ]}
        busy={saving}
        disabledReason={readOnlyReason}
      />
      {conflict}
    </>
  );
}

function MetadataText({ name }: { name: string }) {
  return (
    <>
      {name}
      <ChevronDownIcon size={14} className="-mr-1 in-data-reason:hidden" />
    </>
  );
}
